import type { Outcome } from '../../../define/outcome.ts'
import { LimitReached } from '../../../define/permits.ts'
import type { Run } from '../../../define/run.ts'
import type { RunContext } from '../../../define/target.ts'
import { openRunModels, type RunModels } from '../../run-models.ts'
import type { ContextModels } from './context-models.ts'
import { type MakeCall, ScopedCalls } from './scoped-calls.ts'

/** The calls of one run of a function, with the run's own permits, cache and trace. */
export class RunCalls {
  readonly #open: RunModels
  readonly #context: RunContext
  /** Below the run's own span. */
  readonly models: ContextModels
  readonly #ended = new AbortController()
  readonly #underWay = new Set<Promise<unknown>>()
  #limit: LimitReached | null = null

  constructor(run: Run, context: RunContext) {
    this.#open = openRunModels(run, context)
    this.#context = context
    this.models = new ScopedCalls(this.#open, (scope, call, options) => this.#make(scope, call, options))
  }

  /** The limit that left no room for a call. It has ended the run, whatever the function did with the error. */
  get limit(): LimitReached | null {
    return this.#limit
  }

  #make: MakeCall = async (scope, call, { signal, onDelta }) => {
    const signals = [this.#context.signal, this.#ended.signal, ...(signal === undefined ? [] : [signal])]
    const answer = scope.client.call(call, AbortSignal.any(signals), onDelta)
    const settled = answer.catch(error => {
      if (error instanceof LimitReached) this.#limit ??= error
    })
    this.#underWay.add(settled)
    void settled.then(() => this.#underWay.delete(settled))
    return answer
  }

  /** The function has ended: calls that it did not wait for are abandoned. `own`: the sums of its own reports. */
  async close(own: ReadonlyMap<string, number>, outcome: Outcome): Promise<void> {
    this.#ended.abort(new Error('the run is over'))
    await Promise.all(this.#underWay)
    this.#reportTotals(own)
    await this.#open.close(this.#limit === null ? outcome : cutBy(this.#limit))
  }

  /** `price_usd` is the price of the calls, paid for now or cached, plus the function's other spending. */
  #reportTotals(own: ReadonlyMap<string, number>): void {
    const { calls, cached_calls, input_tokens, output_tokens, price_usd, saved_usd } = this.models.totals()
    if (calls + cached_calls === 0) return
    const report = (metric: string, value: number): void => {
      if (!own.has(metric)) this.#context.report({ metric, value, step: null })
    }
    report('model_calls', calls + cached_calls)
    report('input_tokens', input_tokens)
    report('output_tokens', output_tokens)
    if (price_usd !== null) report('price_usd', price_usd + (own.get('cost_usd') ?? 0))
    if (saved_usd > 0) report('saved_usd', saved_usd)
  }
}

const cutBy = ({ message, limit }: LimitReached): Outcome => ({ kind: 'cost_limited', error_class: limit, message })
