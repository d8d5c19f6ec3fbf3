import { type Evidence, levelOf, type Observation } from '../define/observation.ts'
import { canonicalJson, type Json, type JsonObject } from '../util/json.ts'
import { isBinary } from './compare/method.ts'
import { type EstimateOptions, type NumberSummary, numberSummary } from './estimates.ts'
import { leastMean, type Reading, readValue } from './reading.ts'
import { type Units, unitsOf } from './units/units.ts'

/** One choice of level for every factor, with its runs. */
export interface Variant {
  /** From 1, in the order in which the levels were written; where runs are called `var-003-run-001`, that number. */
  readonly id: number
  /** `model=large, size=long`: the factors that vary. */
  readonly label: string
  /** Every factor that applies. */
  readonly levels: JsonObject
  readonly runs: readonly Observation[]
}

/** What a variant's runs say about one metric; runs without a value are counted, by reason. */
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

/** A metric of every variant, each with an interval of its own. */
export function variantMetrics(
  evidence: Evidence,
  variants: readonly Variant[],
  reading: Reading,
  options: Omit<EstimateOptions, 'isRate'>,
): readonly VariantMetric[] {
  const units = unitsOf(evidence)
  const isRate = isRateMetric(evidence.runs, reading)
  return variants.map(({ runs }) => metricOf(runs, reading, units, { ...options, isRate }))
}

/** Whether a metric is 0 or 1 in every run that has it. */
export const isRateMetric = (runs: readonly Observation[], reading: Reading): boolean =>
  runs.every(run => {
    const read = readValue(run, reading)
    return !('value' in read) || isBinary([read.value])
  })

/** The same of any runs. */
export function metricOf(
  runs: readonly Observation[],
  reading: Reading,
  units: Units,
  options: EstimateOptions,
): VariantMetric {
  const values: number[] = []
  const of: string[] = []
  const reasons: Record<string, number> = {}
  const unitOf = units.ofAll(runs)
  for (const [at, run] of runs.entries()) {
    const read = readValue(run, reading)
    if ('value' in read && Number.isFinite(read.value)) {
      values.push(read.value)
      of.push(unitOf[at] ?? '')
    } else {
      const reason = 'problem' in read ? read.problem : `the value is ${read.value}`
      reasons[reason] = (reasons[reason] ?? 0) + 1
    }
  }
  return {
    ...numberSummary(values, of, { ...options, least: leastMean(reading) }),
    missing: runs.length - values.length,
    missing_reasons: reasons,
  }
}

/** Where each level stands among those that were written; what was not written follows in the order it turns up. */
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

export const levelText = (level: Json): string => (typeof level === 'string' ? level : canonicalJson(level))

/** The numbers in the runs' names, if every variant has one and none has another's. */
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
