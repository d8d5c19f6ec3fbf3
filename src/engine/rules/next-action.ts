import type { Limits } from '../../define/limits.ts'
import { costLimits } from '../../define/permits.ts'
import type { Bound } from '../../define/target.ts'
import type { RunStanding } from '../../record/read/standing.ts'
import type { Reopening } from '../../record/runs/settle.ts'
import { limitNow } from './limits.ts'

/** What a call of `run` requests, as far as one run is concerned. */
export interface Asked {
  readonly limits: Limits
  /** The most that one run can cost, as far as its target knows. */
  readonly bound: Bound
  readonly retryFailed: boolean
  readonly fresh: boolean
  /** Whether this run was named, or all quarantined runs were and it is one of them. */
  readonly isNamed: boolean
  readonly stale: 'rerun' | 'keep' | null
  /** What changed between the run's definition and the present one; only read if the run is stale. */
  readonly change: string
  /** Whether the journal has it as running, but its process is gone. */
  readonly isCutOff: boolean
  /** A declared output that is gone, or null. */
  readonly lostOutput: string | null
}

export interface NextAction {
  /** `refuse`: `run` stops until the user decides about stale runs. */
  readonly action: 'run' | 'reuse' | 'leave' | 'refuse'
  readonly why: string
  /** For an ended run that runs again: what happens to the files and costs of its attempts. */
  readonly how?: Reopening
}

/**
 * What the next `run` does with a run, and why, in words. The one rule: `plan` and `why` predict with it, `run` acts on
 * it.
 */
export function nextAction(standing: RunStanding | undefined, asked: Asked): NextAction {
  if (standing === undefined) return run('it has not been run yet')
  if (standing.state === 'running')
    return asked.isCutOff
      ? run(`attempt ${standing.attempts} was interrupted when its process ended; a result that it left is used`)
      : { action: 'leave', why: 'it is running now' }
  if (standing.state === 'ready')
    return run(standing.attempts === 0 ? 'it has not been run yet' : `attempt ${standing.attempts} did not finish it`)
  if (asked.fresh) return run('--fresh runs everything again', 'anew')
  if (asked.isNamed) return run('--rerun names it', 'anew')
  return afterEnd(standing, asked)
}

function afterEnd(standing: RunStanding, asked: Asked): NextAction {
  switch (standing.state) {
    case 'completed':
      return asked.lostOutput === null
        ? { action: 'reuse', why: 'it is completed' }
        : run(`its declared output ${asked.lostOutput} is gone`, 'anew')
    case 'stale':
      // A run that is executed again anyway has no result to decide about.
      if (asked.retryFailed && (standing.ended === 'failed' || standing.ended === 'timed_out'))
        return run(`its last attempt ended as ${standing.ended} (--retry-failed)`, 'go_on')
      if (asked.stale === 'rerun') return run(`its definition changed (--stale rerun): ${asked.change}`, 'anew')
      // Once accepted, its state is that of a run of the present definition.
      if (asked.stale === 'keep' && (standing.ended !== 'completed' || asked.lostOutput !== null))
        return afterEnd({ ...standing, state: standing.ended }, asked)
      if (asked.stale === 'keep') return { action: 'reuse', why: `--stale keep accepts it, although ${asked.change}` }
      return { action: 'refuse', why: `its definition changed: ${asked.change}` }
    case 'cancelled':
    case 'rate_limited':
    case 'infra_error':
      return run(`its last attempt ended as ${standing.state}, which says nothing about the run itself`, 'interrupted')
    case 'failed':
      return asked.retryFailed
        ? run('it failed (--retry-failed)', 'go_on')
        : leave('it failed; --retry-failed runs it again')
    case 'timed_out':
      return cutByLimit(standing, asked.limits.timeout_ms, asked, 'timeout')
    case 'cost_limited':
      return cutByCost(standing, asked)
    case 'quarantined':
      return leave(
        `it failed the same way ${standing.failures} times (${standing.failure ?? 'unknown'}); --rerun ${standing.name} tries it again`,
      )
    case 'stopped_early':
      return leave(
        standing.stopped === null ? 'it ended as stopped_early' : `its trial was stopped early: ${standing.stopped}`,
      )
    default:
      return leave(`it ended as ${standing.state}`)
  }
}

function cutByCost(standing: RunStanding, asked: Asked): NextAction {
  const name = costLimits.find(one => one === standing.limit) ?? 'run_budget_usd'
  if (name === 'unknown_price') return run('the price that it lacked is there now', 'go_on')
  return cutByLimit(standing, limitNow(name, asked.limits, asked.bound), asked, name)
}

function cutByLimit(standing: RunStanding, limit: number | null, asked: Asked, name: string): NextAction {
  if (standing.cutAt !== null && (limit === null || standing.cutAt < limit))
    return run(`the ${name} that cut it was raised`, 'go_on')
  if (standing.state === 'timed_out' && asked.retryFailed) return run('it timed out (--retry-failed)', 'go_on')
  return leave(`its ${name} cut it; a higher one runs it again`)
}

const run = (why: string, how?: Reopening): NextAction => ({ action: 'run', why, ...(how && { how }) })
const leave = (why: string): NextAction => ({ action: 'leave', why })
