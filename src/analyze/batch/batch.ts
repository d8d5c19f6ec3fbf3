import { type Evidence, type Observation, priceOf } from '../../define/observation.ts'
import type { Goal } from '../../stats/index.ts'
import { type Correction, type Drawing, defaultDrawing } from '../choices.ts'
import { isYesNoMetric, metricNames, type Reading, readingOf } from '../reading.ts'
import { type Units, unitsOf } from '../units/units.ts'
import { type EstimateOptions, type RateSummary, rateSummary, type Variant, variantsOf } from '../variants.ts'
import { type Judgement, type SuccessRule, successRule } from './success.ts'

/** The options of an analysis; all have defaults. */
export interface BatchOptions {
  /** An expression, or a metric that is 0 or 1; null: completing is success. */
  readonly success?: string | null
  /** The metric that selects the best variant; default: the primary one, else the success rate. */
  readonly metric?: string | undefined
  readonly goal?: Goal | undefined
  readonly summary?: Reading['summary'] | undefined
  readonly alpha?: number
  readonly correction?: Correction
  readonly drawing?: Drawing
  /** The last line a run printed: it is in a file, which this code can't read. null: none was kept. */
  readonly lastLineOf?: LastLineOf
  /** How the runs were selected; for the record only. */
  readonly filter?: readonly string[] | undefined
}

type LastLineOf = (run: Observation) => string | null

interface Spent {
  readonly usd: number
  /** Whether part of it is a conservative guess, because an attempt did not report its cost. */
  readonly isAssumed: boolean
}

/** All that was spent on a run, including attempts without a result; null: unknown. */
export function spentOn({ attempts, cost_usd, cost_assumed, metrics }: Observation): Spent | null {
  const own = cost_usd ?? metrics.cost_usd ?? null
  if (attempts.length === 0) return own === null ? null : { usd: own, isAssumed: cost_assumed }
  const known = attempts.filter(attempt => attempt.cost_usd !== null)
  if (known.length === 0) return null
  return {
    usd: known.reduce((sum, attempt) => sum + (attempt.cost_usd ?? 0), 0),
    isAssumed: attempts.some(attempt => attempt.cost_assumed),
  }
}

/** The cost of a run: its list price, if it has one. Null: unknown. */
export function worthOf(run: Observation): Spent | null {
  if (run.metrics.price_usd === undefined) return spentOn(run)
  const usd = priceOf(run)
  return usd === null ? null : { usd, isAssumed: run.cost_assumed }
}

/** Runs, judged and grouped by variant: the input of every part of the analysis. */
export interface Batch {
  readonly evidence: Evidence
  readonly variants: readonly Variant[]
  readonly units: Units
  readonly rule: SuccessRule
  readonly judgements: ReadonlyMap<Observation, Judgement>
  /** All metrics, the declared ones first. */
  readonly readings: readonly Reading[]
  /** The metric that selects the best variant; null: the success rate. */
  readonly main: Reading | null
  readonly alpha: number
  readonly correction: Correction
  readonly drawing: Drawing
  /** Options for the intervals of a metric's means. */
  estimatesOf(metric: string): EstimateOptions
  /** The metrics that are 0 or 1 in every run. */
  readonly rates: ReadonlySet<string>
  readonly lastLineOf: LastLineOf
  readonly filter: readonly string[]
}

/**
 * From this many values on, only the main metric is resampled, and formulas are used for the others: resampling all
 * would take minutes.
 */
const mostResampledValues = 20_000

export function batchOf(evidence: Evidence, options: BatchOptions = {}): Batch {
  const { alpha = 0.05, correction = 'holm', drawing = defaultDrawing } = options
  const rule = successRule(options.success ?? null, evidence)
  const readings = namesOf(evidence, options.metric).map(metric => readingFor(evidence, metric, options))
  const isSmall = evidence.runs.length * readings.length <= mostResampledValues
  const main = mainReading(evidence, readings, options.metric)
  const rates = new Set(readings.filter(one => isYesNoMetric(evidence.runs, one)).map(({ metric }) => metric))
  return {
    evidence,
    variants: variantsOf(evidence),
    units: unitsOf(evidence),
    rule,
    judgements: new Map(evidence.runs.map(run => [run, rule.judge(run)])),
    readings,
    main,
    alpha,
    correction,
    drawing,
    estimatesOf: metric => ({
      level: 1 - alpha,
      drawing: isSmall || metric === main?.metric ? drawing : null,
      isRate: rates.has(metric),
    }),
    rates,
    lastLineOf: options.lastLineOf ?? (() => null),
    filter: options.filter ?? [],
  }
}

/**
 * Metrics without a single number are included if they were declared or runs give a reason: that they are missing is a
 * finding.
 */
function namesOf({ metrics, runs }: Evidence, wanted: string | undefined): readonly string[] {
  const unread = runs.flatMap(({ problems }) => Object.keys(problems))
  const names = new Set([...metrics.map(({ name }) => name), ...metricNames(runs), ...unread])
  return wanted === undefined ? [...names] : [...names.add(wanted)]
}

function readingFor(evidence: Evidence, metric: string, options: BatchOptions): Reading {
  const isMain = metric === options.metric
  const isThere = evidence.runs.some(run => metric in run.metrics || metric in run.problems || run.series.length > 0)
  if (!isThere && !isMain)
    return { metric, goal: declaredGoal(evidence, metric) ?? 'maximize', isGoalKnown: false, summary: null }
  return readingOf(evidence, { metric, summary: options.summary, goal: isMain ? options.goal : undefined })
}

const declaredGoal = ({ metrics }: Evidence, metric: string): Goal | null =>
  metrics.find(({ name }) => name === metric)?.goal ?? null

/** The requested one, the primary one, the first declared, or the only one measured. */
function mainReading(
  { metrics, runs }: Evidence,
  readings: readonly Reading[],
  wanted: string | undefined,
): Reading | null {
  const measured = metricNames(runs)
  const onlyOne = measured.length === 1 ? measured[0] : undefined
  const name = wanted ?? (metrics.find(({ primary }) => primary) ?? metrics[0])?.name ?? onlyOne
  return readings.find(({ metric }) => metric === name) ?? null
}

/** The number of runs with each judgement. */
interface Tally {
  readonly success: number
  readonly failure: number
  readonly censored: number
  readonly unknown: number
}

function tallyOf({ judgements }: Pick<Batch, 'judgements'>, runs: readonly Observation[]): Tally {
  const tally = { success: 0, failure: 0, censored: 0, unknown: 0 }
  for (const run of runs) tally[judgements.get(run) ?? 'unknown']++
  return tally
}

/** How many of these runs succeeded, and their share of the judged runs. */
export function successIn(batch: Batch, runs: readonly Observation[]): RateSummary & { readonly tally: Tally } {
  const judged = judgedRuns(batch, runs)
  const summary = rateSummary(
    judged.map(({ isSuccess }) => isSuccess),
    judged.map(({ run }) => batch.units.of(run)),
    1 - batch.alpha,
  )
  return { ...summary, tally: tallyOf(batch, runs) }
}

/** The runs judged as success or failure, each with its judgement. */
export function judgedRuns(
  { judgements }: Pick<Batch, 'judgements'>,
  runs: readonly Observation[],
): readonly { readonly run: Observation; readonly isSuccess: boolean }[] {
  return runs.flatMap(run => {
    const judgement = judgements.get(run)
    return judgement === 'success' || judgement === 'failure' ? [{ run, isSuccess: judgement === 'success' }] : []
  })
}
