import type { Order, SearchSpec } from '../define/experiment.ts'
import { type Observation, priceOf } from '../define/observation.ts'
import { cutOff } from '../define/outcome.ts'
import type { Run } from '../define/run.ts'
import type { Json, JsonObject } from '../util/json.ts'
import type { PlanPart } from './plan-part.ts'

/** A way of choosing runs: grid, random search, stop-when-decided, … One file each, one registry. */
export interface PlannerMethod {
  readonly method: string
  make(experiment: PlanPart, options: PlannerOptions, tools: PlannerTools): Planner
}

/** Makes runs with their usual keys, names and seeds, for planners that an experiment brings. */
export interface PlannerTools {
  /** All runs, each available by its position, if the levels can be listed. */
  listed(): { readonly count: number; at(position: number): Run }
  /** The run of these parameters, in a block and a replicate; null if there is no such variant or block. */
  runOf(wanted: WantedRun): Run | null
}

export interface WantedRun {
  readonly params: JsonObject
  readonly ablation?: string | null
  /** Default: the only one. */
  readonly block?: JsonObject
  /** Default: 1. */
  readonly replicate?: number
}

export interface PlannerOptions {
  readonly order: Order
  readonly seed: number
  readonly selection: Selection
}

/** The part of the plan that is selected now. */
export interface Selection {
  /** Expressions or `name=value` pairs; a run must satisfy all of them. */
  readonly filters: readonly string[]
  readonly first: number | null
  /** One-based: shard `index` of `count`. A run's shard follows from its key, so it never changes. */
  readonly shard: { readonly index: number; readonly count: number } | null
}

/** The whole plan. */
export const everything: Selection = { filters: [], first: null, shard: null }

export const isEverything = ({ filters, first, shard }: Selection): boolean =>
  filters.length === 0 && first === null && shard === null

/**
 * Which runs come next, given what is known. Pure and seeded: the state is plain JSON, a fold over observations, so the
 * same journal gives the same proposals.
 */
export interface Planner<S extends Json = Json> {
  /** Whether it wants results; a grid proceeds regardless of them. */
  readonly learns: boolean
  /** From nothing, or from runs that were executed before this plan was made: see {@link keeps}. */
  start(known?: readonly Run[]): S
  tell(state: S, news: readonly Observation[]): S
  ask(state: S, wanted: number): Answer<S>
  /** The total number of runs; null if it depends on results. */
  count(): number | null
  /** If it depends on results: the maximum; null if there is none. */
  most?(): number | null
  /** How many of the first runs are the same whatever the results: these can be shown before anything is run. */
  certain(): number
  /** Why it proposes no more, if not simply because nothing is left to propose. */
  ending?(state: S): string | null
  /** Whether a run executed before belongs to this plan. Default: if it would be proposed. */
  keeps?(run: Run): boolean
}

export type Answer<S extends Json> = { readonly state: S; readonly runs: readonly Proposal[] } | 'wait' | 'done'

/** A run to be executed, and why. */
export interface Proposal {
  readonly run: Run
  readonly why: string
  /** Its trial, if variants are counted: see {@link trialOf}. */
  readonly trial?: string | undefined
}

/**
 * Runs requested at a time. Few, so that they are short-lived: with a thousand, V8 sometimes keeps them in the old heap
 * and takes 200 MB more.
 */
const batch = 64

/** Everything that a planner proposes whatever the results; for a grid, the whole plan. */
export function* plannedRuns(planner: Planner): Generator<Run> {
  let state = planner.start()
  for (let left = planner.certain(); left > 0; left -= batch) {
    const answer = planner.ask(state, Math.min(batch, left))
    if (typeof answer === 'string') return
    for (const { run } of answer.runs) yield run
    state = answer.state
  }
}

/** The part of a run that its value depends on. */
type Ended = Pick<Observation, 'outcome' | 'metrics' | 'series'>

/** The value of the objective, or of each if there are several. */
export type Result = number | readonly number[]

/**
 * What a run says about its variant: its value, that it failed, that it is left out because its trial was stopped, or
 * null: nothing, since it will be run again.
 */
export function resultOf(observation: Ended, search: SearchSpec): Result | 'failed' | 'dropped' | null {
  if (cutOff.includes(observation.outcome.kind)) return null
  if (search.counts === 'variants' && observation.outcome.kind === 'stopped_early') return 'dropped'
  const which = whichCounts(observation, search)
  const values = [{ metric: search.metric ?? '', goal: search.goal }, ...search.also].flatMap(
    ({ metric, goal }) => counted(observation, metric, goal, which) ?? [],
  )
  if (values.length <= search.also.length) return 'failed'
  return search.also.length === 0 ? (values[0] ?? 'failed') : values
}

/** The value of the search's own metric that proposals and the target use; null: the run has none. */
export function objectiveOf(observation: Ended, search: SearchSpec): number | null {
  const result = resultOf(observation, { ...search, also: [] })
  return typeof result === 'number' ? result : null
}

/** The value of the search's own metric that counts as a run's result and decides the winner; null: the run has none. */
export const resultValueOf = (observation: Ended, { proposals: _, ...search }: SearchSpec): number | null =>
  objectiveOf(observation, search)

/** Which of its values counts; a failed run may have reported some before. */
function whichCounts({ outcome }: Ended, { value = 'last', proposals, impute }: SearchSpec): 'last' | 'best' | 'none' {
  if (outcome.kind === 'completed' || outcome.kind === 'stopped_early') return proposals ?? value
  return impute === 'best' ? 'best' : impute === 'latest' ? 'last' : 'none'
}

function counted(
  { metrics, series }: Ended,
  metric: string,
  goal: SearchSpec['goal'],
  which: 'last' | 'best' | 'none',
): number | null {
  if (which === 'none') return null
  // A variant that finds its answers in the cache is not cheaper because of it.
  const price = metric === 'cost_usd' ? priceOf({ metrics, cost_usd: metrics.cost_usd ?? null }) : null
  const last = price ?? metrics[metric] ?? Number.NaN
  const earlier = which === 'best' ? (series.find(one => one.metric === metric)?.values ?? []) : []
  const values = [...earlier, last].filter(Number.isFinite)
  if (values.length === 0) return null
  return values.reduce((one, other) => (goal === 'maximize' ? Math.max(one, other) : Math.min(one, other)))
}
