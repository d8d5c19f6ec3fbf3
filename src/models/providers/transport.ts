import type { Finish, ModelCall, OnDelta, ReasoningPart, ToolCall, Usage } from '../model-call.ts'
import type { Route } from '../route.ts'

/** Carries one try of a call to whoever answers it: a provider's package, or a simulated model. */
export interface Transport {
  /** Rejects with a ModelError, or with the signal's reason; then nothing is left open. */
  ask(request: TransportRequest, signal: AbortSignal): Promise<Reply>
}

export interface TransportRequest extends ModelCall {
  readonly route: Route
  readonly max_output_tokens: number
  /** What simulated faults are drawn by: another number for each try, and for each attempt of the run. */
  readonly tries: number
  /** What simulated models draw from. */
  readonly run_seed: number
  /** Something has come: who waits for it need not give up yet. */
  heard(): void
  /** Whoever wants to hear the answer while it comes: then it is streamed. */
  readonly onDelta?: OnDelta | undefined
}

/** What a provider answered, before anybody has judged it. */
export interface Reply {
  readonly text: string
  readonly tool_calls: readonly ToolCall[]
  readonly reasoning: readonly ReasoningPart[]
  readonly finish: Finish
  readonly usage: Usage
  /** False where the provider told no usage: then nothing is known of the cost either. */
  readonly has_usage: boolean
  /** The provider's own figure. */
  readonly cost_usd: number | null
  readonly model_id: string
  readonly response_id: string | null
}
