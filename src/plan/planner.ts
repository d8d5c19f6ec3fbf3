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

/** Runs with the keys, names and seeds that they have everywhere, for planners that an experiment brings. */
export interface PlannerTools {
  /** All runs there are, any of which can be asked for: where the levels can be listed. */
  listed(): { readonly count: number; at(position: number): Run }
  /** The run of these parameters, in a block and a replicate; null where there is no such variant or block. */
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

/** The part of the plan that is wanted now. */
export interface Selection {
  /** Expressions or `name=value` pairs; a run must satisfy all of them. */
  readonly filters: readonly string[]
  readonly first: number | null
  /** One-based: shard `index` of `count`. A run's shard follows from its key, so it never moves. */
  readonly shard: { readonly index: number; readonly count: number } | null
}

/** The whole plan. */
export const everything: Selection = { filters: [], first: null, shard: null }

export const isEverything = ({ filters, first, shard }: Selection): boolean =>
  filters.length === 0 && first === null && shard === null

/**
 * Which runs next, given what is known. Pure and seeded: the state is plain JSON, a fold over observations,
 * so that the same journal gives the same proposals.
 */
export interface Planner<S extends Json = Json> {
  /** Whether it wants to be told of results; a grid goes its way whatever they are. */
  readonly learns: boolean
  /** From nothing, or from runs that were made before this plan was: see {@link keeps}. */
  start(known?: readonly Run[]): S
  tell(state: S, news: readonly Observation[]): S
  ask(state: S, wanted: number): Answer<S>
  /** How many runs there will be in all; null when only the future can tell. */
  count(): number | null
  /** Where only the future can tell: how many there will be at most; null when nothing limits them. */
  most?(): number | null
  /** How many of the first runs are the same whatever the results: what can be shown before anything is run. */
  certain(): number
  /** Why it proposes no more, where that is not simply that there is nothing left to propose. */
  ending?(state: S): string | null
  /** Whether a run that was made before belongs here. Without it, what belongs here is what is proposed. */
  keeps?(run: Run): boolean
}

export type Answer<S extends Json> = { readonly state: S; readonly runs: readonly Proposal[] } | 'wait' | 'done'

/** A run to be made, and why. */
export interface Proposal {
  readonly run: Run
  readonly why: string
  /** Which trial it is part of, where variants are counted: see {@link trialOf}. */
  readonly trial?: string | undefined
}

/** Runs asked for at a time. Few, so that they die young: with a thousand V8 sometimes keeps them in the old heap, and takes 200 MB more. */
const batch = 64

/** Everything a planner proposes whatever the results; for a grid that is the whole plan. */
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

/** The value of the objective, or of each where there are several. */
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

/** The value of the search's own metric that a run's proposals and target go by; null: it has none. */
export function objectiveOf(observation: Ended, search: SearchSpec): number | null {
  const result = resultOf(observation, { ...search, also: [] })
  return typeof result === 'number' ? result : null
}

/** The value of the search's own metric that is a run's result, by which the winner is found; null: it has none. */
export const resultValueOf = (observation: Ended, { proposals: _, ...search }: SearchSpec): number | null =>
  objectiveOf(observation, search)

/** Which of its values a run counts with; one that failed may have reported some before. */
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
  // A variant that finds its answers in the cache is not cheaper for it.
  const price = metric === 'cost_usd' ? priceOf({ metrics, cost_usd: metrics.cost_usd ?? null }) : null
  const last = price ?? metrics[metric] ?? Number.NaN
  const earlier = which === 'best' ? (series.find(one => one.metric === metric)?.values ?? []) : []
  const values = [...earlier, last].filter(Number.isFinite)
  if (values.length === 0) return null
  return values.reduce((one, other) => (goal === 'maximize' ? Math.max(one, other) : Math.min(one, other)))
}
