import type { ReasoningEffort } from '../define/models/model-settings.ts'
import type { JsonObject } from '../util/json.ts'

/** One question to a language model. */
export interface ModelCall {
  /** As the user wrote it: a preset, `vendor/model`, a bare name, `sim/…`. */
  readonly model: string
  readonly messages: readonly Message[]
  readonly temperature?: number | undefined
  readonly top_p?: number | undefined
  /** Never left open: without one it is what the model's settings say, since what a call can cost must be known before. */
  readonly max_output_tokens?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly reasoning?: ReasoningEffort | undefined
  /** Sent to providers that take one; always part of the cache key. */
  readonly seed?: number | undefined
  /** A JSON Schema that the answer must satisfy. */
  readonly schema?: JsonObject | undefined
  /** Tools the model may call; their results come back as messages. */
  readonly tools?: readonly Tool[] | undefined
  /** Whether the model must call a tool, and which; `auto` unless given. */
  readonly tool_choice?: ToolChoice | undefined
  /** Whether one answer may call several tools; as the provider likes unless given. */
  readonly parallel_tool_calls?: boolean | undefined
  /** What the call is for: every purpose counts, and is told apart. */
  readonly purpose: Purpose
}

/** An open name, by which cost is told apart: `answer`, `agent`, `summary`, `judge`, `metric`, `check`, … */
export type Purpose = string

/** `required`: some tool. A name: that tool. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string }

export type Message = (
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: Content }
  | {
      readonly role: 'assistant'
      readonly content: string
      readonly tool_calls?: readonly ToolCall[] | undefined
      /** As it came with the answer: some providers want to see their own thoughts again. */
      readonly reasoning?: readonly ReasoningPart[] | undefined
    }
  | {
      readonly role: 'tool'
      readonly tool_call_id: string
      readonly name: string
      readonly content: Content
      /** The tool failed, and the content says how. */
      readonly is_error?: boolean | undefined
    }
) & {
  /** Up to the end of this message the provider shall keep the prompt, for so long. */
  readonly cache?: CacheMark | undefined
}

export const cacheMarks = ['5m', '1h'] as const
export type CacheMark = (typeof cacheMarks)[number]

/** A text, or several parts in order. */
export type Content = string | readonly ContentPart[]
export type ContentPart = TextPart | MediaPart

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

/** A picture or a file (a PDF, a sound, …): itself, in base64, or where the provider finds it. */
export type MediaPart = {
  readonly type: 'image' | 'file'
  /** `image/png`, `application/pdf`, … */
  readonly media_type: string
  /** Of a file. */
  readonly name?: string | undefined
} & ({ readonly data: string } | { readonly url: string })

export interface Tool {
  readonly name: string
  readonly description: string
  /** A JSON Schema of its arguments. */
  readonly parameters: JsonObject
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: JsonObject
  /** The provider's own, to be sent back as it came. */
  readonly provider_data?: JsonObject | undefined
}

export interface ReasoningPart {
  readonly text: string
  /** The provider's own, such as a signature, to be sent back as it came. */
  readonly provider_data?: JsonObject | undefined
}

/** What came back, with what it took. */
export interface ModelAnswer {
  readonly text: string
  /** The parsed answer where a schema was given. */
  readonly value?: unknown
  readonly tool_calls: readonly ToolCall[]
  readonly reasoning: readonly ReasoningPart[]
  readonly finish: Finish
  readonly usage: Usage
  /** Of the try that brought the answer; what failed ones cost is in the totals of the client. null: unknown. */
  readonly cost_usd: number | null
  readonly cost_from: CostSource
  /** What it would have cost, had it not been kept: null unless `is_cached`, or where that is not known. */
  readonly saved_usd: number | null
  /** Of an answer that was kept: as long as it took when it was made. */
  readonly latency_ms: number
  /** The model id that the provider returned. */
  readonly model_id: string
  readonly provider: string
  /** The provider's own id of the answer; without one it gave none, or the answer was kept before ids were. */
  readonly response_id?: string | null | undefined
  /** The how-many-th try brought it, from 1. */
  readonly tries: number
  /** Whether it came from the cache or a recording: then it cost nothing now. */
  readonly is_cached: boolean
}

export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other'

/** Where a cost comes from. */
export type CostSource = 'provider' | 'preset' | 'prices' | 'declared_free' | 'simulated' | 'cache' | 'unknown'

export interface Usage {
  /** All input tokens, cached ones included. */
  readonly input_tokens: number
  /** Read from the provider's cache. */
  readonly cached_input_tokens: number
  /** Written to the provider's cache, which some charge more for. */
  readonly cache_write_tokens: number
  /** Those of them that are kept for an hour, at a price of their own; without it none. */
  readonly cache_write_1h_tokens?: number | undefined
  /** All output tokens, reasoning included. */
  readonly output_tokens: number
  readonly reasoning_tokens: number
}

/** A piece of an answer that is still on its way. */
export type Delta =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'tool_call'; readonly tool_call: ToolCall }
  /** The try failed and another one begins: the pieces so far do not count. */
  | { readonly type: 'again'; readonly tries: number }

export type OnDelta = (delta: Delta) => void

/** What the tries of a call may take, besides what the experiment and the model's settings allow. */
export interface TryRules {
  /** A try has failed and another one would follow: a listener that does not want it throws, and the call rejects with that. */
  readonly beforeRetry?: () => void
  /**
   * Of all tries together, without waits for permits and between tries. The try that takes longer is given up, and the
   * call rejects with `TriesOutOfTime`.
   */
  readonly mostMs?: number
}

/** Calls models for one run: permits, cache, retries and the trace are behind it. */
export interface ModelClient {
  /**
   * Rejects with a ModelError, with a LimitReached, as `rules` say, or with the signal's reason. With `onDelta` the answer is streamed:
   * its pieces come as they arrive, one that was kept comes in one piece.
   */
  call(call: ModelCall, signal: AbortSignal, onDelta?: OnDelta, rules?: TryRules): Promise<ModelAnswer>
  /** How long the prompt of a call is, estimated without sending it. Rejects where the model is not known. */
  size(call: ModelCall): Promise<PromptSize>
  /** Everything that was called so far, failed tries included. */
  totals(): CallTotals
}

export interface PromptSize {
  /** What the provider counted of it, plus an estimate of the rest. */
  readonly input_tokens: number
  /** What the provider counted: the last prompt of the conversation, and its answer. 0: nothing yet. */
  readonly measured_tokens: number
  /** Tokens that prompt and answer may have together; null: nobody knows. */
  readonly context: number | null
}

/** What the calls of a run took, all together and by purpose. */
export interface CallTotals extends PurposeTotals {
  readonly by_purpose: { readonly [purpose: Purpose]: PurposeTotals | undefined }
}

export interface PurposeTotals extends Usage {
  /** Tries that reached a provider, failed ones included; kept answers are not among them. */
  readonly calls: number
  readonly failed_calls: number
  readonly cached_calls: number
  /** null as soon as one of them has no known cost. */
  readonly cost_usd: number | null
  /** What is known of it. */
  readonly known_cost_usd: number
  /** The most that the others can have cost, such as those whose connection was cut; without what has no known price. */
  readonly assumed_usd: number
  readonly saved_usd: number
  /** What they are worth, kept answers included; null as soon as one has no known price. */
  readonly price_usd: number | null
  readonly latency_ms: number
}

export const noCalls: PurposeTotals = {
  calls: 0,
  failed_calls: 0,
  cached_calls: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: 0,
  known_cost_usd: 0,
  assumed_usd: 0,
  saved_usd: 0,
  price_usd: 0,
  latency_ms: 0,
}

/** The words of a content; pictures and files have none. */
export const wordsIn = (content: Content): string =>
  typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '')).join('')

/** The pictures and files of a message. */
export function mediaIn({ content }: Message): readonly MediaPart[] {
  return typeof content === 'string' ? [] : content.filter(part => part.type !== 'text')
}

/** An answer that is whole already, as the pieces that a stream would have brought. */
export const deltasOf = ({
  text,
  reasoning,
  tool_calls,
}: Pick<ModelAnswer, 'text' | 'reasoning' | 'tool_calls'>): readonly Delta[] => [
  ...reasoning.map(part => ({ type: 'reasoning' as const, text: part.text })),
  ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ...tool_calls.map(tool_call => ({ type: 'tool_call' as const, tool_call })),
]
