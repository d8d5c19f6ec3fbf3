import type { Clock } from '../../util/time.ts'
import {
  type CallTotals,
  deltasOf,
  type ModelAnswer,
  type ModelCall,
  type ModelClient,
  type OnDelta,
  type PromptSize,
  type TryRules,
} from '../model-call.ts'
import { ModelError, TriesOutOfTime } from '../model-error.ts'
import { refuseUnsupported, unsentNote } from '../providers/refuse-unsupported.ts'
import type { TracedTry } from '../trace/call-span.ts'
import { effectiveCall } from './call-bound.ts'
import { checkSchema } from './judge-reply.ts'
import { passed } from './passed.ts'
import { type RetryPolicy, waitBeforeRetry } from './retry-rule.ts'
import { type RunCalls, tracedTry } from './run-calls.ts'

/** Calls models for one run. */
export class RunClient implements ModelClient {
  readonly #calls: RunCalls
  readonly #parent: string | undefined

  /** `parent`: the span that calls are below; without one, the run's. */
  constructor(calls: RunCalls, parent?: string) {
    this.#calls = calls
    this.#parent = parent
  }

  /** The same run's client for calls below another span of its trace. */
  under(parent: string): RunClient {
    return new RunClient(this.#calls, parent)
  }

  async call(call: ModelCall, signal: AbortSignal, onDelta?: OnDelta, rules: TryRules = {}): Promise<ModelAnswer> {
    signal.throwIfAborted()
    const { kept } = this.#calls
    if (kept === null) return this.#ask(call, signal, { onDelta, rules })
    const key = kept.keyFor(call)
    const found = await kept.find(key, call, rules.mostMs)
    if (found !== null) {
      if (onDelta !== undefined) deltasOf(found).forEach(onDelta)
      this.#calls.reused(call, found, this.#parent)
      this.#calls.sizes.remember(call, found)
      return found
    }
    try {
      const answer = await this.#ask(call, signal, { onDelta, rules })
      await kept.keep(key, call, { answer })
      return answer
    } catch (error) {
      await kept.keep(key, call, { error })
      throw error
    }
  }

  async size(call: ModelCall): Promise<PromptSize> {
    return this.#calls.sizes.sizeOf(call, (await this.#calls.parts.find(call.model)).route)
  }

  totals(): CallTotals {
    return this.#calls.totals.sum
  }

  /** Tries, until one brings an answer or nothing speaks for another one. */
  async #ask(
    written: ModelCall,
    signal: AbortSignal,
    { onDelta, rules }: { readonly onDelta: OnDelta | undefined; readonly rules: TryRules },
  ): Promise<ModelAnswer> {
    const calls = this.#calls
    const { clock, retry, settings, onNotice } = calls.parts
    const model = await calls.parts.find(written.model)
    checkSchema(written, model.route)
    refuseUnsupported(written, model.route)
    const unsent = unsentNote(written, model.route)
    if (unsent !== null) onNotice(unsent)
    const call = effectiveCall(written, model.route, settings[written.model]?.max_output)
    await calls.sizes.refuseTooLong(call, model.route)
    const retries = new Map<string, number>()
    const sent: TracedTry[] = []
    let leftMs = rules.mostMs ?? Number.POSITIVE_INFINITY
    try {
      for (let tries = 1; ; tries++) {
        const made = await calls.try({ call, model, tries, onDelta, leftMs }, signal)
        leftMs -= made.ended_at - made.started_at
        sent.push(...tracedTry(made, tries))
        if (made.answer !== null) {
          calls.ended({ call, answer: made.answer, error: null, tries: sent }, model, this.#parent)
          calls.sizes.remember(call, made.answer)
          return made.answer
        }
        await this.#beforeRetry(made.error, { tries, retries, retry, clock, beforeRetry: rules.beforeRetry }, signal)
        if (leftMs <= 0) throw new TriesOutOfTime()
        onDelta?.({ type: 'again', tries: tries + 1 })
      }
    } catch (error) {
      calls.ended({ call, answer: null, error, tries: sent }, model, this.#parent)
      throw error
    }
  }

  /** Waits as long as the error asks for; throws it where trying again would not help. */
  async #beforeRetry(
    error: unknown,
    state: {
      readonly tries: number
      readonly retries: Map<string, number>
      readonly retry: RetryPolicy
      readonly clock: Clock
      readonly beforeRetry: TryRules['beforeRetry']
    },
    signal: AbortSignal,
  ): Promise<void> {
    if (!(error instanceof ModelError)) throw error
    const { tries, retries, retry, clock } = state
    const before = retries.get(error.fault) ?? 0
    const wait = waitBeforeRetry(error, { tries, retries: before }, retry, this.#calls.random)
    if (wait === null) {
      error.tries = tries
      throw error
    }
    state.beforeRetry?.()
    retries.set(error.fault, before + 1)
    await passed(clock, wait, signal)
  }
}
