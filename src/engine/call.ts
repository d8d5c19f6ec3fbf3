import type { Experiment } from '../define/experiment.ts'
import type { Limits } from '../define/limits.ts'
import type { CostForecast, Outcome, Summary } from '../define/outcome.ts'
import type { Reading } from '../define/run.ts'
import type { BoundTarget, Problem } from '../define/target.ts'
import type { Executor } from '../execute/executor.ts'
import type { PlannerOptions } from '../plan/planner.ts'
import { messageOf } from '../util/errors.ts'
import type { Clock } from '../util/time.ts'

/** What the engine needs from its caller. */
export interface Surroundings {
  readonly clock: Clock
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly argv: readonly string[]
  readonly interrupts: Interrupts
  readonly listeners: readonly Listener[]
}

/** One call of `assay run`. */
export interface RunRequest extends BoundTarget {
  /** The experiment before `--seeds` changed it for this call, if it did. */
  readonly definition?: Experiment | undefined
  /** Whether the definition was given now, not taken from the directory itself. */
  readonly isGiven: boolean
  /** The experiment's directory, absolute. */
  readonly dir: string
  readonly executor: Executor
  readonly plan: PlannerOptions
  /** Failed and timed-out runs run again. */
  readonly retryFailed: boolean
  /** Names of runs to run again; `quarantined` stands for all quarantined runs. */
  readonly rerun: readonly string[]
  /** Run everything again. */
  readonly fresh: boolean
  /** `score`: only scores again what finished runs have left. */
  readonly mode?: 'score' | undefined
  /** What to do with finished runs of an earlier definition; null: refuse and explain. */
  readonly stale: 'rerun' | 'keep' | null
  /** Whether results that another program left in the folders of runs count: see `originalResult` of a dialect. */
  readonly takesIn?: boolean | undefined
  readonly failFast: boolean
  /** The share of runs that must pass; default: as the experiment says. */
  readonly requirePass?: number | undefined
  /** Limits given for this call: they override `assay set`. */
  readonly explicitLimits: readonly (keyof Limits)[]
  /** An error that points to a place in the configuration; if there is none, the message is enough. */
  readonly errorAt?: ((problems: readonly Problem[]) => Error) | undefined
  readonly tags: readonly string[]
  readonly note: string | null
}

/** How a user ends the engine: `drain` lets running runs finish, `cancel` ends them. */
export type Interrupt = 'drain' | 'cancel'

/** Where interrupts come from; the returned function stops listening. */
export type Interrupts = (listener: (interrupt: Interrupt) => void) => () => void

export const noInterrupts: Interrupts = () => () => undefined

/** How a call of `run` or `worker` ended. */
export interface WorkEnd {
  readonly summary: Summary
  readonly exitCode: number
  /** Why no more runs were started; null: everything is done. */
  readonly stoppedBy: string | null
  /** null: no run reports whether it passed, and none has to. */
  readonly passes: Passes | null
}

/** What the engine tells its listeners (terminal views, `--json`, layouts), in the order it happens. Plain data. */
export type EngineEvent =
  | {
      readonly kind: 'started'
      readonly name: string
      readonly dir: string
      readonly planned: number | null
      /** If the number depends on results: at most this many. */
      readonly at_most?: number
      readonly reused: number
      /** Runs that this call or others still have to execute. */
      readonly to_run: number
      readonly jobs: number
    }
  | { readonly kind: 'attempt_started'; readonly run: string; readonly attempt: number; readonly at: number }
  | {
      readonly kind: 'attempt_ended'
      readonly run: string
      readonly attempt: number
      readonly outcome: Outcome
      readonly wall_s: number
      readonly cost_usd: number | null
      /** The part that was not booked during the attempt. */
      readonly charged_usd: number
      readonly metrics: readonly Reading[]
      /** Milliseconds until the next attempt; null when there is none. */
      readonly retry_in_ms: number | null
      readonly quarantined: boolean
      readonly stderr_tail: string
    }
  /** `forecast`: the predicted final cost, once there is one. */
  | { readonly kind: 'progress'; readonly summary: Summary; readonly forecast?: CostForecast }
  /** A message for the user: an adopted orphan, a changed limit, a warning. */
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning'; readonly message: string }
  /** No new runs are started any more; sent again if running ones are cancelled later. */
  | {
      readonly kind: 'draining'
      readonly reason: string
      /** Running runs are ended too. */
      readonly cancels?: true
    }
  | ({
      readonly kind: 'summary'
      readonly exit_code: number
      readonly stopped_by: string | null
      /** If runs report whether they passed. */
      readonly pass?: Passes
    } & Summary)

/** How many runs passed. */
export interface Passes {
  readonly passed: number
  /** Completed runs that report whether they passed. */
  readonly judged: number
  /** The share that must pass; null: none is required. */
  readonly required: number | null
}

/** Whether enough runs passed; if no run reports that it passed, none has. */
export const isReached = ({ passed, judged, required }: Passes): boolean =>
  required === null || (judged > 0 && passed / judged >= required)

export type Listener = (event: EngineEvent) => void

/**
 * Sends events to all listeners. A failing listener harms nothing: the engine continues and reports each message once
 * to the others; if there are none, Node prints a warning.
 */
export function announcing(listeners: readonly Listener[]): (event: EngineEvent) => void {
  const reported = new Set<string>()
  const complain = (failed: Listener, error: unknown): void => {
    const message = messageOf(error)
    if (reported.has(message) || reported.size === mostComplaints) return
    reported.add(message)
    const others = listeners.filter(listener => listener !== failed)
    if (others.length === 0) process.emitWarning(`a listener of assay failed: ${message}`)
    // A listener that fails on this too would complain for ever.
    for (const other of others) tell(other, { kind: 'notice', level: 'warning', message }, () => undefined)
  }
  return event => {
    for (const listener of listeners) tell(listener, event, error => complain(listener, error))
  }
}

/** The message may be different each time. */
const mostComplaints = 20

function tell(listener: Listener, event: EngineEvent, onFailure: (error: unknown) => void): void {
  try {
    // An async function may be given as a listener, too.
    const answer: unknown = listener(event)
    if (answer instanceof Promise) answer.catch(onFailure)
  } catch (error) {
    onFailure(error)
  }
}
