import type { SearchSpec } from '../../define/experiment.ts'
import type { Evidence, Observation } from '../../define/observation.ts'
import { resultValueOf } from '../../plan/planner.ts'
import { canonicalJson, type JsonObject } from '../../util/json.ts'
import { amountText, counted, percentText, unitWord } from '../../util/words.ts'
import { defaultDrawing } from '../choices.ts'
import { isYesNoMetric, type Reading, readValue } from '../reading.ts'
import { unitsOf } from '../units/units.ts'
import { metricOf, type VariantMetric } from '../variants.ts'

/** A variant that a search tried, in that order. */
export interface SearchTrial {
  /** From 1. */
  readonly number: number
  readonly params: JsonObject
  /** By metric: the mean over its runs; a metric that no run has is missing. */
  readonly values: { readonly [metric: string]: number }
  /** By metric: the standard error of that mean, if there are at least two runs. */
  readonly errors: { readonly [metric: string]: number }
  readonly runs: number
  /** Runs that did not complete. */
  readonly failed: number
}

export interface Objective {
  readonly metric: string
  readonly goal: 'minimize' | 'maximize'
}

/** Runs folded into trials: one for each variant, whatever its blocks and replicates. A run that was stopped early counts unless told otherwise. */
export function trialsOf(
  runs: readonly Pick<Observation, 'params' | 'metrics' | 'outcome'>[],
  which: 'ended' | 'completed' = 'ended',
): readonly SearchTrial[] {
  const kinds = which === 'ended' ? ['completed', 'stopped_early'] : ['completed']
  const groups = Map.groupBy(runs, ({ params }) => canonicalJson(params))
  return [...groups.values()].map((group, index) => {
    const completed = group.filter(({ outcome }) => kinds.includes(outcome.kind))
    const metrics = [...new Set(completed.flatMap(run => Object.keys(run.metrics)))]
    const summaries = metrics.map(
      metric => [metric, summary(completed.flatMap(run => run.metrics[metric] ?? []))] as const,
    )
    return {
      number: index + 1,
      params: group[0]?.params ?? {},
      values: Object.fromEntries(summaries.map(([metric, { mean }]) => [metric, mean])),
      errors: Object.fromEntries(summaries.flatMap(([metric, { error }]) => (error === null ? [] : [[metric, error]]))),
      runs: group.length,
      failed: group.length - completed.length,
    }
  })
}

function summary(values: readonly number[]): { readonly mean: number; readonly error: number | null } {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: count < 2 ? null : Math.sqrt(squares / (count - 1) / count) }
}

/** The variants that a search tried, best first. */
export interface RankedVariants {
  readonly metric: string
  readonly goal: 'minimize' | 'maximize'
  /** Variants with an ended run. */
  readonly tried: number
  /** The number of runs that a ranked variant has: the largest of all. */
  readonly runs: number
  /** Variants that lack some of these runs, because they failed or were stopped: not comparable with the others. */
  readonly incomplete: number
  /** Variants that are comparable. */
  readonly compared: number
  /** Others exactly as good as the first, which is named because it was tried before them. */
  readonly tied: number
  /** Blocks are sampled; `run` if there are none. */
  readonly unit: string
  /** Parameters that differ, or may differ, between variants. */
  readonly varying: readonly string[]
  readonly best: readonly RankedVariant[]
}

export interface RankedVariant {
  /** In the order in which they were tried, from 1. */
  readonly number: number
  readonly params: JsonObject
  /** Only the parameters that differ between variants. */
  readonly varied: JsonObject
  readonly runs: readonly string[]
  /** The number of blocks behind its value, or of runs if there are no blocks. */
  readonly units: number
  readonly result: VariantMetric
}

/** By their means over the same number of runs. Variants that failed, or were stopped early, have no value. */
export function rankedVariants(evidence: Evidence, reading: Reading, most: number, level = 0.95): RankedVariants {
  const groups = [...Map.groupBy(evidence.runs, ({ params }) => canonicalJson(params)).values()]
  const variants = groups.map((runs, index) => ({ number: index + 1, runs, ...sumOf(runs, reading) }))
  const runs = variants.reduce((largest, { count }) => Math.max(largest, count), 0)
  const whole = variants.filter(({ count }) => count === runs && count > 0)
  const sign = reading.goal === 'minimize' ? 1 : -1
  const ranked = whole.toSorted((a, b) => sign * (a.sum - b.sum) || a.number - b.number)
  const units = unitsOf(evidence)
  const options = { level, drawing: defaultDrawing, isRate: isYesNoMetric(evidence.runs, reading) }
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

function sumOf(runs: readonly Observation[], reading: Reading): { readonly sum: number; readonly count: number } {
  const values = runs.flatMap(run => {
    const read = readValue(run, reading)
    return 'value' in read && Number.isFinite(read.value) ? [read.value] : []
  })
  return { sum: values.reduce((sum, value) => sum + value, 0), count: values.length }
}

/** Parameters that were found to differ, and those that can: a search may not have reached the other levels yet. */
function varyingIn(runs: readonly Observation[], { search, levels }: Evidence): readonly string[] {
  const names = new Set(runs.flatMap(({ params }) => Object.keys(params)))
  const isVarying = (name: string) =>
    (search?.ranges.includes(name) ?? false) ||
    (levels[name]?.length ?? 0) > 1 ||
    new Set(runs.map(({ params }) => (params[name] === undefined ? '' : canonicalJson(params[name])))).size > 1
  return [...names].filter(isVarying)
}

/** Whether a run's metric is its last reported value or its best: as the search uses it. */
export function countedAsSearched(evidence: Evidence, search: SearchSpec): Evidence {
  const { metric } = search
  if (metric === null) return evidence
  const runs = evidence.runs.map(run => {
    const value = resultValueOf(run, search)
    return value === null ? run : { ...run, metrics: { ...run.metrics, [metric]: value }, series: [] }
  })
  return { ...evidence, runs }
}

/** The variants that a search tried, and the value of a run that counts: `sweep best` and the report agree on them. */
export interface Found extends RankedVariants {
  /** Whether a run counts with the best value that it reported, not with the last. */
  readonly isBestReported: boolean
}

/** `loss 0.0123 (95% CI 0.011 to 0.0137), mean of 5 seeds`. */
export function resultText({ result, units }: RankedVariant, { metric, unit, isBestReported }: Found): string {
  const amount = amountText(metric)
  const which = isBestReported ? ' (of each run the best it reported)' : ''
  const value = `${metric} ${result.mean === null ? '–' : amount(result.mean)}${which}`
  if (result.count === 1) return `${value}, from a single run`
  const of = `${counted(units, unitWord(unit))}${result.count > units ? `, ${result.count} runs` : ''}`
  const { ci, reason } = result
  const interval =
    ci === null || ci.low === null || ci.high === null
      ? `no interval: ${reason ?? 'not known'}`
      : `${percentText(ci.level)} CI ${amount(ci.low)} to ${amount(ci.high)}`
  return `${value} (${interval}), mean of ${of}`
}

/** `Best loss: 0.0123 (95% CI 0.011 to 0.0137, 5 seeds)`: the same as a headline. */
export function bestText({ result, units }: RankedVariant, { metric, unit, isBestReported }: Found): string {
  const amount = amountText(metric)
  const { mean, ci, count } = result
  const value = `Best ${metric}: ${mean === null ? '–' : amount(mean)}`
  const facts = [
    ...(isBestReported ? ['the best that each run reported'] : []),
    ...(ci === null || ci.low === null || ci.high === null
      ? []
      : [`${percentText(ci.level)} CI ${amount(ci.low)} to ${amount(ci.high)}`]),
    count === 1 ? '1 run' : counted(units, unitWord(unit)),
  ]
  return `${value} (${facts.join(', ')})`
}

/** The best of several looks better than it is. */
export function worthText({ compared, tied, runs }: Pick<RankedVariants, 'compared' | 'tied' | 'runs'>): string {
  if (compared < 2) return 'There is nothing to compare it with.'
  if (tied > 0)
    return `${counted(tied, 'other variant')} came out exactly as good: it is named because it was tried before ${tied === 1 ? 'that' : 'them'}.`
  const single = runs === 1 ? ' A single run does not say how far off it is, either.' : ''
  return `It was chosen because it came out best, so expect less of it next time.${single}`
}

/** Variants that are not comparable with the others; null: there are none. */
export function incompleteText({ incomplete, runs }: Pick<RankedVariants, 'incomplete' | 'runs'>): string | null {
  if (incomplete === 0) return null
  const lack = runs === 1 ? 'no completed run with a value' : `fewer than ${runs} completed runs with a value`
  return `Not compared: ${counted(incomplete, 'variant')} with ${lack}.`
}

export interface HistoryPoint {
  readonly number: number
  /** null if the trial has no value. */
  readonly value: number | null
  /** The best of all trials up to this one; null before there is any. */
  readonly best: number | null
  readonly isBest: boolean
}

/** The course of a search: each trial, and the best so far. */
export function bestSoFar(trials: readonly SearchTrial[], { metric, goal }: Objective): readonly HistoryPoint[] {
  let best: number | null = null
  return trials.map(({ number, values }) => {
    const value = values[metric] ?? null
    const isBest = value !== null && (best === null || (goal === 'minimize' ? value < best : value > best))
    if (isBest) best = value
    return { number, value, best, isBest }
  })
}

/**
 * The trials that no other beats: none is at least as good in every objective and better in one. In the order of the
 * first objective, best first. Trials without a value in one of them are left out.
 */
export function paretoFront<Trial extends Pick<SearchTrial, 'values'>>(
  trials: readonly Trial[],
  objectives: readonly Objective[],
): readonly Trial[] {
  const costs = ({ values }: Trial): readonly number[] =>
    objectives.map(({ metric, goal }) => (values[metric] ?? Number.NaN) * (goal === 'minimize' ? 1 : -1))
  const rated = trials.map(trial => ({ trial, costs: costs(trial) })).filter(({ costs }) => !costs.some(Number.isNaN))
  const front = new Set(unbeaten(rated.map(({ costs }) => costs)))
  return rated
    .filter(({ costs }) => front.has(costs))
    .sort((a, b) => (a.costs[0] ?? 0) - (b.costs[0] ?? 0))
    .map(({ trial }) => trial)
}

/** Sorted by all costs, a trial can only be beaten by an earlier one; with two costs, only by the last unbeaten one. */
function unbeaten(all: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const front: (readonly number[])[] = []
  for (const costs of all.toSorted(byFirstDifference)) {
    const rivals = costs.length === 2 ? front.slice(-1) : front
    if (!rivals.some(other => dominates(other, costs))) front.push(costs)
  }
  return front
}

function byFirstDifference(a: readonly number[], b: readonly number[]): number {
  for (const [at, cost] of a.entries()) if (cost !== b[at]) return cost - (b[at] ?? 0)
  return 0
}

const dominates = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((cost, index) => cost <= (other[index] ?? 0)) && one.some((cost, index) => cost < (other[index] ?? 0))
