import { errorFacts, statusOf } from './call-span.ts'
import { attributesOf, nanoseconds, type Span, type SpanEvent, type SpanFacts } from './span.ts'

/** The score of a result: by an assert, a judge, a test. */
export interface Score {
  /** What is scored: a metric, or the kind of assert. */
  readonly name: string
  readonly value?: number | null | undefined
  readonly passed?: boolean | undefined
  /** Why; counts as content. */
  readonly explanation?: string | undefined
  /** The provider's id of the answer that is scored. */
  readonly response_id?: string | null | undefined
}

export interface SpanStart {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly facts: SpanFacts
  /** Milliseconds since 1970. */
  readonly started_at: number
}

/** A span that has not ended: a run, an agent, a tool. */
export class OpenSpan {
  readonly #start: SpanStart
  readonly #hasContent: boolean
  readonly #events: SpanEvent[] = []
  #error: unknown = null

  constructor(start: SpanStart, hasContent: boolean) {
    this.#start = start
    this.#hasContent = hasContent
  }

  get id(): string {
    return this.#start.spanId
  }

  get hasEvents(): boolean {
    return this.#events.length > 0
  }

  /** A score as the event that OpenTelemetry has for it. */
  score({ name, value, passed, explanation, response_id }: Score, at: number): void {
    this.#events.push({
      timeUnixNano: nanoseconds(at),
      name: 'gen_ai.evaluation.result',
      attributes: attributesOf({
        'gen_ai.evaluation.name': name,
        'gen_ai.evaluation.score.value': value,
        'gen_ai.evaluation.score.label': passed === undefined ? null : passed ? 'pass' : 'fail',
        'gen_ai.evaluation.explanation': this.#hasContent ? explanation : null,
        'gen_ai.response.id': response_id,
      }),
    })
  }

  /** The first error counts. */
  fail(error: unknown): void {
    this.#error ??= error
  }

  ended(at: number, more: SpanFacts = {}): Span {
    const { facts, started_at, ...about } = this.#start
    return {
      ...about,
      kind: 1,
      startTimeUnixNano: nanoseconds(started_at),
      // The clock may have been set back meanwhile.
      endTimeUnixNano: nanoseconds(Math.max(started_at, at)),
      attributes: attributesOf({ ...facts, ...more, ...errorFacts(this.#error) }),
      ...(this.#events.length > 0 && { events: this.#events }),
      status: statusOf(this.#error),
    }
  }
}
