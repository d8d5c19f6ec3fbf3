import type { Outcome } from '../../define/outcome.ts'
import { ModelError, outcomeOfModelError } from '../../models/model-error.ts'
import { AssayError } from '../../util/errors.ts'
import { StrategyError } from '../agent/strategies/checked-strategy.ts'
import { NoVerdict } from '../prompt/asserts/judge.ts'
import { Unscored } from './evaluate/score.ts'

/** Once the agent's work is done and kept, the next attempt only scores it. */
export const leftAfter = (isWorkDone: boolean): Pick<Outcome, 'only_scoring_left'> =>
  isWorkDone ? { only_scoring_left: true } : {}

/** What an error means for the run; null: it is not known here. `isWorkDone`: the agent's work is kept, and only its score is missing. */
export function outcomeOfError(error: unknown, isWorkDone: boolean): Outcome | null {
  const left = leftAfter(isWorkDone)
  if (error instanceof Unscored) {
    const kind = error.retry ? 'infra_error' : 'failed'
    return { kind, error_class: error.errorClass, message: error.message, ...left }
  }
  if (error instanceof NoVerdict)
    return { kind: 'infra_error', error_class: 'no_verdict', message: error.message, ...left }
  if (error instanceof ModelError) return { ...outcomeOfModelError(error), ...left }
  if (error instanceof StrategyError) return { kind: 'failed', error_class: 'strategy_error', message: error.message }
  if (!(error instanceof AssayError)) return null
  const { code, message, hint } = error
  if (code === 'unsupported_environment')
    return {
      kind: 'failed',
      error_class: code,
      unsupported_environment: true,
      message: hint === undefined ? message : `${message}. ${hint}`,
    }
  return code === 'config' ? { kind: 'failed', error_class: 'task_error', message } : null
}
