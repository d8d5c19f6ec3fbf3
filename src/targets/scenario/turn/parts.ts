import type { Asking } from '../asking.ts'
import type { Before } from '../prompts/history.ts'
import type { Scenario } from '../scenario.ts'

/** The inputs of every part of a turn. */
export interface TurnParts {
  readonly scenario: Scenario
  readonly before: Before
  readonly asking: Asking
  /** Something that people should know about this turn. */
  remark(text: string): void
}
