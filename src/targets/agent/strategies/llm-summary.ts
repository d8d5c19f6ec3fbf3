import type { PromptPart } from '../../../models/trajectory/trajectory.ts'
import { type History, joined, type Strategy, type SummaryRequest, verbatim } from './strategy.ts'
import { listOfActions, summaryQuestion } from './summary-question.ts'

export interface SummarySettings {
  /** How many turns a summary covers. */
  readonly n: number
  /** How many of the newest turns are not summarised. */
  readonly keep_m: number
  /**
   * Whether only the newest summary is shown, which includes the earlier ones. `legacy`: as in the paper's program,
   * only in the one prompt after a summary is written; after that all of them are back.
   */
  readonly static_checkpoint: boolean | 'legacy'
  /** Whether a summary ends with a list of the summarised commands. */
  readonly extract_actions: boolean
  /** In words; -1: unlimited. */
  readonly max_action_length: number
  readonly max_reasoning_length: number
  /** Whether turns are left out without asking a model for a summary. */
  readonly omit_turns: boolean
}

/** After how many turns the last summary was asked for; null: none was yet. */
type State = number | null

/**
 * When n + keep_m turns are not summarised yet, the n oldest of them are: after turn n + keep_m for the first time,
 * then every n turns.
 */
export function llmSummary(settings: SummarySettings): Strategy<State> {
  const { n, keep_m } = settings
  return {
    name: 'llm_summary',
    start: () => null,
    next(history, state) {
      const { turns, summaries } = history
      const done = summaries.at(-1)?.to ?? 0
      if (turns.length - done >= n + keep_m)
        return { summarise: requestFor(history, done, settings), state: turns.length }
      const isFresh = state === turns.length
      const [opening, ...rest] = verbatim(history, done)
      return { prompt: joined([opening, ...shownSummaries(summaries.length, isFresh, settings), ...rest]), state }
    },
  }
}

function shownSummaries(count: number, isFresh: boolean, settings: SummarySettings): readonly PromptPart[] {
  const { static_checkpoint } = settings
  const isOnlyNewest = static_checkpoint === 'legacy' ? isFresh : static_checkpoint
  const first = isOnlyNewest ? Math.max(0, count - 1) : 0
  return Array.from({ length: count - first }, (_, at) => ({ summary: first + at }))
}

function requestFor(history: History, done: number, settings: SummarySettings): SummaryRequest {
  const { n, omit_turns, extract_actions } = settings
  const range = { from: done, to: done + n }
  if (omit_turns) return { ...range, ask: null, textOf: () => `(The previous ${n} turns are left out.)` }
  const actions = extract_actions ? `\n\n${listOfActions(history, range, settings.max_action_length)}` : ''
  return {
    ...range,
    since: 0,
    ask: summaryQuestion(history, range, settings.max_reasoning_length),
    textOf: answer => `Checkpoint: a summary of the ${n} turns before this point.\n\n${answer ?? ''}${actions}`,
  }
}
