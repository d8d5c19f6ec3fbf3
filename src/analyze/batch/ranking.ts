import type { EvidenceRun } from '../../plan/evidence.ts'
import type { Goal } from '../../stats/curves/reduction.ts'
import { isAvailable } from '../../stats/outcome.ts'
import type { RandomSource } from '../../stats/random/random-source.ts'
import { rankSystems } from '../../stats/ranking/rank-systems.ts'
import { welchTest } from '../../stats/tests/means/welch.ts'
import { adjustedP } from '../adjust.ts'
import { sourceOf } from '../compare/method.ts'
import { type MeanBounds, numberSummary } from '../estimates.ts'
import { type Reading, readValue } from '../reading.ts'
import type { Variant } from '../variants.ts'
import type { Batch } from './batch.ts'
import { affordable } from './costs.ts'

/** The variants by one metric, best first by its goal. */
export interface Ranking {
  /** `success`: by the rate of success. */
  readonly metric: string
  readonly goal: Goal
  readonly is_goal_known: boolean
  /** `paired`: blocks were drawn for all variants alike; `independent`: each variant's runs by themselves. */
  readonly method: 'paired' | 'independent' | null
  readonly unit: string
  /** Blocks that every ranked variant has a value for, and the others. */
  readonly blocks_used: number
  readonly blocks_left_out: number
  readonly variations: readonly RankedVariation[]
}

export interface RankedVariation {
  readonly variation_id: number
  readonly description: string
  readonly mean: number | null
  readonly ci: MeanBounds | null
  readonly count: number
  readonly missing: number
  /** The mean over the blocks that all share, which the order follows. */
  readonly mean_on_shared_blocks: number | null
  /** How often it came first when the data were drawn again; null: it could not be ranked. */
  readonly p_best: number | null
  readonly is_tied_with_best: boolean
}

/** More than these, the best by their means, are not resampled: they would share the chance among too many. */
const mostRanked = 100

export function rankVariants(batch: Batch, reading: Reading | null): Ranking {
  const valueIn = reading === null ? successOf(batch) : numberOf(reading)
  const goal = reading?.goal ?? 'maximize'
  const measured = batch.variants.map(variant =>
    measure(batch, variant, valueIn, reading === null || batch.rates.has(reading.metric)),
  )
  const sign = goal === 'maximize' ? -1 : 1
  const byMean = measured
    .filter(({ row }) => row.mean !== null)
    .sort((a, b) => sign * ((a.row.mean ?? 0) - (b.row.mean ?? 0)))
  const ranked = byMean.slice(0, mostRanked)
  const found = paired(batch, ranked, goal) ?? independent(batch, ranked, goal)
  const rest = measured.filter(one => !ranked.includes(one)).sort((a, b) => byMean.indexOf(a) - byMean.indexOf(b))
  const unmeasured = rest.filter(({ row }) => row.mean === null)
  return {
    metric: reading?.metric ?? 'success',
    goal,
    is_goal_known: reading?.isGoalKnown ?? true,
    unit: batch.units.name,
    ...found,
    variations: [
      ...found.variations,
      ...[...rest.filter(({ row }) => row.mean !== null), ...unmeasured].map(({ row }) => row),
    ],
  }
}

type ValueIn = (run: EvidenceRun) => number | null

const successOf =
  ({ judgements }: Batch): ValueIn =>
  run => {
    const judgement = judgements.get(run)
    return judgement === 'success' ? 1 : judgement === 'failure' ? 0 : null
  }

const numberOf =
  (reading: Reading): ValueIn =>
  run => {
    const read = readValue(run, reading)
    return 'value' in read && Number.isFinite(read.value) ? read.value : null
  }

interface Measured {
  readonly row: RankedVariation
  /** Means of its units, which are independent of each other. */
  readonly values: readonly number[]
  readonly byUnit: ReadonlyMap<string, number>
}

function measure(
  { units, estimates }: Batch,
  { id, label, runs }: Variant,
  valueIn: ValueIn,
  isRate: boolean,
): Measured {
  const values: number[] = []
  const of: string[] = []
  const sums = new Map<string, { sum: number; n: number }>()
  for (const run of runs) {
    const value = valueIn(run)
    if (value === null) continue
    const unit = units.of(run)
    values.push(value)
    of.push(unit)
    const total = sums.get(unit) ?? { sum: 0, n: 0 }
    sums.set(unit, total)
    total.sum += value
    total.n++
  }
  const { mean, ci, count } = numberSummary(values, of, { ...estimates, isRate })
  const byUnit = new Map([...sums].map(([unit, { sum, n }]) => [unit, sum / n]))
  return {
    values: [...byUnit.values()],
    byUnit,
    row: {
      variation_id: id,
      description: label,
      mean,
      ci,
      count,
      missing: runs.length - count,
      mean_on_shared_blocks: null,
      p_best: null,
      is_tied_with_best: false,
    },
  }
}

type Found = Pick<Ranking, 'method' | 'blocks_used' | 'blocks_left_out' | 'variations'>

/** On the blocks that all variants have; null where these are too few to speak for the rest. */
function paired(batch: Batch, all: readonly Measured[], goal: Goal): Found | null {
  if (batch.units.name === 'run') return null
  const units = new Set(all.flatMap(({ byUnit }) => [...byUnit.keys()]))
  // One that lacks most blocks would take them from all others too.
  const ranked = all.filter(({ byUnit }) => byUnit.size * 2 >= units.size)
  const shared = [...units].filter(unit => ranked.every(({ byUnit }) => byUnit.has(unit)))
  if (ranked.length < 2 || shared.length < 2 || shared.length * 2 < units.size) return null
  const scores = ranked.map(({ byUnit }) => shared.map(unit => byUnit.get(unit) ?? Number.NaN))
  const systems = rankSystems(scores, { ...drawn(batch), goal, level: 1 - batch.alpha })
  if (!isAvailable(systems)) return null
  const rows = ranked.flatMap(({ row }, at) => {
    const system = systems[at]
    return system === undefined
      ? []
      : [
          {
            rank: system.rank,
            row: {
              ...row,
              mean_on_shared_blocks: system.mean,
              p_best: system.probabilityBest,
              is_tied_with_best: system.isTiedWithBest,
            },
          },
        ]
  })
  return {
    method: 'paired',
    blocks_used: shared.length,
    blocks_left_out: units.size - shared.length,
    variations: [
      ...rows.toSorted((a, b) => a.rank - b.rank).map(({ row }) => row),
      ...all.filter(one => !ranked.includes(one)).map(({ row }) => row),
    ],
  }
}

const drawn = ({ drawing, evidence }: Batch): { readonly random: RandomSource; readonly resamples: number } => ({
  random: sourceOf(drawing),
  resamples: affordable(drawing.resamples, evidence.runs.length),
})

/** Each variant's runs drawn by themselves; tied with the best: Welch's test, corrected, does not tell them apart. */
function independent(batch: Batch, all: readonly Measured[], goal: Goal): Found {
  const [best] = all
  const unranked = { method: null, blocks_used: 0, blocks_left_out: 0 }
  // Of a single value nobody knows how far off it is.
  const ranked = all.filter(({ values }) => values.length > 1)
  if (best === undefined || best !== ranked[0] || ranked.length < 2)
    return { ...unranked, variations: all.map(({ row }) => ({ ...row, is_tied_with_best: true })) }
  const first = new Map(timesFirst(ranked, goal, drawn(batch)).map((share, at) => [ranked[at], share]))
  const tests = all.map(one => {
    const test = one === best ? null : welchTest(one.values, best.values, {})
    return test !== null && isAvailable(test) ? test.p : null
  })
  const adjusted = adjustedP(tests, batch.correction)
  return {
    ...unranked,
    method: 'independent',
    variations: all.map((one, at) => {
      const p = adjusted[at] ?? tests[at] ?? null
      const isTied =
        one === best || one.values.length < 2 || (p === null ? one.row.mean === best.row.mean : p > batch.alpha)
      return { ...one.row, p_best: first.get(one) ?? null, is_tied_with_best: isTied }
    }),
  }
}

function timesFirst(
  ranked: readonly Measured[],
  goal: Goal,
  { random, resamples }: { readonly random: RandomSource; readonly resamples: number },
): readonly number[] {
  const shares = new Float64Array(ranked.length)
  const samples = ranked.map(({ values }) => Float64Array.from(values))
  const chosen = samples.map(values => new Int32Array(values.length))
  const sign = goal === 'maximize' ? 1 : -1
  for (let round = 0; round < resamples; round++) {
    const means = samples.map((values, at) => sign * meanOfDraw(values, chosen[at] ?? new Int32Array(0), random))
    const top = Math.max(...means)
    const winners = means.flatMap((mean, at) => (mean === top ? [at] : []))
    for (const at of winners) shares[at] = (shares[at] ?? 0) + 1 / winners.length
  }
  return Array.from(shares, share => share / resamples)
}

function meanOfDraw(values: Float64Array, chosen: Int32Array, random: RandomSource): number {
  random.fillBelow(values.length, chosen)
  let sum = 0
  for (let at = 0; at < chosen.length; at++) sum += values[chosen[at] ?? 0] ?? 0
  return sum / values.length
}
