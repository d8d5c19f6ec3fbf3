import type { Json, JsonObject } from '../util/json.ts'
import type { AnalysisSpec } from './experiment.ts'
import type { Outcome } from './outcome.ts'
import type { AttemptMode, Run, RunNumbers, Series } from './run.ts'

/** One execution of a run; all attempts are kept. */
export interface Attempt {
  readonly number: number
  /** null: it has not ended. */
  readonly outcome: Outcome | null
  /** The digest of what was run; null: unknown. */
  readonly fingerprint: string | null
  /** Milliseconds since 1970. */
  readonly started_at: number
  readonly ended_at: number | null
  readonly wall_s: number | null
  readonly cost_usd: number | null
  /** Whether the cost is a guess on the safe side, because the attempt did not report it. */
  readonly cost_assumed: boolean
  /** Whether its result came too late to count. */
  readonly superseded: boolean
  /** The process that executed it, as `host:pid`; null: unknown. */
  readonly worker: string | null
  readonly mode: AttemptMode
  /** The number of the attempt that it continued or scored; null: none. */
  readonly continues: number | null
}

/** A run with everything that is known about it: its settings, its state, its result. Plain data, also in a browser. */
export interface RunRecord {
  /** Its directory and label. */
  readonly name: string
  /** Where it comes from: the name of its experiment's directory, or of a table; made unique among several. */
  readonly source: string
  /** Identifies the run: the same in every copy of the directory; null: unknown. */
  readonly key: string | null
  /** Levels and constants, with an ablation's name as `ablation`; without those in `block`. */
  readonly params: JsonObject
  /** The ablation's name and command-line flags; null and none without one. */
  readonly ablation: string | null
  readonly flags: readonly string[]
  readonly block: JsonObject
  readonly replicate: number
  readonly seed: number | null
  /** The number of its variant and its own within that, if the name has numbers. */
  readonly numbers?: RunNumbers
  /** The other columns of a table, to filter by. */
  readonly columns?: JsonObject
  /** One of the states that add up to `planned`. */
  readonly state: string
  /** Of its last attempt; null: it has not ended. */
  readonly outcome: Outcome | null
  readonly metrics: { readonly [metric: string]: number }
  /** Metrics without a value, and why: unreadable, or with a reserved name. */
  readonly problems: { readonly [metric: string]: string }
  readonly series: readonly Series[]
  /** Milliseconds since 1970; for its last attempt, like everything below. */
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly wall_s: number | null
  readonly cpu_s: number | null
  readonly max_rss_bytes: number | null
  /** Of all its attempts since it was last made anew; null: the last one did not report it. */
  readonly cost_usd: number | null
  /** Whether that is a guess on the safe side, because the run did not report it. */
  readonly cost_assumed: boolean
  /** Where its files are: relative to the experiment's directory, if inside it; null: it has none. */
  readonly place: string | null
  /** The declared outputs that existed when it ended. */
  readonly outputs: readonly string[]
  /** The commit of its code, with `+` for uncommitted changes; null: unknown. */
  readonly code: string | null
  /** The digest of what was run: target, its configuration, declared inputs; null: unknown. */
  readonly fingerprint: string | null
  /** The attempt that its result comes from: the same in every copy of the directory; null: unknown. */
  readonly token: string | null
  /** Why a search proposed it; null: it is part of a grid, or the reason is unknown. */
  readonly why: string | null
  readonly tags: readonly string[]
  readonly notes: readonly string[]
  /** All of them, including the last; empty if they were not requested. */
  readonly attempts: readonly Attempt[]
}

/** A finished run. */
export interface Observation extends RunRecord {
  readonly outcome: Outcome
}

/** The part of a record that exists before the run is executed. */
export function recordOf(run: Run): Pick<RunRecord, PlannedField> {
  const { key, name, ablation, flags, block, replicate, seed, numbers } = run
  const planned = { key, name, params: paramsOf(run), ablation, flags, block, replicate, seed }
  return numbers === undefined ? planned : { ...planned, numbers }
}

type PlannedField = 'key' | 'name' | 'params' | 'ablation' | 'flags' | 'block' | 'replicate' | 'seed' | 'numbers'

/** In some dialects blocks are parameters too; analysis must distinguish the two. */
function paramsOf({ params, ablation, block }: Run): JsonObject {
  let own = params
  for (const name in block)
    if (name in own) own = Object.fromEntries(Object.entries(own).filter(([other]) => other !== name))
  return ablation === null ? own : { ...own, ablation }
}

/** An observation from a few known facts: the row of a table, or the result of a suggestion. The rest is filled in. */
export function observed(known: Partial<Observation>): Observation {
  const { outcome = completed } = known
  return { ...nothingKnown, state: outcome.kind, ...known, outcome }
}

const completed: Outcome = { kind: 'completed' }

const nothingKnown: Omit<Observation, 'outcome' | 'state'> = {
  name: '',
  source: '',
  key: null,
  params: {},
  ablation: null,
  flags: [],
  block: {},
  replicate: 1,
  seed: null,
  metrics: {},
  problems: {},
  series: [],
  started_at: null,
  ended_at: null,
  wall_s: null,
  cpu_s: null,
  max_rss_bytes: null,
  cost_usd: null,
  cost_assumed: false,
  place: null,
  outputs: [],
  code: null,
  fingerprint: null,
  token: null,
  why: null,
  tags: [],
  notes: [],
  attempts: [],
}

/** Metrics that assay's own targets report under fixed names, known to analysis. */
export const knownMetrics = {
  /** Whether the run satisfied its asserts: 0 or 1. */
  passed: 'passed',
  /** A person's verdict on the same: 0 or 1. */
  label: 'label',
  /** One judge's verdict, 0 or 1: this prefix and the judge's name, `judge:gpt-4o`. */
  judge: 'judge:',
} as const

/** Columns of the table of runs, and placeholders: a parameter or metric of that name would hide one or be hidden by it. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...[
    'run_id',
    'run_dir',
    'out_dir',
    'params_json',
    'flags',
    'replicate',
    'ablation_name',
    'ablation_flags',
    'run_seed',
  ],
  ...['state', 'outcome', 'error_class', 'exit_code', 'attempts', 'wall_time_s', 'cpu_s', 'max_rss_bytes'],
  ...['cost_assumed', 'metric_problems', 'start_time_unix_s', 'end_time_unix_s'],
])

/** Why a metric can't have this name: every run has another value under it. Null: it can. */
export function metricNameTaken(name: string): string | null {
  if (name === 'seed') return '"seed" is the column of runs.csv with the random seed of each run'
  if (name === 'exit_status') return '"exit_status" is the column of runs.csv that says how an agent ended'
  return reservedNames.has(name) ? `"${name}" is reserved by assay` : null
}

/** The input of every analysis: finished runs of one or several experiments, or the rows of a table. Plain data, also in a browser. */
export interface Evidence {
  readonly runs: readonly Observation[]
  readonly metrics: readonly EvidenceMetric[]
  /** Names of the blocks that pair runs, the outermost first: `task`, then `seed`. */
  readonly blocks: readonly string[]
  /** Names of the factors, including `ablation` and (with several sources) `experiment`. */
  readonly factors: readonly string[]
  /** The levels of factors in the order in which they were written; runs have another order. */
  readonly levels: { readonly [factor: string]: readonly Json[] }
  /** The variant that others are compared with, if the experiment names one. */
  readonly baseline: JsonObject | null
  /** The analysis declared in the experiment; a reader's options override it. */
  readonly declared?: DeclaredAnalysis
  readonly sources: readonly EvidenceSource[]
  /** The reader's filters, and the number of ended runs before filtering. */
  readonly filter?: { readonly texts: readonly string[]; readonly of: number }
  /** How a table was interpreted without instructions: what belongs together in it, what was left out. */
  readonly notes?: readonly string[]
  /** Only if a search chose the variants. */
  readonly search?: EvidenceSearch
}

export type DeclaredAnalysis = Omit<AnalysisSpec, 'baseline' | 'require'>

export interface EvidenceSearch {
  /** Factors drawn from ranges: their values are not levels that variants share. */
  readonly ranges: readonly string[]
  /** Whether it chose variants by the results of earlier ones. */
  readonly learns: boolean
}

export interface EvidenceMetric {
  readonly name: string
  readonly goal: 'maximize' | 'minimize' | null
  readonly primary: boolean
  /** The possible values, if they were declared; null: that end is open. */
  readonly range?: readonly [low: number | null, high: number | null] | undefined
}

export interface EvidenceSource {
  /** The directory's own name, or the file's; made unique. */
  readonly name: string
  /** The experiment's own name, if its directory has another one by choice. */
  readonly title?: string
  /** The experiment directory or file, absolute. */
  readonly path: string
  /** How many runs the plan has; null if there is none. */
  readonly planned: number | null
  /** The source that it is a shard or a copy of: together they are one experiment, planned there. */
  readonly partOf?: string
  readonly kind?: 'experiment' | 'table'
  /** SHA-256 of the experiment's definition, without its name and place; of a table, of its bytes. */
  readonly sha256?: string
}

/** The level of a factor, block or `experiment` in a run; null if it does not apply. */
export function levelOf(run: RunRecord, factor: string): Json {
  return run.params[factor] ?? run.block[factor] ?? (factor === 'experiment' ? run.source : null)
}

/**
 * The cost of a run without judges: its price, whether its calls were paid for now or answered from the cache. Which of
 * two variants pays for an answer that both use depends on which ran first, so the amount paid (`cost_usd`) is
 * bookkeeping. It is more than the price only if attempts had to be repeated, and then they count. Null: unknown.
 */
export function priceOf({ metrics, cost_usd }: Pick<RunRecord, 'metrics' | 'cost_usd'>): number | null {
  // In a table of another tool, each column is what its name says.
  if (cost_usd === null) return metrics.cost_usd ?? null
  const { price_usd, judge_usd = 0 } = metrics
  return price_usd === undefined ? (metrics.cost_usd ?? cost_usd) : Math.max(price_usd, cost_usd - judge_usd)
}

/**
 * How many planned runs have not ended. Null without a plan, with a filter, and for a search, whose plan is only a
 * maximum.
 */
export function runsNotMade({ runs, sources, search, filter }: Evidence): number | null {
  const planned = plannedRuns(sources)
  return planned === null || search !== undefined || filter !== undefined ? null : Math.max(0, planned - runs.length)
}

/** For all experiments; null if one of them has no plan. */
export const plannedRuns = (sources: Evidence['sources']): number | null =>
  sources
    .filter(({ partOf }) => partOf === undefined)
    .reduce<number | null>((total, { planned }) => (total === null || planned === null ? null : total + planned), 0)

/** `partial: 20 of 60 planned runs have ended`; null: it is complete, or has no plan. Filtered runs count as ended. */
export function partialText({ runs, sources, search, filter }: Evidence): string | null {
  const planned = plannedRuns(sources)
  const ended = filter?.of ?? runs.length
  if (planned === null || search !== undefined || ended >= planned) return null
  return `partial: ${ended} of ${planned} planned runs have ended`
}

/** The branching point of a scenario's run, `RUN:TURN`; null: it started at the beginning, or is not a scenario. */
export function branchOf({ params: { scenario, branch_from } }: Pick<RunRecord, 'params'>): string | null {
  const isBranch = typeof scenario === 'string' && typeof branch_from === 'string' && /:\d+$/.test(branch_from)
  return isBranch ? branch_from : null
}
