import type { CostForecast } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import type { RunEstimate } from '../../define/target.ts'
import type { Foresight } from '../../engine/foresight.ts'
import { environmentFor, type ModelFacts, modelFacts } from '../../models/model-facts.ts'
import { modelsIn } from '../../models/names/settings-of.ts'
import { planRuns } from '../../plan/plan.ts'
import { asExperimentDirectory } from '../../record/places.ts'
import { forecastCost } from '../../record/read/standing.ts'
import { counted, dollars } from '../../util/words.ts'
import type { Io } from '../io.ts'
import { factsLines } from '../views/facts-table.ts'
import { forecastText } from '../views/forecast-text.ts'
import { shortDuration } from '../views/number.ts'
import type { Chosen } from './choose-experiment.ts'
import { withJournal } from './with-journal.ts'

/** The predicted cost of a plan: where its models go, and the cost by history or by declared sizes. */
export interface PlanCosts {
  readonly models: readonly ModelFacts[]
  /** Based on the runs so far; null if there are too few. */
  readonly forecast: CostForecast | null
  /** Based on counted prompts and declared answers; null if the target can't say. */
  readonly estimate: (RunEstimate & { readonly runs: number }) | null
}

/** Only for runs that call models: others have no prices to show. */
export async function planCosts(
  chosen: Chosen,
  foresight: Foresight,
  countToRun: () => number,
): Promise<PlanCosts | null> {
  const { experiment, bound, dir } = chosen
  if (bound() !== 'per_call') return null
  const toRun = countToRun()
  const lookup = {
    settings: experiment.models ?? {},
    env: environmentFor([experiment.folder, process.cwd()], process.env),
  }
  const names = modelsIn({ ...experiment, models: undefined })
  const isThere = asExperimentDirectory(dir) !== undefined
  return {
    models: await Promise.all(names.map(name => modelFacts(name, lookup))),
    forecast: isThere ? withJournal(dir, journal => forecastCost(journal, { pending: toRun, running: 0 })) : null,
    estimate: await estimated(chosen, foresight, toRun),
  }
}

/** Beyond this number, the rest is extrapolated, not counted: prompts of one experiment are similar. */
const mostCounted = 200

async function estimated(chosen: Chosen, foresight: Foresight, toRun: number): Promise<PlanCosts['estimate']> {
  const { experiment, target, spec } = chosen
  if (target.estimate === undefined || toRun === 0) return null
  const sample = [...everyNth(runsToMake(chosen, foresight), Math.ceil(toRun / mostCounted))]
  let usd: number | null = 0
  let least: number | null = 0
  let most: number | null = 0
  let [calls, seconds, ownSeconds, isTimed] = [0, 0, 0, true]
  let basis: string | undefined
  for (const run of sample) {
    const one: RunEstimate = await target
      .estimate(spec, run, experiment)
      .catch(() => ({ usd: null, at_most_usd: null }))
    usd = usd === null || one.usd === null ? null : usd + one.usd
    const leastUsd = one.least_usd === undefined ? one.usd : one.least_usd
    least = least === null || leastUsd === null ? null : least + leastUsd
    calls += one.calls ?? 0
    seconds += one.seconds ?? 0
    ownSeconds += one.own_seconds ?? 0
    isTimed &&= one.seconds !== undefined
    basis ??= one.basis
    most = most === null || one.at_most_usd === null ? null : most + one.at_most_usd
  }
  const all = (sum: number | null) => (sum === null || sample.length === 0 ? null : (sum * toRun) / sample.length)
  return {
    usd: all(usd),
    least_usd: all(least),
    at_most_usd: all(most),
    runs: toRun,
    ...(isTimed && {
      calls: Math.round(all(calls) ?? 0),
      seconds: (all(seconds) ?? 0) / experiment.limits.jobs + (all(ownSeconds) ?? 0),
    }),
    ...(basis !== undefined && { basis }),
  }
}

function* runsToMake({ experiment, plan }: Chosen, foresight: Foresight): Generator<Run> {
  for (const run of planRuns(experiment, plan)) if (foresight(run).action === 'run') yield run
}

function* everyNth<T>(items: Iterable<T>, n: number): Generator<T> {
  let index = 0
  for (const item of items) if (index++ % n === 0) yield item
}

export function costLines({ models, forecast, estimate }: PlanCosts, chosen: Chosen, io: Io): string[] {
  const { budget_usd } = chosen.experiment.limits
  const facts = factsLines(models, io.stdout)
  if (facts.length === 0 && forecast === null && estimate === null) return ['']
  return [
    '',
    ...(facts.length === 0 ? [] : [...facts, '']),
    ...(forecast === null
      ? []
      : [`cost: ${forecastText(forecast, budget_usd)}, by ${forecast.runs} runs that were made`]),
    ...(estimate === null ? [] : [estimateLine(estimate, budget_usd), ...timeLines(estimate, chosen)]),
    '',
  ]
}

/** For all runs, with this many at a time; and the basis of both numbers. */
function timeLines(
  { seconds, calls, basis, runs }: NonNullable<PlanCosts['estimate']>,
  { experiment }: Chosen,
): string[] {
  const { jobs } = experiment.limits
  return [
    ...(seconds === undefined
      ? []
      : [
          `time of ${counted(runs, 'run')}: about ${shortDuration(seconds * 1000)} with ${jobs} at once, up to ${calls} model calls`,
        ]),
    ...(basis === undefined ? [] : [`based on a run of ${basis}`]),
  ]
}

function estimateLine(
  { usd, least_usd = usd, at_most_usd, runs, basis }: NonNullable<PlanCosts['estimate']>,
  budget: number | null,
): string {
  const range = usd === null ? '' : rangeText(least_usd, usd)
  const about = usd === null ? '' : `${range}${basis === undefined ? ' by declared sizes' : ''}, `
  const most =
    at_most_usd === null
      ? usd === null
        ? 'unknown, because a model has no known price'
        : 'with no known maximum'
      : `at most ${dollars(at_most_usd)}, if every answer has its maximum length`
  const limit = budget === null ? '' : `; the budget ends it at ${dollars(budget)}`
  return `cost of ${counted(runs, 'run')}: ${about}${most}${limit}`
}

/** From the lowest likely amount to the highest, if these differ. */
export const rangeText = (least: number | null, usd: number): string =>
  least === null || dollars(least) === dollars(usd)
    ? `about ${dollars(usd)}`
    : `${dollars(least)} (no actor opens a talk) to ${dollars(usd)} (every actor opens one each turn)`
