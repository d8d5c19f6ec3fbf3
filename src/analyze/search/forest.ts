import type { Random } from '../../util/random.ts'

/** Rows with binned features and a value each. */
export interface Table {
  readonly rows: readonly (readonly number[])[]
  readonly values: readonly number[]
  /** By feature: the probability of each bin. */
  readonly weights: readonly (readonly number[])[]
  /** By feature: whether neighbouring bins are alike. */
  readonly ordered: readonly boolean[]
}

/** The end of a branch: the bins of each feature that lead here, and the mean value of its rows. */
export interface Leaf {
  readonly bins: readonly ReadonlySet<number>[]
  readonly value: number
}

const fewestRows = 3
const deepest = 12

/** A regression tree grown on a resample of the rows, trying some of the features at each fork (L. Breiman 2001). */
export function growTree(table: Table, random: Random): readonly Leaf[] {
  const count = table.rows.length
  const sample = Array.from({ length: count }, () => random.integer(0, count - 1))
  const all = table.weights.map(weights => new Set(weights.keys()))
  return grow(table, sample, all, 0, random)
}

function grow(
  table: Table,
  sample: readonly number[],
  bins: Leaf['bins'],
  depth: number,
  random: Random,
): readonly Leaf[] {
  const fork = sample.length < 2 * fewestRows || depth >= deepest ? null : bestFork(table, sample, bins, random)
  if (fork === null) return [{ bins, value: meanOf(sample.map(row => table.values[row] ?? 0)) }]
  const isLeft = (row: number) => fork.left.has(table.rows[row]?.[fork.feature] ?? -1)
  const side = (wanted: boolean) =>
    bins.map((allowed, feature) =>
      feature === fork.feature ? new Set([...allowed].filter(bin => fork.left.has(bin) === wanted)) : allowed,
    )
  return [
    ...grow(table, sample.filter(isLeft), side(true), depth + 1, random),
    ...grow(
      table,
      sample.filter(row => !isLeft(row)),
      side(false),
      depth + 1,
      random,
    ),
  ]
}

interface Fork {
  readonly feature: number
  readonly left: ReadonlySet<number>
  readonly gain: number
}

function bestFork(table: Table, sample: readonly number[], bins: Leaf['bins'], random: Random): Fork | null {
  const features = [...table.weights.keys()].filter(feature => (bins[feature]?.size ?? 0) > 1)
  const tried = features.map(feature => ({ feature, key: random.next() })).sort((a, b) => a.key - b.key)
  const forks = tried
    .slice(0, Math.ceil((2 * tried.length) / 3))
    .flatMap(({ feature }) => forkOf(table, sample, bins, feature))
  return forks.reduce<Fork | null>((best, fork) => (best === null || fork.gain > best.gain ? fork : best), null)
}

/** The best way to split the bins of a feature: in their order, or for choices in the order of their means. */
function forkOf(table: Table, sample: readonly number[], bins: Leaf['bins'], feature: number): readonly Fork[] {
  const sums = [...(bins[feature] ?? [])].map(bin => ({ bin, count: 0, sum: 0 }))
  const byBin = new Map(sums.map(entry => [entry.bin, entry]))
  for (const row of sample) {
    const entry = byBin.get(table.rows[row]?.[feature] ?? -1)
    if (entry === undefined) continue
    entry.count++
    entry.sum += table.values[row] ?? 0
  }
  const mean = ({ count, sum }: { count: number; sum: number }) => (count === 0 ? 0 : sum / count)
  sums.sort(table.ordered[feature] ? (a, b) => a.bin - b.bin : (a, b) => mean(a) - mean(b))
  const total = sums.reduce((sum, entry) => sum + entry.sum, 0)
  let [count, sum, gain, cut] = [0, 0, 1e-12, 0]
  sums.slice(0, -1).forEach((entry, index) => {
    count += entry.count
    sum += entry.sum
    const rest = sample.length - count
    if (count < fewestRows || rest < fewestRows) return
    const now = sum ** 2 / count + (total - sum) ** 2 / rest - total ** 2 / sample.length
    if (now > gain) [gain, cut] = [now, index + 1]
  })
  return cut === 0 ? [] : [{ feature, left: new Set(sums.slice(0, cut).map(({ bin }) => bin)), gain }]
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
