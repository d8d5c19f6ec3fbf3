import type { Json, JsonObject } from '../util/json.ts'
import type { Series } from './job.ts'
import type { Outcome } from './outcome.ts'

/** What is analysed: finished runs of one or several experiments, or the rows of a table. Plain data, also in a browser. */
export interface Evidence {
  readonly runs: readonly EvidenceRun[]
  readonly metrics: readonly EvidenceMetric[]
  /** Names of what pairs runs, the outermost first: `task`, then `seed`. */
  readonly blocks: readonly string[]
  /** Names of what was varied, `ablation` and (with several sources) `experiment` among them. */
  readonly factors: readonly string[]
  /** The levels of factors in the order in which they were written; runs come in another. */
  readonly levels: { readonly [factor: string]: readonly Json[] }
  /** The variant that others are compared with, if the experiment names one. */
  readonly baseline: JsonObject | null
  readonly sources: readonly EvidenceSource[]
  /** Where a reader's filters chose some of the runs: which, and among how many that had ended. */
  readonly filter?: { readonly texts: readonly string[]; readonly of: number }
  /** Where a search chose the variants. */
  readonly search?: EvidenceSearch
}

export interface EvidenceSearch {
  /** Factors that it drew from ranges: their values are no levels that others have too. */
  readonly ranges: readonly string[]
  /** Whether it looked more where results were good. */
  readonly learns: boolean
}

export interface EvidenceRun {
  /** Its directory and label. */
  readonly name: string
  /** Which source it comes from. */
  readonly source: string
  /** Every parameter of the run, its ablation as `ablation` included. */
  readonly params: JsonObject
  readonly block: JsonObject
  /** The other columns of a table, to filter by. */
  readonly columns?: JsonObject
  readonly replicate: number
  readonly outcome: Outcome
  readonly metrics: { readonly [metric: string]: number }
  /** Metrics that were declared and could not be read, and why. */
  readonly problems: { readonly [metric: string]: string }
  readonly series: readonly Series[]
  readonly cost_usd: number | null
  readonly wall_s: number | null
  /** The commit of the code it was run with, changes that were not committed marked with `+`; null: not known. */
  readonly code: string | null
  /** The digest of what was run: target, its configuration, declared inputs. */
  readonly fingerprint?: string
  /** Which run it is, and which attempt its result comes from: the same in every copy of the directory. */
  readonly key?: string
  readonly token?: string
}

export interface EvidenceMetric {
  readonly name: string
  readonly goal: 'maximize' | 'minimize' | null
  readonly primary: boolean
}

export interface EvidenceSource {
  /** The directory's own name, or the file's; made unique. */
  readonly name: string
  /** The experiment directory or file, absolute. */
  readonly path: string
  /** How many runs the plan has; null where there is none. */
  readonly planned: number | null
  /** The source that it is a shard or a copy of: together they are one experiment, planned there. */
  readonly partOf?: string
  readonly kind?: 'experiment' | 'table'
  /** SHA-256 of the experiment's definition, without its name and place; of a table, of its bytes. */
  readonly sha256?: string
}

/** The level of a factor, block or `experiment` in a run; null where it does not apply. */
export function levelOf(run: EvidenceRun, factor: string): Json {
  return run.params[factor] ?? run.block[factor] ?? (factor === 'experiment' ? run.source : null)
}
