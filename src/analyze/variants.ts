import { type Evidence, levelOf, type Observation } from '../define/observation.ts'
import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../stats/estimate.ts'
import {
  clusteredError,
  clusteredInterval,
  type Interval,
  meanOf,
  sortedQuantile,
  standardDeviation,
  wilsonInterval,
} from '../stats/index.ts'
import { canonicalJson, type JsonObject } from '../util/json.ts'
import { levelText } from '../util/words.ts'
import { type ArmInterval, armInterval, crossedWith, withinRange } from './arm-interval.ts'
import type { Drawing } from './choices.ts'
import { type Bounds, boundsOf } from './compare/comparison.ts'
import { isYesNoMetric, possibleMeans, type Reading, readValue, type ValueRange, wordsFor } from './reading.ts'
import { cellsOfValues } from './units/crossing.ts'
import { byUnitName } from './units/unit-order.ts'
import { type Units, unitsOf } from './units/units.ts'

/** One choice of level for every factor, with its runs. */
export interface Variant {
  /** From 1, in the order in which the levels were written; if runs are called `var-003-run-001`, that number. */
  readonly id: number
  /** `model=large, size=long`: the varying factors. */
  readonly label: string
  /** Every factor that applies. */
  readonly levels: JsonObject
  readonly runs: readonly Observation[]
}

/** One metric over a variant's runs; runs without a value are counted, by reason. */
export interface VariantMetric extends NumberSummary {
  readonly missing: number
  readonly missing_reasons: { readonly [reason: string]: number }
}

export function variantsOf(evidence: Evidence): readonly Variant[] {
  const { factors, runs } = evidence
  const places = factors.map(factor => placesOf(evidence, factor))
  const groups = new Map<string, { readonly place: readonly number[]; readonly runs: Observation[] }>()
  for (const run of runs) {
    const place = factors.map((factor, at) => places[at]?.get(canonicalJson(levelOf(run, factor))) ?? -1)
    const key = place.join()
    const group = groups.get(key) ?? { place, runs: [] }
    groups.set(key, group)
    group.runs.push(run)
  }
  const sorted = [...groups.values()].sort((a, b) => compareLists(a.place, b.place))
  const varying = factors.filter((_, at) => new Set(sorted.map(({ place }) => place[at])).size > 1)
  const numbers = givenNumbers(sorted)
  return sorted.map((group, index) => {
    const levels = levelsOfRun(group.runs[0], factors)
    return { id: numbers?.[index] ?? index + 1, label: labelFor(levels, varying), levels, runs: group.runs }
  })
}

/** A metric of every variant, each with its own interval. */
export function variantMetrics(
  evidence: Evidence,
  variants: readonly Variant[],
  reading: Reading,
  options: Omit<EstimateOptions, 'isRate'>,
): readonly VariantMetric[] {
  const units = unitsOf(evidence)
  const isRate = isYesNoMetric(evidence.runs, reading)
  return variants.map(({ runs }) => metricOf(runs, reading, units, { ...options, isRate }))
}

/** The same for any runs. */
export function metricOf(
  runs: readonly Observation[],
  reading: Reading,
  units: Units,
  options: EstimateOptions,
): VariantMetric {
  const values: number[] = []
  const of: string[] = []
  const insideAll = units.insideAll(runs)
  const inside = insideAll.map((): string[] => [])
  const reasons: Record<string, number> = {}
  const unitOf = units.ofAll(runs)
  for (const [at, run] of runs.entries()) {
    const read = readValue(run, reading)
    if ('value' in read && Number.isFinite(read.value)) {
      values.push(read.value)
      of.push(unitOf[at] ?? '')
      for (const [block, levels] of insideAll.entries()) inside[block]?.push(levels[at] ?? '')
    } else {
      const reason = 'problem' in read ? read.problem : `the value is ${read.value}`
      reasons[reason] = (reasons[reason] ?? 0) + 1
    }
  }
  return {
    ...numberSummary(values, of, { ...options, range: possibleMeans(reading), inside }),
    missing: runs.length - values.length,
    missing_reasons: reasons,
  }
}

/** The position of each level among those that were written; others follow in order of appearance. */
function placesOf({ levels, runs }: Evidence, factor: string): ReadonlyMap<string, number> {
  const texts = (levels[factor] ?? []).map(level => canonicalJson(level))
  const seen = new Set([...texts, ...runs.map(run => canonicalJson(levelOf(run, factor)))])
  return new Map([...seen].map((text, place) => [text, place]))
}

function levelsOfRun(run: Observation | undefined, factors: readonly string[]): JsonObject {
  if (run === undefined) return {}
  const entries = factors.map(factor => [factor, levelOf(run, factor)] as const)
  return Object.fromEntries(entries.filter(([, level]) => level !== null))
}

function labelFor(levels: JsonObject, varying: readonly string[]): string {
  const parts = varying.flatMap(name => {
    const level = levels[name]
    return level === undefined ? [] : [`${name}=${levelText(level)}`]
  })
  return parts.length === 0 ? 'Base configuration' : parts.join(', ')
}

/** The numbers in the runs' names, if every variant has one and no other variant has the same. */
function givenNumbers(groups: readonly { readonly runs: readonly Observation[] }[]): readonly number[] | null {
  const numbers = groups.map(({ runs }) => {
    const own = new Set(runs.map(run => /^var-(\d+)-run-\d+$/.exec(run.name)?.[1]))
    const [only] = own
    return own.size === 1 && only !== undefined ? Number(only) : null
  })
  return numbers.every(number => number !== null) && new Set(numbers).size === numbers.length ? numbers : null
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value - (b[index] ?? 0)
  return 0
}

/** A summary of numbers, and the precision of their mean. Plain data: null if there is no value. */
export interface NumberSummary {
  readonly count: number
  readonly mean: number | null
  readonly median: number | null
  readonly min: number | null
  readonly max: number | null
  readonly stdev: number | null
  readonly ci: MeanBounds | null
  /** Why there is no interval. */
  readonly reason: string | null
}

export interface MeanBounds extends Bounds {
  readonly method: ArmInterval['method'] | 'clustered t'
}

export interface RateSummary {
  readonly successes: number
  readonly n: number
  readonly rate: number | null
  readonly ci: MeanBounds | null
}

export interface EstimateOptions {
  readonly level: number
  /** null: only formulas, if there is too much data to resample. */
  readonly drawing: Drawing | null
  /** Whether the metric is 0 or 1 wherever it was measured: some of its values alone can't show that. */
  readonly isRate: boolean
  /** No mean lies outside it. */
  readonly range?: ValueRange
  /** For each other block the level of every value: recurring levels shift all units. */
  readonly inside?: readonly (readonly string[])[]
}

/** `units[i]` is the unit of `values[i]`: values of one unit are not independent. */
export function numberSummary(
  values: readonly number[],
  units: readonly string[],
  options: EstimateOptions,
): NumberSummary {
  if (values.length === 0) return nothing
  const ordered = Float64Array.from(values).sort()
  const { interval: found, method } = meanBounds(values, units, options)
  const interval = options.range === undefined ? found : withinRange(found, options.range, values)
  return {
    count: values.length,
    mean: finiteOrNull(meanOf(values)),
    median: sortedQuantile(ordered, 0.5),
    min: ordered[0] ?? null,
    max: ordered.at(-1) ?? null,
    stdev: valueOrNull(standardDeviation(values)),
    ci: isAvailable(interval) ? { ...boundsOf(interval), method } : null,
    reason: isAvailable(interval) ? null : wordsFor(interval.unavailable),
  }
}

/** The sum of values close to the largest possible number is infinite. */
const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

const nothing: NumberSummary = {
  count: 0,
  mean: null,
  median: null,
  min: null,
  max: null,
  stdev: null,
  ci: null,
  reason: 'no data',
}

export function rateSummary(flags: readonly boolean[], units: readonly string[], level: number): RateSummary {
  const values = flags.map(Number)
  const successes = flags.filter(Boolean).length
  const n = flags.length
  if (n === 0) return { successes, n, rate: null, ci: null }
  const { interval, method } = meanBounds(values, units, { level, drawing: null, isRate: true })
  return {
    successes,
    n,
    rate: successes / n,
    ci: isAvailable(interval) ? { ...boundsOf(interval), method } : null,
  }
}

/**
 * The interval of a mean over runs. If all units have the same number of runs, units are averaged first and the
 * interval is that of any arm; otherwise runs count, and those of one unit as similar.
 */
function meanBounds(
  values: readonly number[],
  units: readonly string[],
  options: EstimateOptions,
): { readonly interval: Estimate<Interval>; readonly method: MeanBounds['method'] } {
  const byUnit = Map.groupBy(values.keys(), at => units[at] ?? '')
  // Only resampling depends on the order.
  const names = options.drawing === null ? [...byUnit.keys()] : [...byUnit.keys()].sort(byUnitName)
  const lists = names.map(name => (byUnit.get(name) ?? []).map(at => values[at] ?? Number.NaN))
  // A single unit can't be compared with others, so its runs are used.
  if (lists.length === 1) return armInterval({ means: values, runs: values.length }, options)
  const crossed = (options.inside ?? []).flatMap(levels => {
    const cells = cellsOfValues(values, units, levels)
    return cells === null ? [] : [cells]
  })
  if (lists.every(list => list.length === lists[0]?.length))
    return armInterval({ means: lists.map(meanOf), runs: values.length, crossed }, options)
  if (options.isRate)
    return crossedWith(unequalRate(values, units, options.level), crossed, options.level, { least: 0, most: 1 })
  return crossedWith(
    {
      interval: whenAvailable(clusteredError(values, units), error => clusteredInterval(error, options.level)),
      method: 'clustered t' as const,
    },
    crossed,
    options.level,
  )
}

/** For the effective number of independent runs (Kish 1965). */
function unequalRate(
  values: readonly number[],
  units: readonly string[],
  level: number,
): ReturnType<typeof meanBounds> {
  const share = meanOf(values)
  const size = whenAvailable(clusteredError(values, units), error => error.effectiveSize)
  // All values are equal, so there is no spread to estimate from: each unit counts once.
  const worth = isAvailable(size) ? Math.min(values.length, size) : new Set(units).size
  return {
    interval: wilsonInterval({ successes: share * worth, n: worth }, level),
    method: 'wilson on the effective size',
  }
}
