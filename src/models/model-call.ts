import type { JsonObject } from '../util/json.ts'

/** One question to a language model, whoever answers it. */
export interface ModelCall {
  /** As the user wrote it: a preset, `vendor/model`, a bare name, `sim/…`. */
  readonly model: string
  readonly messages: readonly Message[]
  readonly temperature?: number | undefined
  readonly max_output_tokens?: number | undefined
  /** Sent to providers that take one; always part of the cache key. */
  readonly seed?: number | undefined
  /** A JSON Schema that the answer must satisfy. */
  readonly schema?: JsonObject | undefined
  /** Tools the model may call; their results come back as messages. */
  readonly tools?: readonly Tool[] | undefined
  /** What the call is for: every purpose counts, and is told apart. */
  readonly purpose: Purpose
}

export type Purpose = 'answer' | 'agent' | 'summary' | 'judge' | 'extract'

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly ToolCall[] | undefined }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly name: string; readonly content: string }

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
}

/** What came back, with what it took. */
export interface ModelAnswer {
  readonly text: string
  /** The parsed answer where a schema was given. */
  readonly value?: unknown
  readonly tool_calls: readonly ToolCall[]
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other'
  readonly usage: Usage
  /** null: unknown. */
  readonly cost_usd: number | null
  /** Where the cost comes from. */
  readonly cost_from: 'provider' | 'preset' | 'prices' | 'declared_free' | 'cache' | 'unknown'
  readonly latency_ms: number
  /** The model id that the provider returned. */
  readonly model_id: string
  readonly provider: string
  /** Whether it came from the cache or a recording: then it cost nothing now. */
  readonly is_cached: boolean
}

export interface Usage {
  /** All input tokens, cached ones included. */
  readonly input_tokens: number
  readonly cached_input_tokens: number
  /** All output tokens, reasoning included. */
  readonly output_tokens: number
  readonly reasoning_tokens: number
}

/** Calls models for one run: permits, cache, retries and the trace are behind it. */
export interface ModelClient {
  call(call: ModelCall, signal: AbortSignal): Promise<ModelAnswer>
}
