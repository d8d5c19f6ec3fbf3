import { type CallTotals, type Delta, type ModelAnswer, noCalls, type PromptSize } from '../../../models/model-call.ts'
import type { AgentFacts, ToolFacts } from '../../../models/trace/run-trace.ts'
import { messageOf } from '../../../util/errors.ts'
import type { ContextCall, ContextCallOptions, ContextModels, ContextScore } from './context-models.ts'
import { arrivedError, type MovedError } from './moved-error.ts'

/** A thread's request to its process. `id`: identifies the answer. */
export type ModelAsk =
  | {
      readonly kind: 'model_call'
      readonly id: number
      readonly call: ContextCall
      readonly hears: boolean
      /** The span that it is below; null: the run's. */
      readonly span: number | null
    }
  | { readonly kind: 'model_size'; readonly id: number; readonly call: ContextCall }
  /** The function no longer needs it. */
  | { readonly kind: 'model_abort'; readonly id: number }
  | {
      readonly kind: 'span_open'
      readonly id: number
      readonly span: number | null
      readonly what: 'agent' | 'tool'
      readonly facts: AgentFacts & ToolFacts
    }
  | { readonly kind: 'span_end'; readonly id: number; readonly result?: unknown; readonly error?: PlainError }
  | { readonly kind: 'span_score'; readonly id: number; readonly span: number | null; readonly score: ContextScore }
  | { readonly kind: 'span_fail'; readonly id: number; readonly span: number | null; readonly error: PlainError }

export interface PlainError {
  readonly name: string
  readonly message: string
}

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
export class ThreadModels {
  readonly #ask: (message: ModelAsk) => void
  /** Below the run's own span. */
  readonly models = this.#below(null)
  readonly #waiting = new Map<number, Waiting>()
  /** Which errors came from which call: if one of them ends the run, its original is used. */
  readonly #failed = new WeakMap<Error, number>()
  #calls = 0
  #totals: CallTotals = { ...noCalls, by_purpose: {} }

  constructor(ask: (message: ModelAsk) => void) {
    this.#ask = ask
  }

  /** The methods may be taken out of it. */
  #below(span: number | null): ContextModels {
    return {
      call: (call, options) => this.#call(call, span, options),
      size: call => this.#size(call),
      totals: () => this.#totals,
      agent: (facts, work) => this.#within('agent', facts, span, work),
      tool: (facts, work) => this.#within('tool', facts, span, work),
      fail: error => this.#ask({ kind: 'span_fail', id: ++this.#calls, span, error: plainError(error) }),
      score: score => this.#plain('score', { kind: 'span_score', id: ++this.#calls, span, score }),
    }
  }

  async #within<T>(
    what: 'agent' | 'tool',
    facts: AgentFacts & ToolFacts,
    span: number | null,
    work: (models: ContextModels) => Promise<T>,
  ): Promise<T> {
    if (typeof facts?.name !== 'string' || facts.name === '')
      throw new TypeError(`context.models.${what}: it has no name`)
    const id = ++this.#calls
    this.#plain(what, { kind: 'span_open', id, span, what, facts })
    try {
      const result = await work(this.#below(id))
      this.#ask({ kind: 'span_end', id, ...(what === 'tool' && { result: textOf(result) }) })
      return result
    } catch (error) {
      this.#ask({ kind: 'span_end', id, error: plainError(error) })
      throw error
    }
  }

  #plain(what: string, message: ModelAsk): void {
    try {
      this.#ask(message)
    } catch (error) {
      throw new TypeError(`context.models.${what} takes plain data: ${messageOf(error)}`)
    }
  }

  #call(call: ContextCall, span: number | null, { signal, onDelta }: ContextCallOptions = {}): Promise<ModelAnswer> {
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
      this.#send({ kind: 'model_call', id, call, hears: onDelta !== undefined, span }, waiting)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  #size(call: ContextCall): Promise<PromptSize> {
    return new Promise((resolve, reject) => {
      const waiting = { measured: resolve, failed: reject, release: () => {} }
      this.#send({ kind: 'model_size', id: ++this.#calls, call }, waiting)
    })
  }

  hear(reply: ModelReply): void {
    const waiting = this.#waiting.get(reply.id)
    if (reply.kind === 'model_delta') {
      this.#onDelta(reply, waiting)
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

  #onDelta({ id, delta }: Extract<ModelReply, { kind: 'model_delta' }>, waiting: Waiting | undefined): void {
    try {
      waiting?.onDelta?.(delta)
    } catch (error) {
      this.#waiting.delete(id)
      waiting?.release()
      this.#ask({ kind: 'model_abort', id })
      waiting?.failed(error)
    }
  }

  #send(message: ModelAsk & { readonly call: ContextCall }, waiting: Waiting): void {
    this.#waiting.set(message.id, waiting)
    try {
      this.#ask(message)
    } catch (error) {
      this.#waiting.delete(message.id)
      throw new TypeError(`context.models: a call is plain data: ${messageOf(error)}`)
    }
  }
}

const plainError = (error: unknown): PlainError =>
  error instanceof Error ? { name: error.name, message: error.message } : { name: 'Error', message: String(error) }

/** Anything may be a result; only its text goes outside. */
function textOf(result: unknown): string | undefined {
  if (typeof result === 'string') return result
  try {
    return JSON.stringify(result)
  } catch {
    return String(result)
  }
}

interface Waiting {
  answered?(answer: ModelAnswer): void
  measured?(size: PromptSize): void
  failed(error: unknown): void
  release(): void
  readonly onDelta?: ContextCallOptions['onDelta']
}
