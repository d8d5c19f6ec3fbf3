import type { Summary } from '../../define/outcome.ts'
import { mostPlanned, presentWorkers } from '../../engine/status/experiment-status.ts'
import { type RecordedExperiment, readExperiment } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { standing } from '../../record/read/standing.ts'

/** `waiting`: there is something to do, but no process does it. */
export type SweepState = 'running' | 'paused' | 'stopping' | 'stopped' | 'finished' | 'waiting'

export interface SweepProgress {
  readonly state: SweepState
  readonly workers: number
  /** Ended runs, in any way. */
  readonly done: number
  /** null: it depends on results. */
  readonly planned: number | null
  /** In that case, their maximum; null: no limit. */
  readonly at_most: number | null
  readonly summary: Summary
}

export function sweepProgress(journal: Journal, dir: string): SweepProgress {
  const row = readExperiment(journal)
  const summary = standing(journal, dir, { scope: 'call' })
  const workers = presentWorkers(journal).length
  const { planned, pending, running, cancelled, rate_limited, infra_error } = summary
  const isEndless = row?.planned === null && !row.isPlanDone
  const isOver = !isEndless && pending + running + cancelled + rate_limited + infra_error === 0
  return {
    state: stateOf(row, workers, isOver),
    workers,
    done: planned - pending - running - cancelled - rate_limited - infra_error,
    planned: isEndless ? null : planned,
    at_most: isEndless && row !== undefined ? mostPlanned(journal, row) : null,
    summary,
  }
}

function stateOf(row: RecordedExperiment | undefined, workers: number, isOver: boolean): SweepState {
  const control = row?.control ?? 'go'
  if (isOver && workers === 0) return 'finished'
  if (control === 'pause') return 'paused'
  if (control !== 'go') return workers > 0 ? 'stopping' : 'stopped'
  return workers > 0 ? 'running' : 'waiting'
}
