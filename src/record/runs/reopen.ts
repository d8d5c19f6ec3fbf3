import { cutOff } from '../../define/outcome.ts'
import type { Journal } from '../journal/journal.ts'
import { isOfAnother } from '../read/standing.ts'

/**
 * How a run that has ended becomes ready again. `interrupted`: how often it failed the same way still counts, so that one
 * which meets the same trouble in every call ends in quarantine. `go_on`: its failures are forgotten; what its attempts
 * have cost counts against its cap, and the next may go on from the last. `anew`: the earlier result is given up; costs
 * are counted from the next attempt on, which begins from nothing.
 */
export type Reopening = 'interrupted' | 'go_on' | 'anew'

/** Makes runs of the current plan ready again, by their ids; which ones is for the engine to say. Counts them. */
export function reopenRuns(journal: Journal, ids: readonly number[], how: Reopening): number {
  if (ids.length === 0) return 0
  return journal.run(
    `${reopen[how]} AND state <> 'running' AND id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  )
}

/** Everything that is not running, as `--fresh` asks for. */
export function reopenAll(journal: Journal): number {
  return journal.run(`${reopen.anew} AND state <> 'running'`)
}

/** A wait that was left of an earlier call is over. */
export function endWaits(journal: Journal): void {
  journal.run(`UPDATE runs SET ready_at = 0 ${ofThisPlan} AND state = 'ready' AND ready_at > 0`)
}

/** Stale runs are accepted as they are: from now on they count as runs of this definition. Attempts keep the truth. */
export function keepStale(journal: Journal): number {
  return journal.run(
    `UPDATE runs SET fingerprint = (SELECT fingerprint FROM experiment) ${ofThisPlan} AND ${isOfAnother}
       AND (state = 'quarantined' OR (state = 'finished' AND outcome NOT IN (SELECT value FROM json_each(?))))`,
    JSON.stringify(cutOff),
  )
}

const ofThisPlan = 'WHERE generation = (SELECT generation FROM experiment)'
const forgiven = `state = 'ready', ready_at = 0, retries = '{}', failure = NULL, failures = 0, cut_at = NULL`

const reopen: { readonly [how in Reopening]: string } = {
  interrupted: `UPDATE runs SET state = 'ready', ready_at = 0, retries = '{}' ${ofThisPlan}`,
  go_on: `UPDATE runs SET ${forgiven} ${ofThisPlan}`,
  anew: `UPDATE runs SET ${forgiven}, counts_from = attempts + 1, cost_usd = 0, cost_assumed = 0, capped_usd = 0,
    calls = 0, tokens = 0, mode = 'run', continues = NULL ${ofThisPlan}`,
}
