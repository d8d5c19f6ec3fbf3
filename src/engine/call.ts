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
  /** The experiment before `--seeds` changed it for this call, where it did. */
  readonly definition?: Experiment | undefined
  /** Whether the definition was given now, and not taken from the directory itself. */
  readonly isGiven: boolean
  /** The experiment's directory, absolute. */
  readonly dir: string
  readonly executor: Executor
  readonly plan: PlannerOptions
  /** Failed and timed-out runs run again. */
  readonly retryFailed: boolean
  /** Names of runs to run again; `quarantined` stands for all that are. */
  readonly rerun: readonly string[]
  /** Everything runs again. */
  readonly fresh: boolean
  /** `score`: what finished runs have left is scored again, and nothing else is done. */
  readonly mode?: 'score' | undefined
  /** What to do with finished runs of an earlier definition; null: refuse and explain. */
  readonly stale: 'rerun' | 'keep' | null
  /** Results that another program has left in the folders of runs count: see `originalResult` of a dialect. */
  readonly takesIn?: boolean | undefined
  readonly failFast: boolean
  /** The share of runs that must pass; without it as the experiment says. */
  readonly requirePass?: number | undefined
  /** Limits given for this call: they replace what `assay set` said. */
  readonly explicitLimits: readonly (keyof Limits)[]
  /** An error that points into the configuration; where there is none, the message has to do. */
  readonly errorAt?: ((problems: readonly Problem[]) => Error) | undefined
  readonly tags: readonly string[]
  readonly note: string | null
}

/** How a user asks the engine to end: `drain` lets running runs finish, `cancel` ends them. */
export type Interrupt = 'drain' | 'cancel'

/** Where interrupts come from; the returned function stops listening. */
export type Interrupts = (listener: (interrupt: Interrupt) => void) => () => void

export const noInterrupts: Interrupts = () => () => undefined

/** How a call of `run` or `worker` ended. */
export interface WorkEnd {
  readonly summary: Summary
  readonly exitCode: number
  /** Why no more runs were started, if it was not that everything is done. */
  readonly stoppedBy: string | null
  /** null: no run says whether it passed, and none has to. */
  readonly passes: Passes | null
}

/** What the engine tells its listeners (terminal views, `--json`, layouts), in the order it happens. Plain data. */
export type EngineEvent =
  | {
      readonly kind: 'started'
      readonly name: string
      readonly dir: string
      readonly planned: number | null
      /** Where only the future can tell how many: no more than these. */
      readonly at_most?: number
      readonly reused: number
      /** Runs that are still to be made, by this call or others. */
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
      /** What of it was not booked before, while the attempt went on. */
      readonly charged_usd: number
      readonly metrics: readonly Reading[]
      /** Milliseconds until the next attempt; null when there is none. */
      readonly retry_in_ms: number | null
      readonly quarantined: boolean
      readonly stderr_tail: string
    }
  /** `forecast`: what everything will have cost in the end, as soon as something can be said. */
  | { readonly kind: 'progress'; readonly summary: Summary; readonly forecast?: CostForecast }
  /** Something a person should know: an adopted orphan, a changed limit, a warning. */
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning'; readonly message: string }
  /** No new runs are started any more; said again if running ones are cancelled later. */
  | {
      readonly kind: 'draining'
      readonly reason: string
      /** Running ones are ended too, instead of being let finish. */
      readonly cancels?: true
    }
  | ({
      readonly kind: 'summary'
      readonly exit_code: number
      readonly stopped_by: string | null
      /** Where runs say whether they passed. */
      readonly pass?: Passes
    } & Summary)

/** How many runs passed what they were held to. */
export interface Passes {
  readonly passed: number
  /** Completed runs that say whether they passed. */
  readonly judged: number
  /** The share that must pass; null: none is required. */
  readonly required: number | null
}

/** Whether as many passed as must; where no run says whether it did, none has. */
export const isReached = ({ passed, judged, required }: Passes): boolean =>
  required === null || (judged > 0 && passed / judged >= required)

export type Listener = (event: EngineEvent) => void

/**
 * Tells all listeners. One that fails costs nothing: the engine goes on, the others hear of it once for each message,
 * and where there are no others Node prints a warning.
 */
export function announcing(listeners: readonly Listener[]): (event: EngineEvent) => void {
  const told = new Set<string>()
  const complain = (failed: Listener, error: unknown): void => {
    const message = messageOf(error)
    if (told.has(message) || told.size === mostComplaints) return
    told.add(message)
    const others = listeners.filter(listener => listener !== failed)
    if (others.length === 0) process.emitWarning(`a listener of assay failed: ${message}`)
    // One that fails at this as well would complain for ever.
    for (const other of others) tell(other, { kind: 'notice', level: 'warning', message }, () => undefined)
  }
  return event => {
    for (const listener of listeners) tell(listener, event, error => complain(listener, error))
  }
}

/** A message may be another one each time. */
const mostComplaints = 20

function tell(listener: Listener, event: EngineEvent, onFailure: (error: unknown) => void): void {
  try {
    // An asynchronous function is taken for a listener as well.
    const answer: unknown = listener(event)
    if (answer instanceof Promise) answer.catch(onFailure)
  } catch (error) {
    onFailure(error)
  }
}
