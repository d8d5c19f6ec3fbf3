import { failureCause, type Outcome } from '../../define/outcome.ts'
import { lastWords, outcomeFact } from './outcome-text.ts'

export interface Failure {
  readonly run: string
  readonly outcome: Outcome
  readonly stderrTail?: string
}

/** Similar failures: one line represents all of them. */
export interface FailureGroup {
  /** It represents all of them. */
  readonly first: Failure
  readonly runs: readonly string[]
}

/** The largest group first; among equal ones, the first that occurred. */
export function failureGroups(failures: readonly Failure[]): readonly FailureGroup[] {
  return [...Map.groupBy(failures, ({ outcome, stderrTail = '' }) => alikeKey(outcome, stderrTail)).values()]
    .flatMap(group => {
      const [first] = group
      return first === undefined ? [] : [{ first, runs: group.map(({ run }) => run) }]
    })
    .sort((a, b) => b.runs.length - a.runs.length)
}

/** The same text for failures of one kind, whatever numbers and paths are in their messages. */
export const alikeKey = (outcome: Outcome, stderrTail: string): string =>
  `${outcomeFact(outcome)}\n${failureCause(lastSaid(outcome, stderrTail))}`

/** The last line that the program printed, or else our own description. */
export const lastSaid = (outcome: Outcome, stderrTail: string): string =>
  lastWords(outcome, stderrTail.trimEnd().split('\n').at(-1) ?? '')
