import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { Bound } from '../../define/target.ts'
import type { Executor } from '../../execute/executor.ts'
import type { Journal } from '../../record/journal/journal.ts'
import type { WorkerKind } from '../../record/runs/workers.ts'
import type { Clock } from '../../util/time.ts'
import type { EngineEvent } from '../call.ts'
import type { RunningElsewhere } from './adopt.ts'

/** What the loop works with, and what was requested. */
export interface LoopSetup {
  readonly journal: Journal
  readonly dir: string
  readonly experiment: Experiment
  /** Of the definition being run. */
  readonly fingerprint: string
  readonly executor: Executor
  readonly workerId: number
  readonly kind: WorkerKind
  /** The most that one attempt of a run can cost, as far as the target knows; without a run, of any run. */
  readonly bound: (run?: Run) => Bound
  /** A worker's own number of slots; null: the experiment's `jobs`. */
  readonly slots: number | null
  readonly failFast: boolean
  /** How many attempts to make before leaving; null: no limit. */
  readonly count: number | null
  /** Only attempts of this kind, of runs in the journal; default: any attempts of all runs of the plan. */
  readonly mode?: 'score' | undefined
  readonly reused: number
  readonly startedAt: number
  /** On the machine's monotonic clock. */
  readonly startedElapsed: number
  readonly clock: Clock
  readonly emit: (event: EngineEvent) => void
  /** Attempts of dead workers that are still running elsewhere: the loop waits for them like for its own. */
  readonly runningElsewhere: readonly RunningElsewhere[]
}
