import type { Run } from '../../../define/run.ts'
import type { RunContext } from '../../../define/target.ts'
import type { RunModels } from '../../run-models.ts'
import type { RepoFacts } from '../stage.ts'
import type { RunBoxes } from './box-of-run.ts'

/** Everything that the phases of one run share. */
export interface Rollout {
  readonly run: Run
  readonly context: RunContext
  readonly models: RunModels
  readonly boxes: RunBoxes
  /** Where the task's repository comes from; null: it has none. */
  readonly repo: RepoFacts | null
}

/** The time limit of a phase: the task's, multiplied. */
export function phaseMs({ boxes: { spec } }: Rollout, phase: 'agent' | 'tests', seconds: number): number {
  const { all = 1, [phase]: own = all } = spec.time
  return seconds * own * 1000
}
