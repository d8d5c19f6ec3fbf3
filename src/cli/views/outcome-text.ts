import type { Outcome } from '../../define/outcome.ts'
import { oneLine } from './text-width.ts'

/** Why an attempt did not complete, as `key=value`: the originals print `exit_code=7`. */
export function outcomeFact(outcome: Outcome): string {
  if (outcome.kind !== 'failed') return outcome.kind
  if (outcome.signal) return `signal=${outcome.signal}`
  if (outcome.exit_code !== undefined && outcome.exit_code !== null && outcome.exit_code !== 0)
    return `exit_code=${outcome.exit_code}`
  return outcome.error_class ?? 'failed'
}

/** The same for a person, with the last thing the program said. */
export function outcomeReason(outcome: Outcome, stderrTail = ''): string {
  const lastLine = stderrTail.trimEnd().split('\n').at(-1) ?? ''
  const said = oneLine(lastLine) || oneLine(outcome.message ?? '')
  const kind = outcome.kind.replaceAll('_', ' ')
  const fact = outcomeFact(outcome).replace('exit_code=', 'exit code ').replace('signal=', '')
  const what = fact === outcome.kind ? kind : `${kind}, ${fact}`
  return said === '' ? what : `${what}: ${said}`
}
