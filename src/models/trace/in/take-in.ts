import { sha256 } from '../../../util/hash.ts'
import { attributesOf, type Span, type SpanOrigin } from '../span.ts'
import type { ReadRequest } from './read-request.ts'
import { withoutContent } from './without-content.ts'

export interface IntakeOptions {
  /** The run's trace, and its own span. */
  readonly traceId: string
  readonly parent: string
  /** Whether texts that may be prompts and answers are kept. */
  readonly content: boolean
  take(span: Span, origin: SpanOrigin): void
  onNotice(notice: string): void
}

/** Per run: a program in a loop must not fill the disk. */
const mostSpans = 10_000
const mostCharacters = 16_000_000

/**
 * Puts the spans of other programs below the span of a run. A program that read TRACEPARENT is already in the run's
 * trace; the spans of others get the run's trace id, and new ids derived from theirs.
 */
export class TakeIn {
  readonly #options: IntakeOptions
  readonly #seen = new Set<string>()
  #characters = 0
  #isSaid = false

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** How many were not taken, and why. */
  take({ spans, problems }: ReadRequest): { readonly rejected: number; readonly message: string } {
    let tooMany = 0
    for (const { span, origin } of spans) {
      const adopted = this.#adopted(span)
      // Sent again, since an answer of ours got lost.
      if (this.#seen.has(adopted.spanId)) continue
      const size = JSON.stringify(adopted).length
      if (this.#seen.size >= mostSpans || this.#characters + size > mostCharacters) {
        tooMany++
        continue
      }
      this.#seen.add(adopted.spanId)
      this.#characters += size
      this.#options.take(this.#options.content ? adopted : withoutContent(adopted), origin)
    }
    const full = `a run keeps at most ${mostSpans} spans of other programs, or ${mostCharacters / 1e6} MB`
    if (tooMany > 0) this.#warnOnce(full)
    else if (problems[0] !== undefined) this.#warnOnce(problems[0])
    return { rejected: tooMany + problems.length, message: [...(tooMany > 0 ? [full] : []), ...problems][0] ?? '' }
  }

  #adopted(span: Span): Span {
    const { traceId, parent } = this.#options
    if (span.traceId === traceId) {
      // No other span may claim to be the run.
      const spanId = span.spanId === parent ? idOf(span.traceId, span.spanId) : span.spanId
      return { ...span, spanId, parentSpanId: span.parentSpanId ?? parent }
    }
    const original = span.parentSpanId
    return {
      ...span,
      traceId,
      spanId: idOf(span.traceId, span.spanId),
      parentSpanId: original === undefined ? parent : idOf(span.traceId, original),
      attributes: [
        ...span.attributes.filter(({ key }) => key !== 'assay.original.trace_id'),
        ...attributesOf({ 'assay.original.trace_id': span.traceId }),
      ],
    }
  }

  #warnOnce(problem: string): void {
    if (this.#isSaid) return
    this.#isSaid = true
    this.#options.onNotice(`not all spans that a command sent were recorded: ${problem}`)
  }
}

const idOf = (traceId: string, spanId: string): string => sha256(`${traceId} ${spanId}`).slice(0, 16)
