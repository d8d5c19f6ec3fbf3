import type { ModelSettings } from '../../define/models/model-settings.ts'
import type { Permits } from '../../define/permits.ts'
import { mixSeed, type Random, seededRandom } from '../../util/random.ts'
import type { Clock } from '../../util/time.ts'
import { type Keeping, KeptCalls } from '../cache/kept-calls.ts'
import { deltasOf } from '../content.ts'
import type { CallTotals, ModelAnswer, ModelCall, ModelClient, OnDelta, PromptSize } from '../model-call.ts'
import { ModelError } from '../model-error.ts'
import { refuseUnsupported, unsentNote } from '../providers/refuse-unsupported.ts'
import type { Trace } from '../trace/trace-file.ts'
import { effectiveCall, type KnownModel } from './call-bound.ts'
import { checkSchema } from './judge-reply.ts'
import { passed } from './passed.ts'
import { PromptSizes } from './prompt-sizes.ts'
import { type RetryPolicy, waitBeforeRetry } from './retry-rule.ts'
import { Totals } from './totals.ts'
import { tryCall } from './try-call.ts'

/** What the calls of one run share. */
export interface RunOfCalls {
  readonly permits: Permits
  /** The run's random seed: simulated models and jitter are drawn from it. */
  readonly seed: number
  /** The how-many-th attempt of the run, from 1: simulated faults are drawn anew for each. */
  readonly run_attempt?: number
  /** Whether answers are kept, and where; without it they are not. */
  readonly keeping?: Keeping | null
  /** Where calls are written down; without it they are not. Whoever gives one closes it. */
  readonly trace?: Trace | null
}

export interface ClientParts {
  readonly settings: ModelSettings
  readonly is_rehearsal: boolean
  readonly clock: Clock
  readonly retry: RetryPolicy
  /** Rejects with a ModelError where the name, or its key, is not known. */
  find(name: string): Promise<KnownModel>
  /** The id that a provider returned, for whoever watches for changes. */
  answered(model: KnownModel, modelId: string): void
  onNotice(notice: string): void
}

/** Calls models for one run. */
export class RunClient implements ModelClient {
  readonly #parts: ClientParts
  readonly #run: RunOfCalls
  readonly #kept: KeptCalls | null
  readonly #totals = new Totals()
  readonly #sizes = new PromptSizes()
  readonly #random: Random

  constructor(parts: ClientParts, run: RunOfCalls) {
    this.#parts = parts
    this.#run = run
    this.#kept = run.keeping ? new KeptCalls(run.keeping, parts) : null
    this.#random = seededRandom(mixSeed('jitter', run.seed, run.run_attempt ?? 1))
  }

  async call(call: ModelCall, signal: AbortSignal, onDelta?: OnDelta): Promise<ModelAnswer> {
    signal.throwIfAborted()
    if (this.#kept === null) return this.#ask(call, signal, onDelta)
    const key = this.#kept.keyFor(call)
    const kept = await this.#kept.find(key, call)
    if (kept !== null) {
      if (onDelta !== undefined) deltasOf(kept).forEach(onDelta)
      return this.#reuse(call, kept)
    }
    try {
      const answer = await this.#ask(call, signal, onDelta)
      await this.#kept.keep(key, call, { answer })
      return answer
    } catch (error) {
      await this.#kept.keep(key, call, { error })
      throw error
    }
  }

  async size(call: ModelCall): Promise<PromptSize> {
    return this.#sizes.sizeOf(call, (await this.#parts.find(call.model)).route)
  }

  totals(): CallTotals {
    return this.#totals.sum
  }

  #reuse(call: ModelCall, answer: ModelAnswer): ModelAnswer {
    const now = this.#parts.clock.now()
    const { usage, tries } = answer
    this.#totals.reused(call.purpose, answer)
    this.#sizes.remember(call, answer)
    const made = { usage, tries, cost_usd: 0, started_at: now, ended_at: now, error: null }
    this.#run.trace?.add({ call, route: null, answer, ...made })
    return answer
  }

  /** Tries, until one brings an answer or nothing speaks for another one. */
  async #ask(written: ModelCall, signal: AbortSignal, onDelta: OnDelta | undefined): Promise<ModelAnswer> {
    const { clock, retry } = this.#parts
    const { permits, seed, run_attempt = 1, trace } = this.#run
    const model = await this.#parts.find(written.model)
    checkSchema(written, model.route)
    refuseUnsupported(written, model.route)
    const unsent = unsentNote(written, model.route)
    if (unsent !== null) this.#parts.onNotice(unsent)
    const call = effectiveCall(written, model.route, this.#parts.settings[written.model]?.max_output)
    await this.#sizes.refuseTooLong(call, model.route)
    const retries = new Map<string, number>()
    for (let tries = 1; ; tries++) {
      const draw = (run_attempt - 1) * 1000 + tries
      const made = await tryCall({ call, model, tries, run_seed: seed, draw, onDelta }, { clock, permits }, signal)
      if (made.is_sent) {
        const latency_ms = made.ended_at - made.started_at
        this.#totals.called(call.purpose, { ...made, latency_ms, failed: made.answer === null })
        trace?.add({ call, route: model.route, tries, ...made })
      }
      if (made.answer !== null) {
        this.#parts.answered(model, made.answer.model_id)
        this.#sizes.remember(call, made.answer)
        return made.answer
      }
      await this.#beforeRetry(made.error, { tries, retries, retry, clock }, signal)
      onDelta?.({ type: 'again', tries: tries + 1 })
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
    },
    signal: AbortSignal,
  ): Promise<void> {
    if (!(error instanceof ModelError)) throw error
    const { tries, retries, retry, clock } = state
    const before = retries.get(error.fault) ?? 0
    const wait = waitBeforeRetry(error, { tries, retries: before }, retry, this.#random)
    if (wait === null) {
      error.tries = tries
      throw error
    }
    retries.set(error.fault, before + 1)
    await passed(clock, wait, signal)
  }
}
