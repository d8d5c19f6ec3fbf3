import type { Permits } from '../../define/permits.ts'
import type { Clock } from '../../util/clock.ts'
import { mixSeed, type Random, seededRandom } from '../../util/random.ts'
import { ModelError } from '../errors/model-error.ts'
import type { CallTotals, ModelAnswer, ModelCall, ModelClient } from '../model-call.ts'
import { attemptCall } from './attempt.ts'
import type { KnownModel } from './known-model.ts'
import { passed } from './passed.ts'
import { type RetryPolicy, waitBeforeRetry } from './retry-rule.ts'
import { Totals } from './totals.ts'

/** What the calls of one run share. */
export interface RunOfCalls {
  readonly permits: Permits
  /** The run's random seed: simulated models and jitter are drawn from it. */
  readonly seed: number
  /** The how-many-th attempt of the run, from 1: simulated faults are drawn anew for each. */
  readonly run_attempt?: number
}

export interface ClientParts {
  readonly clock: Clock
  readonly retry: RetryPolicy
  /** Rejects with a ModelError where the name, or its key, is not known. */
  find(name: string): Promise<KnownModel>
  /** The id that a provider returned, for whoever watches for changes. */
  answered(model: KnownModel, modelId: string): void
}

/** Calls models for one run. */
export class RunClient implements ModelClient {
  readonly #parts: ClientParts
  readonly #run: RunOfCalls
  readonly #totals = new Totals()
  readonly #random: Random

  constructor(parts: ClientParts, run: RunOfCalls) {
    this.#parts = parts
    this.#run = run
    this.#random = seededRandom(mixSeed('jitter', run.seed, run.run_attempt ?? 1))
  }

  async call(call: ModelCall, signal: AbortSignal): Promise<ModelAnswer> {
    signal.throwIfAborted()
    const model = await this.#parts.find(call.model)
    const answer = await this.#ask(model, call, signal)
    this.#parts.answered(model, answer.model_id)
    return answer
  }

  totals(): CallTotals {
    return this.#totals.sum
  }

  /** Attempts, until one brings an answer or nothing speaks for another one. */
  async #ask(model: KnownModel, call: ModelCall, signal: AbortSignal): Promise<ModelAnswer> {
    const { clock, retry } = this.#parts
    const { permits, seed, run_attempt = 1 } = this.#run
    const retries = new Map<string, number>()
    for (let attempt = 1; ; attempt++) {
      const made = await attemptCall(
        { call, model, attempt, run_seed: seed, draw: (run_attempt - 1) * 1000 + attempt },
        { clock, permits },
        signal,
      )
      if (made.reached) this.#totals.called(call.purpose, { ...made, failed: made.answer === null })
      if (made.answer !== null) return made.answer
      const { error } = made
      if (!(error instanceof ModelError)) throw error
      const before = retries.get(error.fault) ?? 0
      const wait = waitBeforeRetry(error, { attempt, retries: before }, retry, this.#random)
      if (wait === null) {
        error.attempts = attempt
        throw error
      }
      retries.set(error.fault, before + 1)
      await passed(clock, wait, signal)
    }
  }
}
