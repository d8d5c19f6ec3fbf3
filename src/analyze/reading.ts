import { type Evidence, type EvidenceMetric, type Observation, priceOf } from '../define/observation.ts'
import { isAvailable, type Reason } from '../stats/estimate.ts'
import { type Goal, parseReduction, type Reduction, reduceSeries, type Window } from '../stats/index.ts'
import { AssayError } from '../util/errors.ts'
import { didYouMean } from '../util/suggest.ts'
import { isMoney } from '../util/words.ts'

/** The possible values of a metric; an end may be infinite. */
export type ValueRange = readonly [low: number, high: number]

/** The number of each run that is analysed. */
export interface Reading {
  readonly metric: string
  /** If the metric is a sum of metrics, `cost + summary_cost`. */
  readonly terms?: readonly string[]
  readonly goal: Goal
  /** The goal of the series itself, if it differs from that of its number: steps until a value was reached. */
  readonly seriesGoal?: Goal
  /** Whether the goal was given; otherwise more counts as better. */
  readonly isGoalKnown: boolean
  /** The possible values, if known; an end may be infinite. */
  readonly range?: ValueRange
  /** How a series becomes one number; null: the metric is a number. */
  readonly summary: { readonly reduction: Reduction; readonly window: Window; readonly minPoints: number } | null
}

/** A run's number, or why there is none. */
export type ReadValue = { readonly value: number } | { readonly problem: string }

/** The summary of many benchmarks: the area under the last quarter of the points, of which there must be 15. */
export const defaultSummary: NonNullable<Reading['summary']> = {
  reduction: { kind: 'auc', axis: 'step' },
  window: { kind: 'share-of-points', share: 0.25, which: 'last' },
  minPoints: 15,
}

/** The metric in question: the named one, the primary one, or the only one. */
export function readingOf(
  evidence: Evidence,
  wish: {
    readonly metric?: string | undefined
    readonly summary?: Reading['summary'] | undefined
    readonly goal?: Goal | undefined
    readonly range?: string | undefined
  },
): Reading {
  const metric = wish.metric ?? mainMetric(evidence)
  const terms = termsOf(evidence, metric)
  const isNumber = evidence.runs.some(run => run.metrics[metric] !== undefined || run.problems[metric] !== undefined)
  const isSeries = evidence.runs.some(run => run.series.some(series => series.metric === metric))
  const isThere = isNumber || isSeries || evidence.metrics.some(({ name }) => name === metric)
  if (!isThere && terms === undefined && !isBooked(metric)) throw noSuchMetric(evidence, metric)
  const spec = evidence.metrics.find(({ name }) => name === metric)
  const declared = spec?.goal ?? null
  const range = wish.range === undefined ? rangeOf(spec?.range ?? scoreRange(evidence, metric)) : parseRange(wish.range)
  const goal = wish.goal ?? declared ?? guessedGoal(metric)
  const usesSeries = isSeries && (wish.summary !== undefined || !isNumber)
  const summary = usesSeries ? (wish.summary ?? defaultSummary) : null
  // Whatever the series' goal, reaching it in fewer steps is better.
  const isTime = summary?.reduction.kind === 'time-to'
  return {
    metric,
    ...(terms === undefined ? {} : { terms }),
    goal: isTime ? 'minimize' : (goal ?? 'maximize'),
    isGoalKnown: isTime || goal !== null,
    // Steps until a value was reached, and slopes, have another range than the values.
    ...(range === null || (summary !== null && wish.range === undefined) ? {} : { range }),
    ...(isTime ? { seriesGoal: goal ?? 'maximize' } : {}),
    summary,
  }
}

const rangeOf = (range: EvidenceMetric['range']): ValueRange | null =>
  range === undefined ? null : [range[0] ?? Number.NEGATIVE_INFINITY, range[1] ?? Number.POSITIVE_INFINITY]

/** The score of a task is a share of its requirements, unless some run shows otherwise. */
function scoreRange({ blocks, runs }: Evidence, metric: string): EvidenceMetric['range'] {
  const isShare = ({ metrics: { score = 0 } }: Observation) => score >= 0 && score <= 1
  return metric === 'score' && blocks.includes('task') && runs.every(isShare) ? [0, 1] : undefined
}

/** `0..100`; `0..` and `..1` are open at one end. */
function parseRange(text: string): ValueRange {
  const [, low = '', high = ''] =
    /^\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)?\s*\.\.\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)?\s*$/i.exec(text) ?? []
  const range = rangeOf([low === '' ? null : Number(low), high === '' ? null : Number(high)])
  if (range === null || low + high === '' || !(range[0] < range[1]))
    throw new AssayError('usage', `--range: expected where values can lie, such as 0..100 or 0.., got "${text}"`)
  return range
}

/** `cost + summary_cost`, unless a metric has exactly that name. */
function termsOf({ runs }: Evidence, metric: string): readonly string[] | undefined {
  const terms = metric.split('+').map(term => term.trim())
  const isKnown = (name: string) => runs.some(run => run.metrics[name] !== undefined)
  return terms.length > 1 && !isKnown(metric) && terms.every(isKnown) ? terms : undefined
}

/** Cost and time are better when lower. */
function guessedGoal(metric: string): Goal | null {
  return /(^|[_/+ ])(cost|usd|latency|makespan|loss|error|errors|wall|duration|seconds)([_+ ]|$)|_ms$|_usd$/.test(
    metric,
  )
    ? 'minimize'
    : null
}

/** The default of training runs, and of the benchmark pipeline whose files compare also reads. */
export const rewardMetric = 'overview/reward'

function mainMetric({ metrics, runs }: Evidence): string {
  const primary = metrics.find(metric => metric.primary) ?? metrics[0]
  if (primary !== undefined) return primary.name
  const names = metricNames(runs)
  const [only] = names
  if (names.includes(rewardMetric)) return rewardMetric
  if (only !== undefined && names.length === 1) return only
  throw new AssayError('usage', 'which metric? name one with --metric', {
    hint: names.length === 0 ? 'the runs have none' : `there are ${names.slice(0, 12).join(', ')}`,
  })
}

export function metricNames(runs: readonly Observation[]): readonly string[] {
  const names = new Set<string>()
  for (const run of runs) {
    // Building a list of the names of every run would take the most time.
    for (const name in run.metrics) names.add(name)
    for (const series of run.series) names.add(series.metric)
  }
  return [...names]
}

function noSuchMetric({ runs }: Evidence, metric: string): AssayError {
  const names = metricNames(runs)
  const hint =
    didYouMean(metric, names) ?? (names.length === 0 ? undefined : `there are ${names.slice(0, 12).join(', ')}`)
  return new AssayError('usage', `no run has a metric "${metric}"`, hint === undefined ? {} : { hint })
}

/** A run that did not complete has no result, even if it wrote one earlier. */
export function readValue(run: Observation, { metric, terms, summary, goal, seriesGoal }: Reading): ReadValue {
  if (run.outcome.kind !== 'completed') return { problem: run.outcome.kind }
  if (terms !== undefined) return sumOf(terms.map(term => plainValue(run, term)))
  if (summary === null) return plainValue(run, metric)
  const series = run.series.find(one => one.metric === metric)
  if (series === undefined) return { problem: 'no such series' }
  const { reduction, window, minPoints } = summary
  const least = reduction.kind === 'auc' ? minPoints : 1
  const value = reduceSeries(series, reduction, { window, goal: seriesGoal ?? goal, minPoints: least })
  return isAvailable(value) ? { value } : { problem: wordsFor(value.unavailable) }
}

/** A sum lacks a value if one of its terms does. */
function sumOf(values: readonly ReadValue[]): ReadValue {
  let value = 0
  for (const one of values) {
    if ('problem' in one) return one
    value += one.value
  }
  return { value }
}

function plainValue(run: Observation, metric: string): ReadValue {
  const value = bookedValue(run, metric) ?? run.metrics[metric]
  if (value === undefined || value === null) return { problem: run.problems[metric] ?? 'no such metric' }
  return { value }
}

/**
 * Whether a metric is yes or no: 0 or 1 in every run of the experiment, not only in the compared ones, and not an
 * amount by its name. Costs that are all 0 are costs, and the kind of data must not depend on the results of two arms.
 */
export function isYesNoMetric(runs: readonly Observation[], reading: Reading): boolean {
  if (isAmount(reading.metric)) return false
  const known = kinds.get(runs) ?? new Map<string, boolean>()
  kinds.set(runs, known)
  const key = JSON.stringify([reading.metric, reading.summary, reading.goal])
  const found =
    known.get(key) ??
    runs.every(run => {
      const read = readValue(run, reading)
      return !('value' in read) || !Number.isFinite(read.value) || read.value === 0 || read.value === 1
    })
  known.set(key, found)
  return found
}

const kinds = new WeakMap<readonly Observation[], Map<string, boolean>>()

/** Money, time and counts. */
export const isAmount = (metric: string): boolean =>
  isMoney(metric) ||
  /(^|[_/+. ])(cost|price|latency|makespan|duration|seconds|loss|tokens|calls|turns|steps|bytes)([_/+. ]|$)|_(ms|s|bytes)$/i.test(
    metric,
  )

/** Measured by assay for every run; these names always exist. */
const booked = ['cost_usd', 'paid_usd', 'wall_s'] as const

const isBooked = (metric: string): boolean => booked.some(name => name === metric)

/** `cost_usd` is the cost of a run at list price; `paid_usd` the amount paid for it. */
function bookedValue(run: Observation, metric: string): number | null {
  switch (metric) {
    case 'cost_usd':
      return priceOf(run)
    case 'paid_usd':
      return run.metrics.paid_usd ?? run.cost_usd
    case 'wall_s':
      return run.metrics.wall_s ?? run.wall_s
    default:
      return null
  }
}

/** Reasons in words. */
export const wordsFor = (reason: Reason): string => outOfRange[reason] ?? reason.replaceAll('_', ' ')

const outOfRange: { readonly [reason: string]: string } = {
  too_large: 'values of 1e150 and more have no squares: take a larger unit',
  too_small: 'values below 1e-140 have no squares: take a smaller unit',
}

/**
 * The possible means of such numbers, also if a formula for other numbers goes beyond. assay's own measurements are
 * never below 0.
 */
export function possibleMeans({ metric, summary, range }: Pick<Reading, 'metric' | 'summary' | 'range'>): ValueRange {
  const least = summary === null && isBooked(metric) ? 0 : Number.NEGATIVE_INFINITY
  return range ?? [least, Number.POSITIVE_INFINITY]
}

/** `auc of the last 25% of the points`: how a series became a number, in words. */
export function describeSummary({ reduction, window }: NonNullable<Reading['summary']>): string {
  const what = {
    auc: reduction.kind === 'auc' && reduction.normalized === false ? 'area' : 'auc',
    slope: 'slope',
    last: 'last',
    mean: 'mean',
    best: 'best',
    'eval-last': 'mean of the last',
    'time-to': 'steps to',
  }[reduction.kind]
  const amount =
    reduction.kind === 'eval-last'
      ? ` ${reduction.points} points`
      : reduction.kind === 'time-to'
        ? ` ${reduction.threshold}`
        : ''
  return `${what}${amount}${windowText(window)}`
}

function windowText(window: Window): string {
  switch (window.kind) {
    case 'all':
      return ''
    case 'steps':
      return ` of steps ${window.from} to ${window.to}`
    case 'share-of-steps':
      return ` of the ${window.which} ${window.share * 100}% of the steps`
    case 'share-of-points':
      return ` of the ${window.which} ${window.share * 100}% of the points`
  }
}

/** The options that decide how a series becomes a number. */
export interface SummaryOptions {
  readonly summary?: string | undefined
  readonly window?: string | undefined
  readonly summaryPercent?: number | undefined
  readonly summaryPercentWindow?: 'first' | 'last' | undefined
  readonly summaryStepMin?: number | undefined
  readonly summaryStepMax?: number | undefined
  readonly summaryN?: number | undefined
  readonly summaryNormalizeSteps?: string | undefined
}

/** How a series becomes a number, from the options; undefined if none of them is given. */
export function summaryOption(options: SummaryOptions): NonNullable<Reading['summary']> | undefined {
  const { summary, window, summaryPercent, summaryStepMin, summaryStepMax, summaryN, summaryNormalizeSteps } = options
  const given = [summary, window, summaryPercent, summaryStepMin, summaryStepMax, summaryN, summaryNormalizeSteps]
  if (given.every(value => value === undefined)) return undefined
  const named = summary === undefined ? defaultSummary.reduction : reductionOf(summary, summaryN)
  const isWhole = named.kind === 'auc' && /^(false|no|0|off)$/i.test(summaryNormalizeSteps ?? '')
  const reduction = isWhole ? { ...named, normalized: false } : named
  return { reduction, window: windowOf(options, reduction), minPoints: defaultSummary.minPoints }
}

/** `eval_last_n` is that pipeline's spelling of `eval-last:<n>`. */
function reductionOf(text: string, n: number | undefined): Reduction {
  if (text === 'eval_last_n' || text === 'eval-last') return { kind: 'eval-last', points: n ?? 5 }
  return parseReduction(text)
}

/** By default, an area or a slope covers the last quarter of the points, anything else all of them. */
function windowOf(options: SummaryOptions, reduction: Reduction): Window {
  const { window, summaryPercent, summaryPercentWindow = 'last', summaryStepMin, summaryStepMax } = options
  if (window !== undefined) return parseWindow(window)
  if (summaryPercent !== undefined)
    return { kind: 'share-of-points', share: summaryPercent, which: summaryPercentWindow }
  if (summaryStepMin !== undefined || summaryStepMax !== undefined)
    return {
      kind: 'steps',
      from: summaryStepMin ?? Number.NEGATIVE_INFINITY,
      to: summaryStepMax ?? Number.POSITIVE_INFINITY,
    }
  return reduction.kind === 'auc' || reduction.kind === 'slope' ? defaultSummary.window : { kind: 'all' }
}

/** `all`, `last:25%`, `first:10%steps`, `steps:100..200`. */
export function parseWindow(text: string): Window {
  if (text === 'all') return { kind: 'all' }
  const [, which, share, unit] = /^(last|first):([\d.]+)%\s*(steps|points)?$/.exec(text) ?? []
  if ((which === 'last' || which === 'first') && Number(share) > 0 && Number(share) <= 100)
    return { kind: unit === 'steps' ? 'share-of-steps' : 'share-of-points', share: Number(share) / 100, which }
  const [, from, to] = /^steps:([\d.e+]*)\.\.([\d.e+]*)$/.exec(text) ?? []
  if (from !== undefined && to !== undefined && from + to !== '')
    return {
      kind: 'steps',
      from: from === '' ? Number.NEGATIVE_INFINITY : Number(from),
      to: to === '' ? Number.POSITIVE_INFINITY : Number(to),
    }
  throw new AssayError(
    'usage',
    `expected a window such as all, last:25%, last:25%steps or steps:100..200, got "${text}"`,
  )
}
