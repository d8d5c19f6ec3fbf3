import type { Counts, Progress } from '../../../src/serve/wire.ts'

export interface StateWords {
  readonly text: string
  readonly tone: 'good' | 'warning' | ''
}

/** The state of an experiment in one word. */
export function stateOf({ control, workers, summary, stopped_by }: Progress): StateWords {
  if (workers.length > 0) {
    if (control === 'pause') return { text: 'paused', tone: 'warning' }
    if (control !== 'go') return { text: 'stopping', tone: 'warning' }
    return { text: 'running', tone: 'good' }
  }
  if (summary.pending + summary.running + summary.stale === 0) return endOf(summary)
  if (control === 'pause') return { text: 'paused; no process is running it', tone: 'warning' }
  return { text: `${stopped_by === null ? 'partial' : 'stopped'}; no process is running it`, tone: 'warning' }
}

/** Everything is over, which does not mean that it went well. */
export function endOf(summary: Counts): StateWords {
  const bad = summary.failed + summary.quarantined + summary.timed_out + summary.infra_error
  if (bad === 0) return { text: 'complete', tone: 'good' }
  if (summary.completed === 0) return { text: 'ended: no run completed', tone: 'warning' }
  return { text: `complete, ${bad} without a result`, tone: 'warning' }
}
