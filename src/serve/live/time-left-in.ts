import { type ExperimentStatus, timeLeft } from '../../engine/status/experiment-status.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { paceLately } from '../../record/read/activity.ts'

/** How many of the latest runs determine the pace: older ones say little. */
const lately = 200

/** How many must have ended in each lane before there is a pace. */
const fewestPerLane = 4

/** The time until everything is done; null: unknown, or no process starts new runs. */
export function timeLeftIn(
  journal: Journal,
  { summary, selected, control, workers, running }: ExperimentStatus,
  now: number,
) {
  // The active processes execute the selection, and no more.
  const left = selected ?? summary
  const lanes = workers.reduce((sum, { slots }) => sum + slots, 0)
  if (lanes === 0 || control !== 'go') return null
  const { ended, since, wall_s } = paceLately(journal, lately)
  if (ended === 0) return null
  // Many short runs are timed by how many end per second: each takes less than the gap between two.
  if (ended >= fewestPerLane * lanes && now > since && left.pending + left.running > 0)
    return ((left.pending + left.running / 2) * (now - since)) / ended
  const started = running.map(({ started_at }) => started_at)
  return timeLeft({ typicalMs: wall_s * 1000, waiting: left.pending, running: started, lanes }, now)
}
