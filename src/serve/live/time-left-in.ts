import { type ExperimentStatus, timeLeft } from '../../engine/status/experiment-status.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { paceLately } from '../../record/read/activity.ts'

/** So many runs back one looks for the pace: what was long ago says little. */
const lately = 200

/** So many must have ended in each lane before they make a pace. */
const fewestPerLane = 4

/** Until everything is done; null: nobody knows, or nobody starts new runs. */
export function timeLeftIn(
  journal: Journal,
  { summary, selected, control, workers, running }: ExperimentStatus,
  now: number,
) {
  // Those at work make what was selected, and no more.
  const left = selected ?? summary
  const lanes = workers.reduce((sum, { slots }) => sum + slots, 0)
  if (lanes === 0 || control !== 'go') return null
  const { ended, since, wall_s } = paceLately(journal, lately)
  if (ended === 0) return null
  // Many short runs go by how many end in a second: each of them takes less than what lies between two.
  if (ended >= fewestPerLane * lanes && now > since && left.pending + left.running > 0)
    return ((left.pending + left.running / 2) * (now - since)) / ended
  const started = running.map(({ started_at }) => started_at)
  return timeLeft({ typicalMs: wall_s * 1000, waiting: left.pending, running: started, lanes }, now)
}
