import type { Outcome } from '../../../define/outcome.ts'
import type { Run } from '../../../define/run.ts'
import type { RunContext } from '../../../define/target.ts'
import { messageOf } from '../../../util/errors.ts'
import type { ContextModels } from './context-models.ts'
import { movedError } from './moved-error.ts'
import { RunCalls } from './run-calls.ts'
import type { ModelAsk, ModelReply, PlainError } from './thread-models.ts'

/** Makes the calls that a run in a thread asks for. */
export class ThreadCalls {
  readonly #calls: RunCalls
  readonly #underWay = new Map<number, AbortController>()
  readonly #errors = new Map<number, unknown>()
  readonly #note: RunContext['note']
  readonly #spans = new Map<number, OpenedSpan>()

  constructor(run: Run, context: RunContext) {
    this.#calls = new RunCalls(run, context)
    this.#note = context.note
  }

  get limit(): RunCalls['limit'] {
    return this.#calls.limit
  }

  /** The original error of a call, before it was sent to the thread. */
  errorOf(call: number | null): unknown {
    return call === null ? null : this.#errors.get(call)
  }

  async hear(ask: ModelAsk, tell: (reply: ModelReply) => void): Promise<void> {
    const { id } = ask
    if (ask.kind === 'model_abort') return this.#underWay.get(id)?.abort(new Error('given up by the function'))
    if (isAboutSpans(ask)) return this.#onSpan(ask)
    const controller = new AbortController()
    this.#underWay.set(id, controller)
    try {
      if (ask.kind === 'model_size')
        return tell({ kind: 'model_size', id, size: await this.#calls.models.size(ask.call) })
      const answer = await this.#at(ask.span).call(ask.call, {
        signal: controller.signal,
        ...(ask.hears && { onDelta: delta => tell({ kind: 'model_delta', id, delta }) }),
      })
      tell({ kind: 'model_answer', id, answer, totals: this.#calls.models.totals() })
    } catch (error) {
      this.#errors.set(id, error)
      tell({ kind: 'model_error', id, error: movedError(error), totals: this.#calls.models.totals() })
    } finally {
      this.#underWay.delete(id)
    }
  }

  close(own: ReadonlyMap<string, number>, outcome: Outcome): Promise<void> {
    // The innermost first: each is below the one before.
    for (const { end } of [...this.#spans.values()].reverse())
      end({ error: { name: 'cancelled', message: 'the run is over' } })
    return this.#calls.close(own, outcome)
  }

  #onSpan(ask: SpanAsk): void {
    try {
      if (ask.kind === 'span_open') this.#open(ask)
      else if (ask.kind === 'span_end') this.#spans.get(ask.id)?.end(ask)
      else if (ask.kind === 'span_score') this.#at(ask.span).score(ask.score)
      else this.#at(ask.span).fail(errorOf(ask.error))
    } catch (error) {
      // The thread has continued: only the user can be told.
      this.#note(messageOf(error))
    }
  }

  /** The models of a span that the thread opened; null: those of the run. */
  #at(span: number | null): ContextModels {
    return (span === null ? null : this.#spans.get(span)?.models) ?? this.#calls.models
  }

  /** The work is done in the thread: here it is a promise, settled when the thread reports the end. */
  #open({ id, span, what, facts }: Extract<ModelAsk, { kind: 'span_open' }>): void {
    const over = Promise.withResolvers<unknown>()
    let isOpened = false
    const done = this.#at(span)[what](facts, models => {
      const end: OpenedSpan['end'] = ({ result, error }) => {
        this.#spans.delete(id)
        if (error === undefined) over.resolve(result)
        else over.reject(errorOf(error))
      }
      isOpened = true
      this.#spans.set(id, { models, end })
      return over.promise
    })
    done.catch(error => {
      if (!isOpened) this.#note(messageOf(error))
    })
  }
}

type SpanAsk = Extract<ModelAsk, { kind: `span_${string}` }>

const isAboutSpans = (ask: ModelAsk): ask is SpanAsk => ask.kind.startsWith('span_')

interface OpenedSpan {
  readonly models: ContextModels
  end(ended: { readonly result?: unknown; readonly error?: PlainError | undefined }): void
}

const errorOf = ({ name, message }: PlainError): Error => Object.assign(new Error(message), { name })
