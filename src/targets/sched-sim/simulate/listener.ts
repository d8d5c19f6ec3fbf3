import type { Attempt, Workflow } from './graph/workflow.ts'
import type { Resource } from './queue/resource.ts'

/** Hears events as they happen: a trace, a progress view, a test. Times are virtual ms. */
export interface SimListener {
  /** All that the node waits for has succeeded. */
  runnable?(now: number, workflow: Workflow, node: number): void
  queued?(now: number, workflow: Workflow, node: number, resource: Resource): void
  hedged?(now: number, attempt: Attempt): void
  started?(now: number, attempt: Attempt): void
  ended?(now: number, attempt: Attempt, ending: Attempt['ending'] | 'cancelled'): void
  /** `ended`: how many workflows have ended by now. */
  done?(now: number, workflow: Workflow, ended: number): void
}
