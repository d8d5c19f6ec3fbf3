import { type ExperimentStatus, timeLeft } from '../../engine/status/experiment-status.ts'
import type { Journal } from '../../record/journal/journal.ts'

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
  const { ended, since, wall_s } = lastEnded(journal)
  if (ended === 0) return null
  // Many short runs go by how many end in a second: each of them takes less than what lies between two.
  if (ended >= fewestPerLane * lanes && now > since && left.pending + left.running > 0)
    return ((left.pending + left.running / 2) * (now - since)) / ended
  const started = running.map(({ started_at }) => started_at)
  return timeLeft({ typicalMs: wall_s * 1000, waiting: left.pending, running: started, lanes }, now)
}

interface Ended {
  readonly ended: number
  /** When the first of them ended, or those at work came. */
  readonly since: number
  readonly wall_s: number
}

/** Of the runs that have ended since the first of those who are at work now came. */
function lastEnded(journal: Journal): Ended {
  const found = journal.get<{ ended: number; since: number | null; joined: number | null; wall_s: number | null }>(
    `WITH joined AS (SELECT min(joined_at) AS at FROM workers WHERE left_at IS NULL),
          last AS (SELECT ended_at, wall_s FROM attempts
                   WHERE id > (SELECT max(id) FROM attempts) - ${2 * lately} AND ended_at >= (SELECT at FROM joined)
                   ORDER BY id DESC LIMIT ${lately})
     SELECT count(*) AS ended, min(ended_at) AS since, avg(wall_s) AS wall_s, (SELECT at FROM joined) AS joined FROM last`,
  )
  const { ended = 0, since = null, joined = null, wall_s = null } = found ?? {}
  return { ended, since: (ended < lately ? joined : since) ?? 0, wall_s: wall_s ?? 0 }
}
