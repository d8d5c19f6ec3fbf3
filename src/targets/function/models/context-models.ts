import type { CallTotals, ModelAnswer, ModelCall, OnDelta, PromptSize } from '../../../models/model-call.ts'
import type { AgentFacts, SpanScope, ToolFacts } from '../../../models/trace/run-trace.ts'

/** `context.models`: language models for a function under test, on its run's account. */
export interface ContextModels {
  /**
   * Calls a model. Each try needs a permit: budget, rates and the limits of the run apply, and the cost is the run's.
   * Rejects with a ModelError (`fault`, `hint`, `tries`), a ContextTooLong (`used`, `allowed`), a LimitReached
   * (`limit`), or because the run ends.
   */
  call(call: ContextCall, options?: ContextCallOptions): Promise<ModelAnswer>
  /** The length of a call's prompt, estimated without sending it. */
  size(call: ContextCall): Promise<PromptSize>
  /** What the calls of this run used so far. Their cost is already counted; it need not be reported. */
  totals(): CallTotals
  /** Does `work` as an agent: the models that it gets belong to the agent's span in the run's trace. */
  agent<T>(agent: AgentFacts, work: (models: ContextModels) => Promise<T>): Promise<T>
  /**
   * Executes a tool in its own span; the return value of `work` is its result. A tool call of an answer can be given
   * unchanged.
   */
  tool<T>(tool: ToolFacts, work: (models: ContextModels) => Promise<T>): Promise<T>
  /** Marks the span as failed without an error being thrown: a tool that reports its failure to the model. */
  fail(error: unknown): void
  /** Writes a score into the trace; it is not a metric, see `report`. */
  score(score: ContextScore): void
}

/** A call as a function writes it; the default purpose is `agent`. */
export type ContextCall = Omit<ModelCall, 'purpose'> & { readonly purpose?: string | undefined }

export interface ContextCallOptions {
  /** Gives the call up; the run's own signal does so anyway. */
  readonly signal?: AbortSignal | undefined
  /** Gets the pieces of the answer as they arrive. */
  readonly onDelta?: OnDelta | undefined
}

/** The score of a result: by an assert, a judge, a test. */
export type ContextScore = Parameters<SpanScope['score']>[0]
