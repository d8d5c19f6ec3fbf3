import type { Goal } from '../../stats/index.ts'
import type { Cell } from './cells.ts'

interface Arms {
  readonly control: readonly Cell[]
  readonly candidate: readonly Cell[]
}

/** The value of a run that counts as worse than every other; two such runs are tied. */
export const worstOf = (goal: Goal): number =>
  goal === 'maximize' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY

/**
 * Cell by cell, the share of pairs of runs that the candidate wins, and in the control's cell the share that it loses
 * (generalised pairwise comparisons, Buyse 2010, Stat. Med. 29:3245). Their difference is its net wins: ±1 or 0 with
 * one run each. Only order counts, so a run without a value can take the worst rank (Lachin 1999, Control. Clin. Trials
 * 20:408).
 */
export function winsOfPairs({ control, candidate }: Arms, goal: Goal): Arms {
  const shares = candidate.map((cell, at) => {
    const others = sortedBy(control[at] === undefined ? [] : [control[at]], goal)
    const nets = cell.values.map(value => placeOf(value, others, goal))
    return { won: meanBy(nets, ({ won }) => won), lost: meanBy(nets, ({ lost }) => lost) }
  })
  const withShare = (cells: readonly Cell[], side: 'won' | 'lost'): readonly Cell[] =>
    cells.map((cell, at) => ({ ...cell, values: [shares[at]?.[side] ?? 0] }))
  return { control: withShare(control, 'lost'), candidate: withShare(candidate, 'won') }
}

/**
 * The same between all runs of two independent groups: each candidate run's net wins over the control, and what each control
 * run contributes, placed so that the means are the shares won and lost. Welch's t of these is the test of Brunner & Munzel
 * 2000, Biom. J. 42:17, and with several runs to a unit its form for clusters (Obuchowski 1997, Biometrics 53:567).
 */
export function winsOfGroups({ control, candidate }: Arms, goal: Goal): Arms {
  const [ours, theirs] = [sortedBy(control, goal), sortedBy(candidate, goal)]
  const net = (value: number, others: Sorted): number => {
    const { won, lost } = placeOf(value, others, goal)
    return won - lost
  }
  let [won, lost] = [0, 0]
  for (let at = 0; at < theirs.values.length; at++) {
    const place = placeOf(theirs.values[at] ?? 0, ours, goal)
    won += place.won * (theirs.weights[at] ?? 0)
    lost += place.lost * (theirs.weights[at] ?? 0)
  }
  return {
    control: control.map(cell => ({ ...cell, values: cell.values.map(value => won + net(value, theirs)) })),
    candidate: candidate.map(cell => ({ ...cell, values: cell.values.map(value => lost + net(value, ours)) })),
  }
}

/** Values from worst to best, with the weight that gives each unit the same total, and the cumulative weights. */
interface Sorted {
  readonly values: readonly number[]
  readonly weights: readonly number[]
  /** The weight of everything before each position; one more than there are values. */
  readonly before: readonly number[]
}

function sortedBy(cells: readonly Cell[], goal: Goal): Sorted {
  const units = Map.groupBy(cells, ({ unit }) => unit)
  const all = cells.flatMap(({ unit, values }) =>
    values.map(value => ({
      value,
      weight: 1 / (units.size * (units.get(unit)?.length ?? 1) * values.length),
    })),
  )
  const sorted = all.sort((a, b) => (a.value === b.value ? 0 : isBelow(a.value, b.value, goal) ? -1 : 1))
  const before = [0]
  for (const { weight } of sorted) before.push((before.at(-1) ?? 0) + weight)
  return { values: sorted.map(({ value }) => value), weights: sorted.map(({ weight }) => weight), before }
}

/** The share of the others that this value beats, and the share that beats it. */
function placeOf(
  value: number,
  { values, before }: Sorted,
  goal: Goal,
): { readonly won: number; readonly lost: number } {
  const total = before.at(-1) ?? 0
  const won = before[firstWhere(values, other => !isBelow(other, value, goal))] ?? 0
  const lost = total - (before[firstWhere(values, other => isBelow(value, other, goal))] ?? total)
  return { won: won / total, lost: lost / total }
}

/** The first position for which it holds, if it holds for all after it. */
function firstWhere(values: readonly number[], holds: (value: number) => boolean): number {
  let [low, high] = [0, values.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(values[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return low
}

const isBelow = (a: number, b: number, goal: Goal): boolean => (goal === 'maximize' ? a < b : a > b)

const meanBy = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.length === 0 ? 0 : list.reduce((sum, one) => sum + of(one), 0) / list.length
