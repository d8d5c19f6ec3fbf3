import type { CallTotals, ModelAnswer, PromptSize } from '../../../models/model-call.ts'
import type { SpanScope } from '../../../models/trace/run-trace.ts'
import type { ContextCallOptions, ContextModels } from './context-models.ts'
import { readCall } from './read-call.ts'
import { readScore, readSpan } from './read-span.ts'

/** Sees every call that a run makes, in any span. */
export type MakeCall = (
  scope: SpanScope,
  call: ReturnType<typeof readCall>,
  options: ContextCallOptions,
) => Promise<ModelAnswer>

/** `context.models` below one span of the run's trace. The methods are fields, so that they may be destructured. */
export class ScopedCalls implements ContextModels {
  readonly call: ContextModels['call']
  readonly size: ContextModels['size']
  readonly totals: ContextModels['totals']
  readonly agent: ContextModels['agent']
  readonly tool: ContextModels['tool']
  readonly fail: ContextModels['fail']
  readonly score: ContextModels['score']

  constructor(scope: SpanScope, make: MakeCall) {
    this.call = async (given, options = {}) => make(scope, readCall(given), options)
    this.size = async (given): Promise<PromptSize> => scope.client.size(readCall(given))
    this.totals = (): CallTotals => scope.client.totals()
    this.agent = async (given, work) => scope.agent(readSpan('agent', given), at => work(new ScopedCalls(at, make)))
    this.tool = async (given, work) => scope.tool(readSpan('tool', given), at => work(new ScopedCalls(at, make)))
    this.fail = error => scope.fail(error)
    this.score = given => scope.score(readScore(given))
  }
}
