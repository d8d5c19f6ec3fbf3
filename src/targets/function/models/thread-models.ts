import type { CallTotals, Delta, ModelAnswer, PromptSize } from '../../../models/model-call.ts'
import { messageOf } from '../../../util/errors.ts'
import type { ContextCallOptions, ContextModels } from './context-models.ts'
import { arrivedError, type MovedError } from './moved-error.ts'

/** What a thread asks of the process that runs it. `id`: which answer belongs to it. */
export type ModelAsk =
  | { readonly kind: 'model_call'; readonly id: number; readonly call: unknown; readonly hears: boolean }
  | { readonly kind: 'model_size'; readonly id: number; readonly call: unknown }
  /** The function no longer wants it. */
  | { readonly kind: 'model_abort'; readonly id: number }

export type ModelReply =
  | { readonly kind: 'model_delta'; readonly id: number; readonly delta: Delta }
  | { readonly kind: 'model_answer'; readonly id: number; readonly totals: CallTotals; readonly answer: ModelAnswer }
  | { readonly kind: 'model_size'; readonly id: number; readonly size: PromptSize }
  | {
      readonly kind: 'model_error'
      readonly id: number
      readonly totals: CallTotals | null
      readonly error: MovedError
    }

/** `context.models` in a thread: calls are made outside, where permits, cache and trace are. */
export class ThreadModels implements ContextModels {
  readonly #ask: (message: ModelAsk) => void
  readonly #waiting = new Map<number, Waiting>()
  /** Which errors came from which call: if one of them ends the run, it is told by that. */
  readonly #failed = new WeakMap<Error, number>()
  #calls = 0
  #totals: CallTotals = noCalls

  constructor(ask: (message: ModelAsk) => void) {
    this.#ask = ask
  }

  call(call: unknown, { signal, onDelta }: ContextCallOptions = {}): Promise<ModelAnswer> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const id = ++this.#calls
      const giveUp = (): void => {
        this.#waiting.delete(id)
        this.#ask({ kind: 'model_abort', id })
        reject(signal?.reason)
      }
      const release = (): void => signal?.removeEventListener('abort', giveUp)
      const waiting = { answered: resolve, failed: reject, release, onDelta }
      this.#send({ kind: 'model_call', id, call, hears: onDelta !== undefined }, waiting)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  size(call: unknown): Promise<PromptSize> {
    return new Promise((resolve, reject) => {
      const waiting = { measured: resolve, failed: reject, release: () => {} }
      this.#send({ kind: 'model_size', id: ++this.#calls, call }, waiting)
    })
  }

  totals(): CallTotals {
    return this.#totals
  }

  hear(reply: ModelReply): void {
    const waiting = this.#waiting.get(reply.id)
    if (reply.kind === 'model_delta') {
      this.#heardDelta(reply, waiting)
      return
    }
    if ('totals' in reply && reply.totals !== null) this.#totals = reply.totals
    if (waiting === undefined) return
    this.#waiting.delete(reply.id)
    waiting.release()
    if (reply.kind === 'model_answer') waiting.answered?.(reply.answer)
    else if (reply.kind === 'model_size') waiting.measured?.(reply.size)
    else {
      const error = arrivedError(reply.error)
      this.#failed.set(error, reply.id)
      waiting.failed(error)
    }
  }

  /** The call whose error this is, or one of its causes; null: none of ours. */
  callBehind(thrown: unknown): number | null {
    for (let error = thrown, depth = 0; error instanceof Error && depth < 10; error = error.cause, depth++) {
      const id = this.#failed.get(error)
      if (id !== undefined) return id
    }
    return null
  }

  #heardDelta({ id, delta }: Extract<ModelReply, { kind: 'model_delta' }>, waiting: Waiting | undefined): void {
    try {
      waiting?.onDelta?.(delta)
    } catch (error) {
      this.#waiting.delete(id)
      waiting?.release()
      this.#ask({ kind: 'model_abort', id })
      waiting?.failed(error)
    }
  }

  #send(message: ModelAsk & { readonly call: unknown }, waiting: Waiting): void {
    this.#waiting.set(message.id, waiting)
    try {
      this.#ask(message)
    } catch (error) {
      this.#waiting.delete(message.id)
      throw new TypeError(`context.models: a call is plain data: ${messageOf(error)}`)
    }
  }
}

interface Waiting {
  answered?(answer: ModelAnswer): void
  measured?(size: PromptSize): void
  failed(error: unknown): void
  release(): void
  readonly onDelta?: ContextCallOptions['onDelta']
}

const noCalls: CallTotals = {
  ...{ calls: 0, failed_calls: 0, cached_calls: 0, cost_usd: 0, known_cost_usd: 0, saved_usd: 0, latency_ms: 0 },
  ...{ input_tokens: 0, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
  by_purpose: {},
}
