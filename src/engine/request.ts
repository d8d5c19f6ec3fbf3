import type { Experiment } from '../define/experiment.ts'
import type { Limits } from '../define/limits.ts'
import type { Summary } from '../define/outcome.ts'
import type { BoundTarget, Problem } from '../define/target.ts'
import type { Executor } from '../execute/executor.ts'
import type { PlannerOptions } from '../plan/planner.ts'
import type { Clock } from '../util/time.ts'
import type { Listener, Passes } from './events.ts'

/** What the engine needs from outside, whoever calls it. */
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
