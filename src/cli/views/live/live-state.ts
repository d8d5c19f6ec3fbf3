import type { CostForecast } from '../../../define/outcome.ts'
import type { EngineEvent } from '../../../engine/call.ts'
import { alikeKey } from '../failure-groups.ts'
import { outcomeReason } from '../outcome-text.ts'
import type { Draining } from './draining-text.ts'

/** The state of the live view: a fold over the engine's events. */
export interface LiveState {
  readonly name: string
  readonly dir: string
  /** null while it depends on results. */
  readonly planned: number | null
  readonly jobs: number
  readonly reused: number
  readonly completed: number
  readonly failed: number
  /** Ended without completing, but not by a failure: cancelled, stopped early, cut by a limit. */
  readonly cut: number
  /** Runs of this process that are running, by name, with their start times. */
  readonly running: ReadonlyMap<string, number>
  /** Including running runs of other processes. */
  readonly runningAll: number
  readonly retrying: ReadonlySet<string>
  readonly costUsd: number
  /** The predicted final cost; null while there is no prediction. */
  readonly forecast: CostForecast | null
  /** Of attempts that ended here, for the remaining time. */
  readonly ended: { readonly count: number; readonly wallMs: number }
  /** Each kind of failure once, the newest last: the last run that failed in this way, why, and how many did. */
  readonly failures: readonly {
    readonly run: string
    readonly reason: string
    readonly alike: string
    readonly count: number
  }[]
  /** Runs that were stopped early, and why. */
  readonly stops: readonly { readonly run: string; readonly reason: string }[]
  readonly notices: readonly string[]
  readonly draining: Draining | null
}

export const noLiveState: LiveState = {
  name: '',
  dir: '',
  planned: null,
  jobs: 1,
  reused: 0,
  completed: 0,
  failed: 0,
  cut: 0,
  running: new Map(),
  runningAll: 0,
  retrying: new Set(),
  costUsd: 0,
  forecast: null,
  ended: { count: 0, wallMs: 0 },
  failures: [],
  stops: [],
  notices: [],
  draining: null,
}

/** How many stops and notices are kept: the view has no room for more. */
const kept = 3

/** More kinds of failures than are shown, so that one that recurs is still counted. */
const keptFailures = 50

export function foldLive(state: LiveState, event: EngineEvent): LiveState {
  switch (event.kind) {
    case 'started':
      // Results taken over from a dead process are among the reused ones, and the next progress event counts the rest.
      return { ...state, ...pick(event), completed: event.reused, failed: 0, cut: 0 }
    case 'attempt_started': {
      const running = new Map(state.running).set(event.run, event.at)
      return {
        ...state,
        running,
        runningAll: Math.max(state.runningAll, running.size),
        retrying: without(state.retrying, event.run),
      }
    }
    case 'attempt_ended':
      return foldEnd(state, event)
    case 'progress':
      return { ...foldSummary(state, event.summary), forecast: event.forecast ?? null }
    case 'summary':
      return { ...foldSummary(state, event), forecast: null }
    case 'notice':
      return { ...state, notices: [...state.notices, event.message].slice(-kept) }
    case 'draining':
      return { ...state, draining: event }
  }
}

type Ended = Extract<EngineEvent, { kind: 'attempt_ended' }>

function foldEnd(state: LiveState, event: Ended): LiveState {
  const running = new Map(state.running)
  running.delete(event.run)
  const after = {
    ...state,
    running,
    runningAll: Math.max(running.size, state.runningAll - 1),
    costUsd: state.costUsd + event.charged_usd,
    ended: { count: state.ended.count + 1, wallMs: state.ended.wallMs + event.wall_s * 1000 },
  }
  if (event.retry_in_ms !== null && event.outcome.kind === 'cancelled')
    return {
      ...after,
      notices: [...state.notices, `${event.run} was given back, for other workers or the next`].slice(-kept),
    }
  if (event.retry_in_ms !== null) return { ...after, retrying: new Set(state.retrying).add(event.run) }
  if (event.outcome.kind === 'completed') return { ...after, completed: state.completed + 1 }
  if (isCut(event)) return { ...after, cut: state.cut + 1, stops: [...state.stops, ...stopOf(event)].slice(-kept) }
  return { ...after, failed: state.failed + 1, failures: withFailure(state.failures, event) }
}

function withFailure(before: LiveState['failures'], { run, outcome, stderr_tail }: Ended): LiveState['failures'] {
  const alike = alikeKey(outcome, stderr_tail)
  const count = (before.find(failure => failure.alike === alike)?.count ?? 0) + 1
  const failure = { run, reason: outcomeReason(outcome, stderr_tail), alike, count }
  return [...before.filter(other => other.alike !== alike), failure].slice(-keptFailures)
}

const isCut = ({ outcome }: Ended): boolean =>
  ['cancelled', 'stopped_early', 'cost_limited', 'rate_limited'].includes(outcome.kind)

const stopOf = ({ run, outcome }: Ended): LiveState['stops'] =>
  outcome.kind === 'stopped_early' ? [{ run, reason: outcome.message ?? 'stopped early' }] : []

/** The journal is more accurate, and includes other processes. */
function foldSummary(state: LiveState, summary: Extract<EngineEvent, { kind: 'progress' }>['summary']): LiveState {
  return {
    ...state,
    planned: state.planned === null ? null : summary.planned,
    completed: summary.completed,
    failed: summary.failed + summary.timed_out + summary.infra_error + summary.quarantined,
    cut: summary.cancelled + summary.stopped_early + summary.cost_limited + summary.rate_limited,
    runningAll: summary.running,
    reused: summary.reused,
    costUsd: summary.cost_usd,
  }
}

const pick = ({ name, dir, planned, reused, jobs }: Extract<EngineEvent, { kind: 'started' }>) => ({
  name,
  dir,
  planned,
  reused,
  jobs,
})

function without(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
  if (!set.has(item)) return set
  const smaller = new Set(set)
  smaller.delete(item)
  return smaller
}
