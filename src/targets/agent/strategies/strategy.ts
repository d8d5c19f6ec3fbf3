import type { Message } from '../../../models/model-call.ts'
import type { PromptPart, Summary } from '../../../models/trajectory/trajectory.ts'

/**
 * How an agent manages its context: pure, so that it can also be applied to a recorded history. A summary is an effect
 * that the agent's loop performs.
 */
export interface Strategy<S = unknown> {
  readonly name: string
  start(): S
  /** The prompt of the next turn; or the summary that must be written first, after which the strategy is called again. */
  next(history: History, state: S): Next<S>
}

/** Everything that has happened so far. */
export interface History {
  readonly messages: readonly Message[]
  /** How many messages come before the first turn: the system prompt and the instruction. */
  readonly opening: number
  /** The turns that count. Answers that could not be used, and the questions they led to, are in no turn. */
  readonly turns: readonly TurnPlace[]
  readonly summaries: readonly Pick<Summary, 'text' | 'from' | 'to'>[]
}

/** Messages `[from, to)` belong to the turn: the answer, then the results of its tools. */
export interface TurnPlace {
  readonly from: number
  readonly to: number
}

export type Next<S> =
  | { readonly prompt: readonly PromptPart[]; readonly state: S; readonly summarise?: undefined }
  | { readonly summarise: SummaryRequest; readonly state: S; readonly prompt?: undefined }

/** Turns `[from, to)` are to be summarised. */
export interface SummaryRequest {
  readonly from: number
  readonly to: number
  /** The first turn that it covers through the previous summary, from which it is written; default: `from`. */
  readonly since?: number
  /** The prompt for a model; null: none is called, and `text` replaces the turns. */
  readonly ask: readonly Message[] | null
  /** The summary, given the model's answer; null where none was asked. */
  textOf(answer: string | null): string
}

/** Parts that touch become one, so that a prompt takes a few words however long the history is. */
export function joined(parts: readonly PromptPart[]): readonly PromptPart[] {
  const result: PromptPart[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (!('from' in part) || last === undefined || !('from' in last)) result.push(part)
    else if (part.from >= part.to) continue
    else if (last.to === part.from && last.masked === part.masked) result[result.length - 1] = { ...last, to: part.to }
    else result.push(part)
  }
  return result
}

/** The opening, and all turns from `first` on, unchanged. */
export function verbatim({ opening, turns }: History, first = 0): readonly [PromptPart, ...PromptPart[]] {
  return [{ from: 0, to: opening }, ...turns.slice(first).map(({ from, to }) => ({ from, to }))]
}
