import type { Observation } from '../../define/observation.ts'
import { isAvailable, type Reason } from '../../stats/estimate.ts'
import { costPerSuccess } from '../../stats/index.ts'
import { type Bounds, boundsOf } from '../compare/comparison.ts'
import { sourceOf } from '../compare/method.ts'
import { wordsFor } from '../reading.ts'
import { type Batch, spentOn, worthOf } from './batch.ts'

/**
 * The cost of runs at list price, including failures and attempts without a result. The first four keys are those of
 * Scenario Lab.
 */
export interface CostStatistics {
  readonly total: number | null
  readonly mean: number | null
  readonly min: number | null
  readonly max: number | null
  /** The amount paid: less if runs used cached answers. */
  readonly paid: number | null
  /** Runs with known and with unknown cost: an unknown cost never counts as 0. */
  readonly known: number
  readonly missing: number
  /** Runs whose cost is partly a conservative guess. */
  readonly assumed: number
}

export interface CostPerSuccess {
  readonly value: number | null
  readonly ci: Bounds | null
  readonly reason: string | null
}

export function costStatistics(runs: readonly Observation[]): CostStatistics {
  const spent = runs.flatMap(run => worthOf(run) ?? [])
  const paid = runs.flatMap(run => spentOn(run) ?? [])
  const total = spent.reduce((sum, { usd }) => sum + usd, 0)
  const isKnown = spent.length > 0
  return {
    total: isKnown ? total : null,
    mean: isKnown ? total / spent.length : null,
    min: isKnown ? spent.reduce((least, { usd }) => Math.min(least, usd), Number.POSITIVE_INFINITY) : null,
    max: isKnown ? spent.reduce((most, { usd }) => Math.max(most, usd), 0) : null,
    paid: paid.length === 0 ? null : paid.reduce((sum, { usd }) => sum + usd, 0),
    known: spent.length,
    missing: runs.length - spent.length,
    assumed: spent.filter(({ isAssumed }) => isAssumed).length,
  }
}

/** The cost of all runs divided by the number of successes, over runs with known cost. */
export function costPerSuccessOf(batch: Batch, runs: readonly Observation[]): CostPerSuccess {
  const { alpha, drawing, evidence } = batch
  const known = sumsByUnit(batch, runs)
  if (known.length === 0) return { value: null, ci: null, reason: 'no costs are recorded' }
  const found = costPerSuccess(
    known.map(({ usd }) => usd),
    known.map(({ successes }) => successes),
    { random: sourceOf(drawing), resamples: affordable(drawing.resamples, evidence.runs.length), level: 1 - alpha },
  )
  if (!isAvailable(found)) return { value: null, ci: null, reason: 'no run with a known cost succeeded' }
  const { estimate, interval } = found
  return isAvailable(interval)
    ? { value: estimate, ci: boundsOf(interval), reason: null }
    : { value: estimate, ci: null, reason: intervalReason(interval.unavailable) }
}

/** Runs of one unit are alike, so whole units are resampled, with all their costs and successes. */
function sumsByUnit({ judgements, units }: Batch, runs: readonly Observation[]) {
  const sums = new Map<string, { usd: number; successes: number }>()
  for (const run of runs) {
    const spent = worthOf(run)
    if (spent === null) continue
    const unit = units.of(run)
    const sum = sums.get(unit) ?? { usd: 0, successes: 0 }
    sums.set(unit, sum)
    sum.usd += spent.usd
    if (judgements.get(run) === 'success') sum.successes++
  }
  return [...sums.values()]
}

function intervalReason(reason: Reason): string {
  if (reason === 'unbounded') return 'so few succeeded that the cost of one has no upper bound'
  return reason === 'zero_variance' ? 'every unit cost the same per success' : wordsFor(reason)
}

/** With many runs fewer resamples are enough: the ends of an interval are then precise. */
export const affordable = (resamples: number, runs: number): number =>
  Math.min(resamples, Math.max(1000, Math.round(1e7 / Math.max(1, runs))))
