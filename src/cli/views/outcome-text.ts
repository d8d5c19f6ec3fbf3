import type { Outcome } from '../../define/outcome.ts'
import { oneLine } from './text-width.ts'

/** Why an attempt did not complete, as `key=value`: Cascade's sweep runner prints `exit_code=7`. */
export function outcomeFact(outcome: Outcome): string {
  if (outcome.kind !== 'failed') return outcome.kind
  if (outcome.signal) return `signal=${outcome.signal}`
  if (outcome.exit_code !== undefined && outcome.exit_code !== null && outcome.exit_code !== 0)
    return `exit_code=${outcome.exit_code}`
  return outcome.error_class ?? 'failed'
}

/** The same for a person, with the program's last output. */
export function outcomeReason(outcome: Outcome, stderrTail = ''): string {
  const said = lastWords(outcome, stderrTail.trimEnd().split('\n').at(-1) ?? '')
  const kind = outcome.kind.replaceAll('_', ' ')
  const fact = outcomeFact(outcome).replace('exit_code=', 'exit code ').replace('signal=', '')
  const what = fact === outcome.kind ? kind : `${kind}, ${fact}`
  return said === '' ? what : `${what}: ${said}`
}

/** The program's last output, or else our own description; without the class of error, which the fact already names. */
export function lastWords(outcome: Outcome, stderrTail: string): string {
  const said = oneLine(stderrTail) || oneLine(outcome.message ?? '')
  const repeated = `${outcome.error_class}: `
  return outcomeFact(outcome) === outcome.error_class && said.startsWith(repeated) ? said.slice(repeated.length) : said
}
