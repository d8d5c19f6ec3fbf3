import type { Observation } from '../../../define/observation.ts'
import { isAvailable } from '../../../stats/estimate.ts'
import { type Goal, placeRanges, type RandomSource, rankSystems, steadyWelchTest } from '../../../stats/index.ts'
import { counted, plural, separated, unitWord } from '../../../util/words.ts'
import { adjustedP } from '../../adjust.ts'
import { fewUnits, sourceOf } from '../../compare/method.ts'
import { type Reading, readValue, wordsFor } from '../../reading.ts'
import { type MeanBounds, numberSummary, type Variant } from '../../variants.ts'
import type { Batch } from '../batch.ts'
import { affordable } from '../costs.ts'
import { variantMetric } from '../variant-metric.ts'
import { type FriedmanFinding, friedmanOf } from './friedman.ts'
import { tiesOnFewBlocks } from './ties-on-few-blocks.ts'

/** The variants by one metric, best first by its goal. */
export interface Ranking {
  /** `success`: the success rate. */
  readonly metric: string
  readonly goal: Goal
  readonly is_goal_known: boolean
  /** `paired`: blocks were resampled for all variants together; `independent`: each variant's runs separately. */
  readonly method: 'paired' | 'independent' | null
  /** Why no variant can be called best; null: one can, or there is nothing to rank. */
  readonly reason: string | null
  readonly unit: string
  /** Blocks in which every ranked variant has a value, and the others. */
  readonly blocks_used: number
  readonly blocks_left_out: number
  /** Whether the blocks agree on any order, by ranks alone; null for fewer than three variants or two blocks. */
  readonly friedman: FriedmanFinding | null
  readonly variations: readonly RankedVariation[]
}

export interface RankedVariation {
  readonly variation_id: number
  readonly description: string
  readonly mean: number | null
  readonly ci: MeanBounds | null
  readonly count: number
  readonly missing: number
  /** The mean over the shared blocks, which determines the order. */
  readonly mean_on_shared_blocks: number | null
  /** 1 is best; and the ranks that it may have, for all variants together. Null: they share no blocks. */
  readonly rank: number | null
  readonly rank_ci: { readonly level: number; readonly low: number; readonly high: number } | null
  /** How often it came first in the resamples; null: it could not be ranked. */
  readonly p_best: number | null
  readonly is_tied_with_best: boolean
}

/** Beyond this number only the best by their means are resampled: more would divide the probability too finely. */
const mostRanked = 100

export function rankVariants(batch: Batch, reading: Reading | null): Ranking {
  const goal = reading?.goal ?? 'maximize'
  const measured = batch.variants.map(variant => measure(batch, variant, reading))
  const sign = goal === 'maximize' ? -1 : 1
  const byMean = measured
    .filter(({ row }) => row.mean !== null)
    .sort((a, b) => sign * ((a.row.mean ?? 0) - (b.row.mean ?? 0)))
  // If variants share blocks, a block that one of them lacks may be a hard one: then its mean is not comparable.
  const found = shareBlocks(batch)
    ? paired(batch, measured, byMean, goal)
    : independent(batch, byMean.slice(0, mostRanked), goal)
  const placed = new Set(found.variations.map(({ variation_id }) => variation_id))
  const unmeasured = measured.filter(({ row }) => row.mean === null)
  const rest = [...byMean, ...unmeasured].map(({ row }) => row).filter(({ variation_id }) => !placed.has(variation_id))
  return {
    metric: reading?.metric ?? 'success',
    goal,
    is_goal_known: reading?.isGoalKnown ?? true,
    unit: batch.units.name,
    ...found,
    variations: [...found.variations, ...rest],
  }
}

/** Whether some block was run with several variants; otherwise each has its own blocks, and nothing is paired. */
function shareBlocks({ units, variants }: Batch): boolean {
  if (units.name === 'run') return false
  const seen = new Set<string>()
  return variants.some(({ runs }) => {
    const own = new Set(runs.map(run => units.of(run)))
    const isShared = [...own].some(unit => seen.has(unit))
    for (const unit of own) seen.add(unit)
    return isShared
  })
}

type ValueIn = (run: Observation) => number | null

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

function measure(batch: Batch, variant: Variant, reading: Reading | null): Measured {
  const { id, label, runs } = variant
  const valueIn = reading === null ? successOf(batch) : numberOf(reading)
  const values: number[] = []
  const of: string[] = []
  const sums = new Map<string, { sum: number; n: number }>()
  for (const run of runs) {
    const value = valueIn(run)
    if (value === null) continue
    const unit = batch.units.of(run)
    values.push(value)
    of.push(unit)
    const total = sums.get(unit) ?? { sum: 0, n: 0 }
    sums.set(unit, total)
    total.sum += value
    total.n++
  }
  const { mean, ci, count } =
    reading === null
      ? numberSummary(values, of, { level: 1 - batch.alpha, drawing: null, isRate: true })
      : variantMetric(batch, variant, reading)
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
      rank: null,
      rank_ci: null,
      p_best: null,
      is_tied_with_best: false,
    },
  }
}

/** The remaining variants follow these. */
type Found = Pick<Ranking, 'method' | 'reason' | 'blocks_used' | 'blocks_left_out' | 'friedman' | 'variations'>

/** On the blocks that all variants have; nothing is ranked if these are too few to represent the rest. */
function paired(batch: Batch, measured: readonly Measured[], byMean: readonly Measured[], goal: Goal): Found {
  const units = new Set(measured.flatMap(({ byUnit }) => [...byUnit.keys()]))
  // A variant without most of the blocks would exclude them for all others too.
  const ranked = byMean.filter(({ byUnit }) => byUnit.size * 2 >= units.size).slice(0, mostRanked)
  const shared = [...units].filter(unit => ranked.every(({ byUnit }) => byUnit.has(unit)))
  const unranked = (reason: string | null): Found => ({
    method: null,
    reason,
    blocks_used: 0,
    blocks_left_out: units.size,
    friedman: null,
    variations: ranked.map(({ row }) => row),
  })
  const word = unitWord(batch.units.name)
  if (units.size === 0) return unranked(null)
  if (ranked.length < 2)
    return unranked(
      `${ranked.length === 0 ? 'no variant has' : 'only one variant has'} a value for half of the ${counted(units.size, word)} or more${lacking(measured, units.size)}`,
    )
  if (shared.length < 2 || shared.length * 2 < units.size)
    return unranked(
      `only ${shared.length} of ${counted(units.size, word)} have a value of every variant${lacking(ranked, units.size)}`,
    )
  const scores = ranked.map(({ byUnit }) => shared.map(unit => byUnit.get(unit) ?? Number.NaN))
  const level = 1 - batch.alpha
  const systems = rankSystems(scores, { ...drawn(batch), goal, level })
  if (!isAvailable(systems))
    return unranked(`the values of the ${plural(word)} can't be compared: ${wordsFor(systems.unavailable)}`)
  const places = placeRanges(goal === 'maximize' ? scores : scores.map(own => own.map(value => -value)), level)
  const best = systems.reduce((first, { rank }, at) => (rank < (systems[first]?.rank ?? rank) ? at : first), 0)
  const tied =
    shared.length < fewUnits
      ? tiesOnFewBlocks(scores, best, batch)
      : systems.map(({ isTiedWithBest }) => isTiedWithBest)
  const rows = ranked.map(({ row }, at) => ({
    rank: systems[at]?.rank ?? Number.NaN,
    row: {
      ...row,
      mean_on_shared_blocks: systems[at]?.mean ?? null,
      rank: systems[at]?.rank ?? null,
      rank_ci: isAvailable(places)
        ? { level, low: places[at]?.low ?? 1, high: places[at]?.high ?? ranked.length }
        : null,
      p_best: systems[at]?.probabilityBest ?? null,
      is_tied_with_best: tied[at] ?? false,
    },
  }))
  return {
    method: 'paired',
    reason: null,
    blocks_used: shared.length,
    blocks_left_out: units.size - shared.length,
    friedman: friedmanOf(
      scores,
      ranked.map(({ row }) => row.variation_id),
      { goal, alpha: batch.alpha },
    ),
    variations: rows.toSorted((a, b) => a.rank - b.rank).map(({ row }) => row),
  }
}

/** ` (arm=b lacks 22)`: the variants with missing blocks, those with most first. */
function lacking(variants: readonly Measured[], blocks: number): string {
  const short = variants
    .map(({ row, byUnit }) => ({ label: row.description, lacks: blocks - byUnit.size }))
    .filter(({ lacks }) => lacks > 0)
    .toSorted((a, b) => b.lacks - a.lacks)
    .map(({ label, lacks }) => `${label} lacks ${lacks}`)
  return short.length === 0 ? '' : ` (${separated(short)})`
}

const drawn = ({ drawing, evidence }: Batch): { readonly random: RandomSource; readonly resamples: number } => ({
  random: sourceOf(drawing),
  resamples: affordable(drawing.resamples, evidence.runs.length),
})

/**
 * Resamples each variant's runs separately; tied with the best if Welch's test, corrected, does not distinguish them.
 */
function independent(batch: Batch, all: readonly Measured[], goal: Goal): Found {
  const [best] = all
  const unranked = { method: null, reason: null, blocks_used: 0, blocks_left_out: 0, friedman: null }
  // A single value gives no estimate of its error.
  const ranked = all.filter(({ values }) => values.length > 1)
  if (best === undefined || best !== ranked[0] || ranked.length < 2)
    return { ...unranked, variations: all.map(({ row }) => ({ ...row, is_tied_with_best: true })) }
  const first = new Map(timesFirst(ranked, goal, drawn(batch)).map((share, at) => [ranked[at], share]))
  const tests = all.map(one => {
    const test = one === best ? null : steadyWelchTest(one.values, best.values, {})
    return test !== null && isAvailable(test) ? test.p : null
  })
  const adjusted = adjustedP(tests, batch.correction, tests.length - 1)
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
