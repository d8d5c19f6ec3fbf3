import { levelOf } from '../../../define/observation.ts'
import { isAvailable } from '../../../stats/estimate.ts'
import { clusteredSuperiority, mannWhitneyExact, mannWhitneyNormal, meanOf, signTest } from '../../../stats/index.ts'
import { adjustedP } from '../../adjust.ts'
import type { Bounds } from '../../compare/comparison.ts'
import { readValue, wordsFor } from '../../reading.ts'
import { type Batch, judgedRuns } from '../batch.ts'
import { levelCount, mostLevels } from './factor-contrasts.ts'

/** Whether a number of the run correlates with success. It was measured, not set, so it does not show a cause. */
export interface Association {
  readonly name: string
  readonly kind: 'metric' | 'factor'
  /** How often a successful run has the higher value, of all pairs with a failed one; ½: no relation. */
  readonly probability_higher: number | null
  readonly ci: Bounds | null
  readonly p: number | null
  readonly p_adjusted: number | null
  readonly n: { readonly success: number; readonly failure: number }
  readonly is_shown: boolean
  readonly exploratory: true
  readonly reason: string | null
}

/** Every metric that the rule does not read, and every factor with too many levels to test one by one. */
export function associations(batch: Batch): readonly Association[] {
  const judged = judgedRuns(batch, batch.evidence.runs)
  const unitOf = batch.units.ofAll(judged.map(({ run }) => run))
  const numbers: { readonly name: string; readonly kind: Association['kind']; valueAt(at: number): number | null }[] = [
    ...batch.readings
      .filter(({ metric }) => !batch.rule.metrics.has(metric))
      .map(reading => ({
        name: reading.metric,
        kind: 'metric' as const,
        valueAt: (at: number) => numberOf(judged[at] && readValue(judged[at].run, reading)),
      })),
    ...batch.evidence.factors
      .filter(factor => levelCount(batch.evidence.runs, factor) > mostLevels)
      .map(factor => ({
        name: factor,
        kind: 'factor' as const,
        valueAt: (at: number) => {
          const level = judged[at] && levelOf(judged[at].run, factor)
          return typeof level === 'number' ? level : null
        },
      })),
  ]
  const drafts = numbers.map(({ name, kind, valueAt }) => {
    const sides: Record<'success' | 'failure', Side> = {
      success: { values: [], clusters: [] },
      failure: { values: [], clusters: [] },
    }
    judged.forEach(({ isSuccess }, at) => {
      const value = valueAt(at)
      if (value === null) return
      const side = sides[isSuccess ? 'success' : 'failure']
      side.values.push(value)
      side.clusters.push(unitOf[at] ?? '')
    })
    return { name, kind, ...related(sides.success, sides.failure, batch.alpha) }
  })
  const adjusted = adjustedP(
    drafts.map(({ p }) => p),
    batch.correction,
  )
  return drafts.map((draft, index) => {
    const p_adjusted = adjusted[index] ?? null
    const p = p_adjusted ?? draft.p
    return { ...draft, p_adjusted, is_shown: p !== null && p <= batch.alpha, exploratory: true }
  })
}

const numberOf = (read: ReturnType<typeof readValue> | undefined): number | null =>
  read !== undefined && 'value' in read && Number.isFinite(read.value) ? read.value : null

/** Fewer units show too little about how the estimate varies. */
const fewestUnits = 5

interface Side {
  readonly values: number[]
  readonly clusters: string[]
}

type Related = Pick<Association, 'probability_higher' | 'ci' | 'p' | 'n' | 'reason'>

/** Runs of one unit are similar, so units are counted; a metric that only follows the seed then shows nothing. */
function related(success: Side, failure: Side, alpha: number): Related {
  const n = { success: success.values.length, failure: failure.values.length }
  const nothing = { probability_higher: null, ci: null, p: null, n }
  if (n.success === 0 || n.failure === 0) return { ...nothing, reason: 'measured on one side only' }
  if (new Set([...success.clusters, ...failure.clusters]).size < fewestUnits)
    return { ...nothing, reason: 'too few units' }
  const found = clusteredSuperiority(success, failure, 1 - alpha)
  if (!isAvailable(found))
    return found.unavailable === 'no_overlap'
      ? withoutOverlap(success, failure, n)
      : { ...nothing, reason: wordsFor(found.unavailable) }
  const { estimate, interval, p } = found
  const ci = { level: interval.level, low: Math.max(0, interval.low), high: Math.min(1, interval.high) }
  return { probability_higher: estimate, ci, p, n, reason: null }
}

/**
 * If all values of one side are above all of the other, there is no spread: then the units with both are counted like
 * votes.
 */
function withoutOverlap(success: Side, failure: Side, n: Related['n']): Related {
  const means = (side: Side) => {
    const byUnit = Map.groupBy(side.values.keys(), at => side.clusters[at] ?? '')
    return new Map([...byUnit].map(([unit, own]) => [unit, meanOf(own.map(at => side.values[at] ?? 0))]))
  }
  const [ofSuccess, ofFailure] = [means(success), means(failure)]
  const differences = [...ofSuccess].flatMap(([unit, mean]) => {
    const other = ofFailure.get(unit)
    return other === undefined ? [] : [mean - other]
  })
  const isHigher = (success.values[0] ?? 0) > (failure.values[0] ?? 0)
  const areAlone = ofSuccess.size + ofFailure.size === n.success + n.failure && differences.length === 0
  return {
    probability_higher: isHigher ? 1 : 0,
    ci: null,
    p: areAlone ? rankSumP(success, failure) : votingP(differences),
    n,
    reason: 'no overlap',
  }
}

function votingP(differences: readonly number[]): number | null {
  const test = signTest({ values: differences, rounding: 0 })
  return isAvailable(test) ? test.p.twoSided : null
}

function rankSumP(success: Side, failure: Side): number | null {
  const isSmall = success.values.length + failure.values.length <= 40
  const exact = isSmall ? mannWhitneyExact(success.values, failure.values) : null
  if (exact !== null && isAvailable(exact)) return exact.p.twoSided
  const found = mannWhitneyNormal(success.values, failure.values)
  return isAvailable(found) ? found.p : null
}
