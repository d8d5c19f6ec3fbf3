import type { CallTotals, ModelAnswer, ModelCall, OnDelta, PromptSize } from '../../../models/model-call.ts'
import type { AgentFacts, SpanScope, ToolFacts } from '../../../models/trace/run-trace.ts'

/** `context.models`: language models for a function under test, on its run's account. */
export interface ContextModels {
  /**
   * Asks a model. Each try needs a permit: budget, rates and the limits of the run hold, and the cost is the run's.
   * Rejects with a ModelError (`fault`, `hint`, `tries`), a ContextTooLong (`used`, `allowed`), a LimitReached
   * (`limit`), or because the run ends.
   */
  call(call: ContextCall, options?: ContextCallOptions): Promise<ModelAnswer>
  /** How long the prompt of a call is, estimated without sending it. */
  size(call: ContextCall): Promise<PromptSize>
  /** What the calls of this run took so far. Their cost is counted; it need not be reported. */
  totals(): CallTotals
  /** Does `work` as an agent: the models it is given are those of the agent's span in the run's trace. */
  agent<T>(agent: AgentFacts, work: (models: ContextModels) => Promise<T>): Promise<T>
  /** Executes a tool in a span of its own; what `work` returns is its result. A tool call of an answer can be given as it is. */
  tool<T>(tool: ToolFacts, work: (models: ContextModels) => Promise<T>): Promise<T>
  /** Marks the span as failed without an error being thrown: a tool that reports its failure to the model. */
  fail(error: unknown): void
  /** Writes a score into the trace; it is no metric, see `report`. */
  score(score: ContextScore): void
}

/** A call as a function writes it; its purpose is `agent` unless it says another. */
export type ContextCall = Omit<ModelCall, 'purpose'> & { readonly purpose?: string | undefined }

export interface ContextCallOptions {
  /** Gives the call up; the run's own signal does so anyway. */
  readonly signal?: AbortSignal | undefined
  /** Hears the pieces of the answer as they come. */
  readonly onDelta?: OnDelta | undefined
}

/** What was found of a result: by an assert, a judge, a test. */
export type ContextScore = Parameters<SpanScope['score']>[0]
