import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { Bound } from '../../define/target.ts'
import type { Executor } from '../../execute/executor.ts'
import type { Journal } from '../../record/journal/journal.ts'
import type { WorkerKind } from '../../record/runs/workers.ts'
import type { Clock } from '../../util/time.ts'
import type { EngineEvent } from '../call.ts'
import type { RunningElsewhere } from './adopt.ts'

/** What the loop works with, and what it was asked for. */
export interface LoopSetup {
  readonly journal: Journal
  readonly dir: string
  readonly experiment: Experiment
  /** Of the definition that is run here. */
  readonly fingerprint: string
  readonly executor: Executor
  readonly workerId: number
  readonly kind: WorkerKind
  /** The most that one attempt of a run can cost by what the target knows; without a run, of any. */
  readonly bound: (run?: Run) => Bound
  /** A worker's own number of slots; null: the experiment's `jobs`. */
  readonly slots: number | null
  readonly failFast: boolean
  /** Attempts to make before leaving; null: no such limit. */
  readonly count: number | null
  /** Only attempts of this kind, of runs that are in the journal; without it any, of all runs of the plan. */
  readonly mode?: 'score' | undefined
  readonly reused: number
  readonly startedAt: number
  /** On the watch of the machine. */
  readonly startedElapsed: number
  readonly clock: Clock
  readonly emit: (event: EngineEvent) => void
  /** What goes on elsewhere, of workers that are gone: it is waited for like what is started here. */
  readonly runningElsewhere: readonly RunningElsewhere[]
}
