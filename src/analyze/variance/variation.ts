import { type Estimate, isAvailable, valueOrNull } from '../../stats/estimate.ts'
import {
  coefficientOfVariation,
  crossedMean,
  cvBound,
  cvCurve,
  cvInterval,
  cvOrderBand,
  type Interval,
  isConstant,
  meanInterval,
  meanOf,
  type Precision,
  precisionCurve,
  runsForHalfWidth,
  standardDeviation,
  varianceComponents,
} from '../../stats/index.ts'
import { armInterval, crossedWith } from '../arm-interval.ts'
import type { Drawing } from '../choices.ts'
import { type Bounds, boundsOf } from '../compare/comparison.ts'
import { sourceOf } from '../compare/method.ts'
import { wordsFor } from '../reading.ts'
import type { ClusteredValues } from './clustered.ts'

/** How one statistic of a run varies between runs; where units such as tasks have several runs, between the means of units. */
export interface RunVariation {
  /** `AUC`, `Derivative`, … */
  readonly name: string
  /** How a series became a number; null: the metric is a number. */
  readonly summary: string | null
  /** Of each run, or the mean of each unit's runs. */
  readonly values: readonly number[]
  readonly mean: number
  /** Between the runs of one unit; null where every run counts for itself. */
  readonly within_sd: number | null
  readonly sd: number | null
  /** The coefficient of variation: sd / |mean|; null if there is none; `reason` says why. */
  readonly cv: number | null
  /** The interval of the true one; a missing bound is null. */
  readonly ci: CvBounds | null
  /** The blocks whose levels recur in all units: the interval and the standard error of the mean allow for other levels. */
  readonly crossed_with: readonly string[]
  /** After the first n runs, in their order. */
  readonly curve: readonly CurvePoint[]
  /** The smallest n from which the upper bound stays below the threshold; null: not within these runs. */
  readonly enough: number | null
  /** The runs at which it would, if the CV is as estimated; null: no number of runs, or it already does. */
  readonly would_be_enough: number | null
  /** The precision of the mean after the first n runs, and after more, with the observed spread. */
  readonly precision: readonly PrecisionPoint[]
  /** Runs for a mean known to ± threshold: expected, and with 90% confidence. */
  readonly runs_for_mean: { readonly runs: number; readonly to_be_sure: number } | null
  /** The answer of “the first N with CV < threshold”. Not reliable: it is only right by luck. */
  readonly first_below: number | null
  /** For a yes-or-no metric: the interval of the share of yes, and the number of yes. */
  readonly share: (Bounds & { readonly yes: number }) | null
  readonly reason: string | null
}

interface CurvePoint {
  readonly n: number
  readonly cv: number | null
  readonly low: number | null
  readonly high: number | null
  /** The range of the CV of n of these runs in other orders (95% of 1000 random ones). */
  readonly other_orders: { readonly low: number; readonly high: number } | null
}

interface PrecisionPoint {
  readonly n: number
  /** Null if these runs are all equal. */
  readonly half_width: number | null
  readonly relative_half_width: number | null
  readonly relative_standard_error: number | null
  /** More runs than there are: by the observed spread. */
  readonly is_forecast: boolean
}

interface VariationOptions {
  readonly threshold: number
  readonly level: number
  readonly drawing: Drawing
}

/** The spread of two runs says next to nothing: by it the mean may nearly always be 0. */
const fewestRuns = 3

const tooFew = 'two runs say too little about it, it takes three'
const yesOrNo = 'yes or no differs by how often it is yes, and the share says that'

type Named = Pick<RunVariation, 'name' | 'summary'>

export function variationOf(
  named: Named,
  found: ClusteredValues,
  options: VariationOptions & { readonly isYesNo: boolean },
): RunVariation {
  if (options.isYesNo) return withoutCv(named, found, options, yesOrNo)
  return found.means.length < fewestRuns && !isConstant(found.means)
    ? withoutCv(named, found, options, tooFew)
    : measured(named, found, options)
}

function withoutCv(
  named: Named,
  found: ClusteredValues,
  { threshold, level, isYesNo }: VariationOptions & { readonly isYesNo: boolean },
  reason: string,
): RunVariation {
  return {
    ...described(named, found),
    cv: null,
    ci: null,
    curve: [],
    enough: null,
    would_be_enough: null,
    precision: isYesNo ? [] : precisionOf(found, level),
    runs_for_mean: null,
    first_below: cvCurve(found.means, threshold).firstBelow,
    share: isYesNo ? shareOf(found, level) : null,
    reason,
  }
}

function described(named: Named, { means, lists, crossed }: ClusteredValues) {
  const components = valueOrNull(varianceComponents(lists))
  const within = components && valueOrNull(components.withinVariance)
  return {
    ...named,
    values: means,
    mean: meanOf(means),
    within_sd: within === null ? null : Math.sqrt(within),
    sd: valueOrNull(standardDeviation(means)),
    crossed_with: crossed.filter(({ cells }) => isAvailable(crossedMean(cells))).map(({ block }) => block),
  }
}

/** Wilson's interval; if units have several runs, for their effective number of independent runs, and including what recurs. */
function shareOf({ means, lists, crossed }: ClusteredValues, level: number): RunVariation['share'] {
  const values = lists.flat()
  const { interval } = armInterval(
    { means, runs: values.length, lists, crossed: crossed.map(({ cells }) => cells) },
    { level, drawing: null, isRate: true },
  )
  const yes = values.filter(value => value === 1).length
  return isAvailable(interval) ? { ...boundsOf(interval), yes } : null
}

function measured(named: Named, found: ClusteredValues, options: VariationOptions): RunVariation {
  const { threshold, level, drawing } = options
  const { means: values, crossed } = found
  const cv = coefficientOfVariation(values)
  const mean = meanOf(values)
  const curve = curveOf(values, level, drawing)
  const last = curve.at(-1)
  const ci = boundsAt(values, level)
  const target = threshold * Math.abs(mean)
  const enough = enoughRuns(values, threshold, level)
  // What recurs in every unit is not averaged out by more units. A share of a mean that may be 0 is nothing to aim at.
  const isAimless = crossed.length > 0 || ci === null || ci.high === null
  return {
    ...described(named, found),
    // Equal results of all runs are no evidence of a CV of 0: the variation was too small to measure.
    cv: isConstant(values) ? null : valueOrNull(cv),
    ci,
    curve,
    enough,
    would_be_enough: enough === null && last?.cv ? runsForBound(last.cv, values.length, threshold, level) : null,
    precision: precisionOf(found, level),
    runs_for_mean: isAimless ? null : runsForMean(values, target, level),
    first_below: cvCurve(values, threshold).firstBelow,
    share: null,
    reason: reasonFor(values, cv),
  }
}

function runsForMean(values: readonly number[], target: number, level: number): RunVariation['runs_for_mean'] {
  const found = runsForHalfWidth(values, target, { level })
  return isAvailable(found) ? { runs: found.runs, to_be_sure: found.runsToBeSure } : null
}

function reasonFor(values: readonly number[], cv: Estimate<number>): string | null {
  if (!isAvailable(cv)) return wordsFor(cv.unavailable)
  return isConstant(values) ? 'zero variance' : null
}

function curveOf(values: readonly number[], level: number, drawing: Drawing): readonly CurvePoint[] {
  const orders = cvOrderBand(values, { random: sourceOf(drawing) })
  return values.map((_, at) => {
    const first = values.slice(0, at + 1)
    const bounds = boundsAt(first, level)
    const band = orders[at]
    return {
      n: at + 1,
      cv: valueOrNull(coefficientOfVariation(first)),
      low: bounds?.low ?? null,
      high: bounds?.high ?? null,
      other_orders: band !== undefined && isAvailable(band) ? { low: band.low, high: band.high } : null,
    }
  })
}

/** More repetitions are unrealistic. */
const mostRuns = 100_000

/**
 * The smallest number of runs whose upper bound would be below the threshold with this CV: it falls as runs are added.
 */
function runsForBound(cv: number, have: number, threshold: number, level: number): number | null {
  if (cv >= threshold) return null
  const isEnough = (runs: number): boolean => cvBound(cv, runs, (1 - level) / 2) < threshold
  if (!isEnough(mostRuns)) return null
  let low = have
  let high = mostRuns
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

/** After n of these runs by those alone, as the CV beside it; beyond them by the spread of all. */
export function precisionOf({ means: values, crossed }: ClusteredValues, level: number): readonly PrecisionPoint[] {
  const forecast = precisionCurve(values, { level })
  if (!isAvailable(forecast)) return []
  // How much levels that recur in all units move the mean of more units can't be said by the spread of units.
  const shown = crossed.length === 0 ? forecast : forecast.filter(({ runs }) => runs <= values.length)
  return shown.map(point => {
    const isForecast = point.runs > values.length
    const own = isForecast ? point : precisionAfter(values.slice(0, point.runs), level)
    const larger = own === null ? unchanged : largerBy(values.slice(0, point.runs), crossed, level)
    const times = (by: number, value: number | null): number | null => (value === null ? null : by * value)
    return {
      n: point.runs,
      half_width: times(larger.width, own?.halfWidth ?? null),
      relative_half_width: times(larger.width, own === null ? null : valueOrNull(own.relativeHalfWidth)),
      relative_standard_error: times(larger.error, own === null ? null : valueOrNull(own.relativeStandardError)),
      is_forecast: isForecast,
    }
  })
}

const unchanged = { width: 1, error: 1 }

/**
 * How many times as large the interval and the standard error of the mean of the first units are because the same
 * levels recur in all of them.
 */
function largerBy(first: readonly number[], crossed: ClusteredValues['crossed'], level: number): typeof unchanged {
  const interval = meanInterval(first, level)
  const sd = standardDeviation(first)
  if (crossed.length === 0 || !isAvailable(interval) || !isAvailable(sd)) return unchanged
  const cells = crossed.map(all => all.cells.filter(({ row }) => row < first.length))
  const both = crossedWith({ interval }, cells, level).interval
  const errors = cells.map(own => crossedMean(own)).filter(isAvailable)
  const error = sd / Math.sqrt(first.length)
  return {
    width: isAvailable(both) ? Math.max(1, widthOf(both) / widthOf(interval)) : 1,
    error: Math.max(1, ...errors.map(({ standardError }) => standardError / error)),
  }
}

const widthOf = ({ low, high }: Interval): number => high - low

/** Null if these runs are all equal. */
function precisionAfter(values: readonly number[], level: number): Precision | null {
  const curve = precisionCurve(values, { level, upTo: values.length })
  return isAvailable(curve) ? (curve.at(-1) ?? null) : null
}

/** The interval of the true coefficient of variation; a missing bound is null. */
interface CvBounds {
  readonly level: number
  readonly low: number
  readonly high: number | null
  readonly method: 'vangel' | 'exact'
}

/** Equal values give no bounds: two or three equal ones are luck, not a CV of 0. */
function boundsAt(values: readonly number[], level: number): CvBounds | null {
  const interval = values.length < 2 || isConstant(values) ? null : valueOrNull(cvInterval(values, level))
  if (interval === null) return null
  return {
    level,
    low: interval.low,
    high: Number.isFinite(interval.high) ? interval.high : null,
    method: interval.method,
  }
}

/**
 * The smallest number of runs from which the upper bound stays below the threshold; null if it does not with all of
 * them. The first at which it happens to be below would be one look of many, and wrong more often than the level says.
 */
export function enoughRuns(values: readonly number[], threshold: number, level: number): number | null {
  let runs = values.length
  while (runs > 1 && isUnder(values.slice(0, runs), threshold, level)) runs--
  return runs === values.length ? null : runs + 1
}

function isUnder(values: readonly number[], threshold: number, level: number): boolean {
  const high = boundsAt(values, level)?.high ?? null
  return high !== null && high < threshold
}
