import type { JsonObject } from '../../util/json.ts'
import { type Message, type Tool, type Usage, wordsIn } from '../model-call.ts'

/**
 * An agent's work on one task, from any recorder: assay's own loop, the model proxy, or the file of another program.
 * The history is stored once; each turn says which part of it was its prompt.
 */
export interface Trajectory {
  /** The run's name, or the id of the instance in the files of another program. */
  readonly id: string
  /** The task or instance that was worked on, where the id is another: by it the works of different agents are paired. */
  readonly task?: string | undefined
  readonly recorded_by: RecordedBy
  readonly agent: TrajectoryAgent
  /** All messages in order: the system prompt, the instruction, then the answers and results of each turn. */
  readonly history: readonly Message[]
  readonly turns: readonly Turn[]
  readonly summaries: readonly Summary[]
  /**
   * How the work ended, in the words of the agent: `submitted`, `exit_cost`, `submitted (exit_context)`, … null:
   * unknown.
   */
  readonly exit_status: string | null
  /** The patch that was handed in; null: none. */
  readonly submission: string | null
  /** The reviewer's score; null: not reviewed. */
  readonly review_score: number | null
  /** All calls, including failed ones and those of earlier attempts. */
  readonly totals: TrajectoryTotals
  /** Lost or doubtful parts of the file, in plain sentences. */
  readonly notes: readonly string[]
  /** Agents that this one started, where their own trajectories are known; their calls are in the totals. */
  readonly subagents?: readonly Trajectory[] | undefined
}

export const recorders = ['assay', 'proxy', 'atif', 'swe-agent', 'mini-swe-agent'] as const
export type RecordedBy = (typeof recorders)[number]

export interface TrajectoryAgent {
  readonly name: string
  readonly version: string | null
  readonly model: string | null
  readonly tools: readonly Tool[]
  /** The context strategy with its settings; null: none is known. */
  readonly strategy: JsonObject | null
}

/** One question to the agent's model, its answer, and the results. */
export interface Turn {
  /** null: not in the file. */
  readonly prompt: readonly PromptPart[] | null
  /**
   * Messages `[from, to)` of the history belong to this turn: the answer and the results of its tools. Turns follow one
   * another and share no message.
   */
  readonly from: number
  readonly to: number
  /** `again`: its answer could not be used, so that the model is asked once more. `autosubmit`: the agent was cut off and its diff taken. */
  readonly kind: 'turn' | 'again' | 'autosubmit'
  readonly usage: Usage | null
  /** The amount paid. */
  readonly cost_usd: number | null
  /** The price at list price, cached or not. */
  readonly price_usd: number | null
  /** For the model's answer. */
  readonly inference_ms: number | null
  /** For the tools. */
  readonly execution_ms: number | null
  /** ISO 8601. */
  readonly started_at: string | null
}

/** A part of a prompt: messages of the history, one of the summaries, or a message that is nowhere else. */
export type PromptPart =
  | {
      readonly from: number
      readonly to: number
      /** Results of tools are replaced by a line that says how much was left out. */
      readonly masked?: true
    }
  | { readonly summary: number }
  | { readonly message: Message }

/** A part of the history in fewer words. */
export interface Summary {
  readonly text: string
  /** Turns `[from, to)` are in it, directly or through an earlier summary. */
  readonly from: number
  readonly to: number
  /** null: no model was asked. */
  readonly call: SideCall | null
}

/** A call that is not a turn of the agent: its costs are separate. */
export interface SideCall {
  readonly model: string | null
  readonly usage: Usage | null
  readonly cost_usd: number | null
  readonly price_usd: number | null
  readonly inference_ms: number | null
}

/** By purpose, with the names of SWE-agent's metrics. */
export interface TrajectoryTotals {
  readonly agent: CallSums
  readonly summary: CallSums
  /** Reviewers and choosers of the retry loop. */
  readonly rloop: CallSums
}

/** null: not in the file. */
export interface CallSums {
  readonly calls: number | null
  readonly cost_usd: number | null
  readonly price_usd: number | null
  readonly raw_input_tokens: number | null
  readonly cached_input_tokens: number | null
  readonly output_tokens: number | null
  readonly reasoning_tokens: number | null
}

export const unknownCalls: CallSums = {
  calls: null,
  cost_usd: null,
  price_usd: null,
  raw_input_tokens: null,
  cached_input_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
}

/** The messages that a prompt is made of. */
export function renderPrompt(
  parts: readonly PromptPart[],
  history: readonly Message[],
  summaries: readonly Pick<Summary, 'text'>[],
): readonly Message[] {
  return parts.flatMap((part): readonly Message[] => {
    if ('message' in part) return [part.message]
    if ('summary' in part) return [summaryMessage(summaries[part.summary]?.text ?? '')]
    const messages = history.slice(part.from, part.to)
    return part.masked === true ? messages.map(masked) : messages
  })
}

/**
 * A result keeps its place and its call; only its words are replaced. Agents without tools get results as the user's
 * words.
 */
export function masked(message: Message): Message {
  if (message.role === 'assistant' || message.role === 'system') return message
  return { ...message, content: omittedNotice(linesOf(wordsIn(message.content))) }
}

/** Replaces a result that is hidden from the model. */
export const omittedNotice = (lines: number): string =>
  `Old environment output: (${lines} ${lines === 1 ? 'line' : 'lines'} omitted)`

/** As Python's splitlines counts: an end of line at the very end begins no further line. */
function linesOf(text: string): number {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}

/** The agent reads a summary as its own words. */
const summaryMessage = (text: string): Message => ({ role: 'assistant', content: text })
