import type { Json, JsonObject } from '../util/json.ts'
import type { Observation, RunRecord } from './observation.ts'

/** What is analysed: finished runs of one or several experiments, or the rows of a table. Plain data, also in a browser. */
export interface Evidence {
  readonly runs: readonly Observation[]
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
export function levelOf(run: RunRecord, factor: string): Json {
  return run.params[factor] ?? run.block[factor] ?? (factor === 'experiment' ? run.source : null)
}

/**
 * How many runs of the plan have not been made, or have not ended. Null where nobody planned them, where a filter chose among
 * them, and for a search, whose plan is how many it may try at most.
 */
export function runsNotMade({ runs, sources, search, filter }: Evidence): number | null {
  const planned = plannedRuns(sources)
  return planned === null || search !== undefined || filter !== undefined ? null : Math.max(0, planned - runs.length)
}

/** Of all experiments; null where one of them has no plan. */
export const plannedRuns = (sources: Evidence['sources']): number | null =>
  sources
    .filter(({ partOf }) => partOf === undefined)
    .reduce<number | null>((total, { planned }) => (total === null || planned === null ? null : total + planned), 0)

/** `partial: 20 of 60 planned runs have ended`; null: it is not, or nobody planned it. What a filter leaves is a part of a part. */
export function partialText({ runs, sources, search, filter }: Evidence): string | null {
  const planned = plannedRuns(sources)
  const ended = filter?.of ?? runs.length
  if (planned === null || search !== undefined || ended >= planned) return null
  return `partial: ${ended} of ${planned} planned runs have ended`
}
