import type { Outcome } from '../../define/outcome.ts'
import { lostClass, takenAwayClass } from '../../record/runs/settle.ts'
import { isTakenAway, stateInWords } from './states.ts'

/** An attempt whose array task is over, without its result. */
export interface Unfinished {
  /** As people name it to Slurm: `12_3`. */
  readonly task: string
  /** In Slurm's words. */
  readonly state: string
  /** The node; '' if it is not known. */
  readonly where: string
  readonly hasBegun: boolean
  /** Whether the task had begun any of its runs. */
  readonly hasTaskBegun: boolean
  /** What the task printed last. */
  readonly said: string
}

/**
 * What is said of it. A run that was never begun, or was taken away by people or preemption, is ready again as if nothing
 * had been; one during which its task or node ended counts as lost, for it may be the reason; a task that could not
 * even begin is a fault of the setup.
 */
export function outcomeOfUnfinished(end: Unfinished): Outcome {
  const { state, hasBegun, hasTaskBegun } = end
  const where = end.where === '' ? '' : ` on ${end.where}`
  const what = `its Slurm task ${end.task}${where} ${stateInWords(state)}`
  const said = end.said === '' ? '' : `: ${end.said}`
  if (!hasBegun && !hasTaskBegun && !isTakenAway(state))
    return { kind: 'infra_error', error_class: 'slurm_task', message: `${what} before it began a run${said}` }
  if (!hasBegun) return { kind: 'cancelled', error_class: takenAwayClass, message: `${what} before this run began` }
  const isCounted = !isTakenAway(state) || state === 'NODE_FAIL'
  return { kind: 'cancelled', error_class: isCounted ? lostClass : takenAwayClass, message: what }
}
