import type { ReasoningEffort } from '../define/models/model-settings.ts'
import type { JsonObject } from '../util/json.ts'

/** One question to a language model. */
export interface ModelCall {
  /** As the user wrote it: a preset, `vendor/model`, a bare name, `sim/…`. */
  readonly model: string
  readonly messages: readonly Message[]
  readonly temperature?: number | undefined
  readonly top_p?: number | undefined
  /** Never open: the default comes from the model's settings, since the maximum cost of a call must be known in advance. */
  readonly max_output_tokens?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly reasoning?: ReasoningEffort | undefined
  /** Sent to providers that accept one; always part of the cache key. */
  readonly seed?: number | undefined
  /** A JSON Schema that the answer must satisfy. */
  readonly schema?: JsonObject | undefined
  /** Tools the model may call; their results come back as messages. */
  readonly tools?: readonly Tool[] | undefined
  /** Whether the model must call a tool, and which; `auto` unless given. */
  readonly tool_choice?: ToolChoice | undefined
  /** Whether one answer may call several tools; as the provider likes unless given. */
  readonly parallel_tool_calls?: boolean | undefined
  /** The purpose of the call: all purposes count, and are shown separately. */
  readonly purpose: Purpose
}

/** Any name, by which costs are broken down: `answer`, `agent`, `summary`, `judge`, `metric`, `check`, … */
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
      /** Unchanged from the answer: some providers require their own reasoning back. */
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
  /** For a file. */
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

/** The answer, with what it used. */
export interface ModelAnswer {
  readonly text: string
  /** The parsed answer where a schema was given. */
  readonly value?: unknown
  readonly tool_calls: readonly ToolCall[]
  readonly reasoning: readonly ReasoningPart[]
  readonly finish: Finish
  readonly usage: Usage
  /** For the successful try; the cost of failed ones is in the totals of the client. null: unknown. */
  readonly cost_usd: number | null
  readonly cost_from: CostSource
  /** The cost if it had not been cached: null unless `is_cached`, or if unknown. */
  readonly saved_usd: number | null
  /** For a cached answer: the original duration. */
  readonly latency_ms: number
  /** The model id that the provider returned. */
  readonly model_id: string
  readonly provider: string
  /** The provider's own id of the answer; absent if it gave none, or if the answer was cached before ids were. */
  readonly response_id?: string | null | undefined
  /** The number of the successful try, from 1. */
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
  /** Those written for an hour, at their own price; default: none. */
  readonly cache_write_1h_tokens?: number | undefined
  /** All output tokens, reasoning included. */
  readonly output_tokens: number
  readonly reasoning_tokens: number
}

/** A piece of an answer that is being streamed. */
export type Delta =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'tool_call'; readonly tool_call: ToolCall }
  /** The try failed and another one begins: the pieces so far do not count. */
  | { readonly type: 'again'; readonly tries: number }

export type OnDelta = (delta: Delta) => void

/** Limits on the tries of a call, in addition to those of the experiment and the model's settings. */
export interface TryRules {
  /**
   * Called after a failed try, before another one: to prevent it, the listener throws, and the call rejects with that
   * error.
   */
  readonly beforeRetry?: () => void
  /**
   * For all tries together, without waits for permits and between tries. A try that takes longer is stopped, and the
   * call rejects with `TriesOutOfTime`.
   */
  readonly mostMs?: number
}

/** Calls models for one run: permits, cache, retries and the trace are behind it. */
export interface ModelClient {
  /**
   * Rejects with a ModelError, with a LimitReached, according to `rules`, or with the signal's reason. With `onDelta`
   * the answer is streamed in pieces as they arrive; a cached one comes in one piece.
   */
  call(call: ModelCall, signal: AbortSignal, onDelta?: OnDelta, rules?: TryRules): Promise<ModelAnswer>
  /** The length of a call's prompt, estimated without sending it. Rejects if the model is unknown. */
  size(call: ModelCall): Promise<PromptSize>
  /** Everything that was called so far, failed tries included. */
  totals(): CallTotals
}

export interface PromptSize {
  /** The provider's count of it, plus an estimate of the rest. */
  readonly input_tokens: number
  /** The provider's count: the last prompt of the conversation, and its answer. 0: none yet. */
  readonly measured_tokens: number
  /** The most tokens of prompt and answer together; null: unknown. */
  readonly context: number | null
}

/** What the calls of a run used, in total and by purpose. */
export interface CallTotals extends PurposeTotals {
  readonly by_purpose: { readonly [purpose: Purpose]: PurposeTotals | undefined }
}

export interface PurposeTotals extends Usage {
  /** Tries that reached a provider, including failed ones; without cached answers. */
  readonly calls: number
  readonly failed_calls: number
  readonly cached_calls: number
  /** null as soon as one of them has no known cost. */
  readonly cost_usd: number | null
  /** The known part of it. */
  readonly known_cost_usd: number
  /**
   * The most that the others can have cost, such as those whose connection was cut; without those that have no known
   * price.
   */
  readonly assumed_usd: number
  readonly saved_usd: number
  /** Their value at list price, including cached answers; null as soon as one has no known price. */
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

/** A complete answer, in the pieces that a stream would have sent. */
export const deltasOf = ({
  text,
  reasoning,
  tool_calls,
}: Pick<ModelAnswer, 'text' | 'reasoning' | 'tool_calls'>): readonly Delta[] => [
  ...reasoning.map(part => ({ type: 'reasoning' as const, text: part.text })),
  ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ...tool_calls.map(tool_call => ({ type: 'tool_call' as const, tool_call })),
]
