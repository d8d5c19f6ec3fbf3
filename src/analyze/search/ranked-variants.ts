import type { Evidence, EvidenceRun } from '../../plan/evidence.ts'
import { canonicalJson } from '../../util/canonical-json.ts'
import type { JsonObject } from '../../util/json.ts'
import { defaultDrawing } from '../compare/method.ts'
import { type Reading, readValue } from '../reading.ts'
import { unitsOf } from '../units/units.ts'
import { isRateMetric, metricOf, type VariantMetric } from '../variants.ts'

/** The variants that a search tried, best first. */
export interface RankedVariants {
  readonly metric: string
  readonly goal: 'minimize' | 'maximize'
  /** Variants of which a run has ended. */
  readonly tried: number
  /** How many runs a variant has that can be ranked: as many as the one with most. */
  readonly runs: number
  /** Variants that lack some of these runs, because they failed or were stopped: not to be set beside the others. */
  readonly incomplete: number
  /** Variants that can be set beside each other. */
  readonly compared: number
  /** Others that came out exactly as good as the first: it is named because it was tried before them. */
  readonly tied: number
  /** Blocks are what is sampled; `run` where there are none. */
  readonly unit: string
  /** Parameters that are not, or need not be, the same in all variants. */
  readonly varying: readonly string[]
  readonly best: readonly RankedVariant[]
}

export interface RankedVariant {
  /** In the order in which they were tried, from 1. */
  readonly number: number
  readonly params: JsonObject
  /** Only what differs between variants. */
  readonly varied: JsonObject
  readonly runs: readonly string[]
  /** How many blocks, or runs where there are no blocks, its value rests on. */
  readonly units: number
  readonly result: VariantMetric
}

/** By their means over the same number of runs. What failed, or was stopped early, has no value. */
export function rankedVariants(evidence: Evidence, reading: Reading, most: number, level = 0.95): RankedVariants {
  const groups = [...Map.groupBy(evidence.runs, ({ params }) => canonicalJson(params)).values()]
  const variants = groups.map((runs, index) => ({ number: index + 1, runs, ...sumOf(runs, reading) }))
  const runs = variants.reduce((largest, { count }) => Math.max(largest, count), 0)
  const whole = variants.filter(({ count }) => count === runs && count > 0)
  const sign = reading.goal === 'minimize' ? 1 : -1
  const ranked = whole.toSorted((a, b) => sign * (a.sum - b.sum) || a.number - b.number)
  const units = unitsOf(evidence)
  const options = { level, drawing: defaultDrawing, isRate: isRateMetric(evidence.runs, reading) }
  const varying = varyingIn(
    groups.flatMap(([run]) => run ?? []),
    evidence,
  )
  return {
    metric: reading.metric,
    goal: reading.goal,
    tried: variants.length,
    runs,
    incomplete: variants.length - whole.length,
    compared: whole.length,
    tied: ranked.filter(({ sum }) => sum === ranked[0]?.sum).length - (ranked.length > 0 ? 1 : 0),
    unit: units.name,
    varying,
    best: ranked.slice(0, most).map(({ number, runs }) => ({
      number,
      params: runs[0]?.params ?? {},
      varied: Object.fromEntries(Object.entries(runs[0]?.params ?? {}).filter(([name]) => varying.includes(name))),
      runs: runs.map(run => run.name),
      units: new Set(units.ofAll(runs)).size,
      result: metricOf(runs, reading, units, options),
    })),
  }
}

function sumOf(runs: readonly EvidenceRun[], reading: Reading): { readonly sum: number; readonly count: number } {
  const values = runs.flatMap(run => {
    const read = readValue(run, reading)
    return 'value' in read && Number.isFinite(read.value) ? [read.value] : []
  })
  return { sum: values.reduce((sum, value) => sum + value, 0), count: values.length }
}

/** What was found to differ, and what can: a search may not have got to the other levels yet. */
function varyingIn(runs: readonly EvidenceRun[], { search, levels }: Evidence): readonly string[] {
  const names = new Set(runs.flatMap(({ params }) => Object.keys(params)))
  const isVarying = (name: string) =>
    (search?.ranges.includes(name) ?? false) ||
    (levels[name]?.length ?? 0) > 1 ||
    new Set(runs.map(({ params }) => (params[name] === undefined ? '' : canonicalJson(params[name])))).size > 1
  return [...names].filter(isVarying)
}
