import type { Message } from '../../../models/model-call.ts'
import type { PromptPart, Summary } from '../../../models/trajectory/trajectory.ts'

/**
 * How an agent manages its context: pure, so that what it would have done can be computed from a recorded history.
 * A summary is an effect that the agent's loop performs.
 */
export interface Strategy<S = unknown> {
  readonly name: string
  start(): S
  /** The prompt of the next turn; or the summary that must be written first, after which it is asked again. */
  next(history: History, state: S): Next<S>
}

/** Everything that has happened so far. */
export interface History {
  readonly messages: readonly Message[]
  /** How many messages come before the first turn: the system prompt and the instruction. */
  readonly opening: number
  /** Messages `[from, to)` of each turn. */
  readonly turns: readonly TurnPlace[]
  readonly summaries: readonly Summary[]
}

export interface TurnPlace {
  readonly from: number
  readonly to: number
}

export type Next<S> =
  | { readonly prompt: readonly PromptPart[]; readonly state: S; readonly summarise?: undefined }
  | { readonly summarise: SummaryRequest; readonly state: S; readonly prompt?: undefined }

/** Turns `[from, to)` of the history are to be put into fewer words. */
export interface SummaryRequest {
  readonly from: number
  readonly to: number
  /** `null`: no model is asked, and this text stands for the turns. */
  readonly prompt: readonly Message[] | null
  readonly text: string | null
  /** Added to what the model writes, such as a list of the actions. */
  readonly appended: string
}
