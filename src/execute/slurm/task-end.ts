import type { Outcome } from '../../define/outcome.ts'
import { lostClass, takenAwayClass } from '../../record/runs/settle.ts'
import { isTakenAway, stateInWords } from './states.ts'

/** An attempt whose array task is over, without its result. */
export interface Unfinished {
  /** Its name in Slurm's commands: `12_3`. */
  readonly task: string
  /** In Slurm's words. */
  readonly state: string
  /** The node; '' if it is not known. */
  readonly where: string
  readonly hasBegun: boolean
  /** Whether the task had started any of its runs. */
  readonly hasTaskBegun: boolean
  /** The last output of the task. */
  readonly lastOutput: string
}

/**
 * The attempt's outcome. A run that was never started, or was cancelled by a user or preempted, is ready again as if
 * nothing had happened; one during which its task or node ended counts as lost, since it may be the cause; a task that
 * could not even start points to a fault in the setup.
 */
export function outcomeOfUnfinished(end: Unfinished): Outcome {
  const { state, hasBegun, hasTaskBegun } = end
  const where = end.where === '' ? '' : ` on ${end.where}`
  const what = `its Slurm task ${end.task}${where} ${stateInWords(state)}`
  const lastOutput = end.lastOutput === '' ? '' : `: ${end.lastOutput}`
  if (!hasBegun && !hasTaskBegun && !isTakenAway(state))
    return { kind: 'infra_error', error_class: 'slurm_task', message: `${what} before it began a run${lastOutput}` }
  if (!hasBegun) return { kind: 'cancelled', error_class: takenAwayClass, message: `${what} before this run began` }
  const isCounted = !isTakenAway(state) || state === 'NODE_FAIL'
  return { kind: 'cancelled', error_class: isCounted ? lostClass : takenAwayClass, message: what }
}
