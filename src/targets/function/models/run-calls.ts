import { LimitReached } from '../../../define/permits.ts'
import type { Run } from '../../../define/run.ts'
import type { RunContext } from '../../../define/target.ts'
import type { CallTotals, ModelAnswer, PromptSize } from '../../../models/model-call.ts'
import { openRunModels, type RunModels } from '../../run-models.ts'
import type { ContextCallOptions, ContextModels } from './context-models.ts'
import { readCall } from './read-call.ts'

/** The calls that one run of a function makes, with the run's own permits, kept answers and trace. */
export class RunCalls implements ContextModels {
  readonly #open: RunModels
  readonly #context: RunContext
  readonly #ended = new AbortController()
  readonly #underWay = new Set<Promise<unknown>>()
  #limit: LimitReached | null = null

  constructor(run: Run, context: RunContext) {
    this.#open = openRunModels(run, context)
    this.#context = context
  }

  /** The limit that left no room for a call. It has cut the run, whatever the function made of the error. */
  get limit(): LimitReached | null {
    return this.#limit
  }

  async call(given: unknown, { signal, onDelta }: ContextCallOptions = {}): Promise<ModelAnswer> {
    const signals = [this.#context.signal, this.#ended.signal, ...(signal === undefined ? [] : [signal])]
    const answer = this.#open.client.call(readCall(given), AbortSignal.any(signals), onDelta)
    const settled = answer.catch(error => {
      if (error instanceof LimitReached) this.#limit ??= error
    })
    this.#underWay.add(settled)
    void settled.then(() => this.#underWay.delete(settled))
    return answer
  }

  size(given: unknown): Promise<PromptSize> {
    return this.#open.client.size(readCall(given))
  }

  totals(): CallTotals {
    return this.#open.client.totals()
  }

  /** The function is over: calls that it did not wait for are given up. `own`: what it reported by itself. */
  async close(own: ReadonlySet<string>): Promise<void> {
    this.#ended.abort(new Error('the run is over'))
    await Promise.all(this.#underWay)
    this.#reportTotals(own)
    await this.#open.close()
  }

  /** `price_usd` is what the calls are worth, whether they were paid for now or kept from before. */
  #reportTotals(own: ReadonlySet<string>): void {
    const { calls, cached_calls, input_tokens, output_tokens, cost_usd, saved_usd } = this.totals()
    if (calls + cached_calls === 0) return
    const report = (metric: string, value: number): void => {
      if (!own.has(metric)) this.#context.report({ metric, value, step: null })
    }
    report('model_calls', calls + cached_calls)
    report('input_tokens', input_tokens)
    report('output_tokens', output_tokens)
    if (cost_usd !== null) report('price_usd', cost_usd + saved_usd)
    if (saved_usd > 0) report('saved_usd', saved_usd)
  }
}
