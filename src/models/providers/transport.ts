import type { Finish, ModelCall, OnDelta, ReasoningPart, ToolCall, Usage } from '../model-call.ts'
import type { RunPrompts } from '../prices/prefix-cache.ts'
import type { Route } from '../route.ts'

/** Carries one try of a call to its provider: a provider's package, or a simulated model. */
export interface Transport {
  /** Rejects with a ModelError, or with the signal's reason; then nothing is left open. */
  ask(request: TransportRequest, signal: AbortSignal): Promise<Reply>
  /** Which of a call's settings would actually be sent. Nothing is sent. */
  sends(request: SettingsRequest): Promise<SentSettings>
}

export type SettingsRequest = Omit<TransportRequest, 'tries' | 'run_seed' | 'heard'>

export interface SentSettings {
  /** The longest output that the provider is asked for, all answers and thoughts together; null: no limit is sent. */
  readonly max_output_tokens: number | null
  /** Settings of the call that do not reach the model, or have no effect there, by their names in an experiment. */
  readonly unsent: readonly string[]
  /** Whether input may be kept in the provider's cache for an hour. */
  readonly is_kept_long: boolean
  /** The longest input, if more is sent than the call shows; default: counted from the call. */
  readonly input_tokens?: number | undefined
}

export interface TransportRequest extends ModelCall {
  readonly route: Route
  readonly max_output_tokens: number
  /** The number from which simulated faults are drawn: different for each try and for each attempt of the run. */
  readonly tries: number
  /** The seed for simulated models. */
  readonly run_seed: number
  /** Earlier prompts of the run, for simulated providers that have a cache. */
  readonly prompts?: RunPrompts | undefined
  /** Data has arrived: the silence timeout starts again. */
  heard(): void
  /** Hears the answer while it comes: with one, it is streamed. */
  readonly onDelta?: OnDelta | undefined
}

/** A provider's answer, not checked yet. */
export interface Reply {
  readonly text: string
  readonly tool_calls: readonly ToolCall[]
  readonly reasoning: readonly ReasoningPart[]
  readonly finish: Finish
  readonly usage: Usage
  /** False if the provider reported no usage: then the cost is unknown too. */
  readonly has_usage: boolean
  /** The provider's own figure. */
  readonly cost_usd: number | null
  readonly model_id: string
  readonly response_id: string | null
  /** What people should know about how it was asked or counted. */
  readonly warnings: readonly Warning[]
}

export interface Warning {
  /** Told once for each model and name. */
  readonly name: string
  readonly message: string
}
