import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../../../stats/estimate.ts'
import {
  bootstrapInterval,
  type Interval,
  mean,
  resampleNested,
  resampleValues,
  type Statistic,
  standardDeviation,
  tInference,
} from '../../../stats/index.ts'
import { type ArmUnits, armInterval, crossedWith, intervalOfMean, withinRange } from '../../arm-interval.ts'
import type { Drawing, Method } from '../../choices.ts'
import type { ValueRange } from '../../reading.ts'
import type { ArmSamples } from '../../samples.ts'
import { type ArmSummary, boundsOf } from '../comparison.ts'
import { rowsWith } from '../infer/crossed.ts'
import { crossedStatistic } from '../infer/crossed-statistic.ts'
import { statisticAcross } from '../infer/resampled-difference.ts'
import { areWeighted, type WeightedSamples, weightedArm, weightedMean } from '../infer/weighted.ts'
import { isBinary, sourceOf } from '../method.ts'

interface ArmOptions {
  readonly method: Method
  readonly level: number
  readonly drawing: Drawing
  /** Whether units are shares of successes; they are, unless pass@k is requested. */
  readonly isRate: boolean
  /** No mean of such numbers lies outside it. */
  readonly range: ValueRange
}

/** One arm by itself: its number and interval; by the requested method, otherwise by the same one in every command. */
export function armSummary(samples: ArmSamples, side: 'control' | 'candidate', options: ArmOptions): ArmSummary {
  if (areWeighted(samples)) return weightedSummary(samples, side, options)
  const units = unitsOf(samples, side)
  const statistic = statisticAcross(samples)
  const { interval: found, method } =
    statistic !== undefined
      ? ofStatistic(units, statistic, options, samples.unit)
      : options.method === 'auto'
        ? armInterval(units, options)
        : asked(units, options)
  // A share is never below 0 or above 1, even if a formula for other numbers gives such an end.
  const interval = withinRange(found, samples.isYesNo ? [0, 1] : options.range, samples.isYesNo ? [] : units.means)
  const average = valueOrNull(mean(units.means))
  return {
    n: units.means.length,
    value: statistic === undefined || average === null ? average : statistic(Float64Array.from(units.means)),
    mean: average,
    sd: valueOrNull(standardDeviation(units.means)),
    ci: isAvailable(interval) ? { ...boundsOf(interval), method } : null,
  }
}

function weightedSummary(
  samples: ArmSamples & WeightedSamples,
  side: 'control' | 'candidate',
  { level, range }: ArmOptions,
): ArmSummary {
  const found = valueOrNull(weightedArm(samples, side))
  const average = valueOrNull(weightedMean(samples[side], side, samples.weighting))
  const possible = samples.isYesNo ? ([0, 1] as const) : range
  const bounds =
    found &&
    crossedWith(
      { interval: tInference(found.estimate, found.standardError, found.df, { level }).interval },
      crossedCells(samples, side),
      level,
      { weighted: rowsWith(samples, side, found) },
    ).interval
  const interval = bounds && valueOrNull(withinRange(bounds, possible, samples[side]))
  return {
    n: samples[side].length,
    value: average,
    mean: average,
    sd: valueOrNull(standardDeviation(samples[side])),
    ci: interval && { ...boundsOf(interval), method: 'weighted t' },
  }
}

/** A side of a pair that counts as 0 without having been run counts as one run. */
const unitsOf = (samples: ArmSamples, side: 'control' | 'candidate'): ArmUnits => ({
  means: samples[side],
  runs: samples.runs[side].reduce((sum, runs) => sum + Math.max(1, runs.length), 0),
  lists: samples.lists[side],
  crossed: crossedCells(samples, side),
})

/** The cells in which this arm's units meet the levels of recurring blocks. */
const crossedCells = ({ crossed = [], crossedGroups = [] }: ArmSamples, side: 'control' | 'candidate') =>
  [
    ...crossed.map(({ cells }) => cells.map(cell => ({ row: cell.unit, column: cell.level, value: cell[side] }))),
    ...crossedGroups.map(crossing =>
      crossing[side].cells.map(({ unit, level, value }) => ({ row: unit, column: level, value })),
    ),
  ].filter(cells => cells.length > 0)

interface Found {
  readonly interval: Estimate<Interval>
  readonly method: string
}

function ofStatistic(
  { means, crossed = [] }: ArmUnits,
  statistic: Statistic,
  { method, level, drawing }: ArmOptions,
  unit: string,
): Found {
  const name = method === 'basic' || method === 'bca' ? method : 'percentile'
  const resampling = { random: sourceOf(drawing), resamples: drawing.resamples, statistic }
  const resampled = resampleValues(means, resampling)
  const interval = whenAvailable(resampled, found => bootstrapInterval(found, { method: name, level }))
  if (!isAvailable(resampled) || crossed.length === 0) return { interval, method: name }
  // Pairs whose other side is 0 everywhere differ by this arm's values.
  const alone = {
    control: means.map(() => 0),
    candidate: means,
    pairedBy: [],
    unit,
    keys: [],
    isCounted: false,
    dropped: { control: [], candidate: [], unmatched: [] },
    crossed: crossed.map(cells => ({
      block: '',
      levels: new Set(cells.map(({ column }) => column)).size,
      cells: cells.map(({ row, column, value }) => ({ unit: row, level: column, control: 0, candidate: value })),
    })),
  }
  const ofUnits = { interval, p: 1, test: '', leastP: null }
  const found = crossedStatistic(alone, ofUnits, resampled, statistic, { level, alternative: 'two-sided', drawing })
  return { interval: found.interval, method: name }
}

/** Recurring seeds count in the methods for means, as they do for differences. */
function asked(units: ArmUnits, options: ArmOptions): Found {
  const found = ofUnitsAlone(units, options)
  return ['t', 'studentized', 'wider'].includes(found.method)
    ? crossedWith(found, units.crossed ?? [], options.level)
    : found
}

function ofUnitsAlone({ means, runs, lists }: ArmUnits, { method, level, drawing }: ArmOptions): Found {
  if ((method === 'newcombe' || method === 'score') && means.length > 0 && isBinary(means))
    return armInterval({ means, runs }, { level, drawing, isRate: true })
  if (method === 'nested' && lists !== undefined) {
    const resampling = { random: sourceOf(drawing), resamples: drawing.resamples }
    return {
      interval: whenAvailable(resampleNested(lists, resampling), found => bootstrapInterval(found, { level })),
      method,
    }
  }
  // A permutation test, and an interval for two shares, say nothing about one arm.
  const name = method === 'newcombe' || method === 'score' || method === 'permutation' ? 't' : method
  return { interval: intervalOfMean(means, name, level, drawing), method: name }
}
