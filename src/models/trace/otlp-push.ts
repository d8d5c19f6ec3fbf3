import { setTimeout as passed } from 'node:timers/promises'
import { messageOf } from '../../util/errors.ts'
import { version } from '../../util/version.ts'
import type { Environment } from '../keys/access.ts'
import { type Redact, redactedJson, redactorOf } from '../keys/redact.ts'
import { type OtlpAddress, otlpAddress } from './read-trace.ts'
import { resourceOf } from './resource.ts'
import { attributesOf, type SpanFacts, type SpanOrigin } from './span.ts'
import type { WrittenSpan } from './trace-file.ts'
import { writtenOut } from './written-out.ts'

interface Waiting {
  /** Resource and scope, as the beginning of their JSON: spans with the same ones are sent together. */
  readonly head: string
  readonly span: string
}

export interface PushOptions {
  /** Milliseconds that spans wait for others. */
  readonly gatherMs?: number
  /** Milliseconds before the first retry. */
  readonly backoffMs?: number
  readonly timeoutMs?: number
  /** How many characters may wait; further spans are dropped. */
  readonly mostWaiting?: number
}

/**
 * Sends spans to an OTLP address during the run: gathered, one request at a time, with bounded memory. A run never
 * waits for it and never fails because of it: what can't be sent is dropped, which is reported once. `trace.jsonl` has
 * everything.
 */
export class OtlpPush {
  readonly #address: OtlpAddress
  readonly #options: Required<PushOptions>
  #note: (notice: string) => void = () => {}
  #isSaid = false
  #waiting: Waiting[] = []
  #characters = 0
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | null = null
  #leftOut = 0
  #isFailing = false
  /** Aborted when there is no more time. */
  #end = new AbortController()
  /** Aborted when there is no time left for retries. */
  #hurry = new AbortController()

  constructor(address: OtlpAddress, options: PushOptions = {}) {
    this.#address = address
    this.#options = { gatherMs: 1000, backoffMs: 1000, timeoutMs: 10_000, mostWaiting: 16_000_000, ...options }
  }

  /** Notices go to the run that works now. */
  heardBy(note: (notice: string) => void): void {
    this.#note = note
  }

  add({ span, lists, origin }: WrittenSpan, about: SpanFacts, redact: Redact): void {
    const head = headOf(origin, about, redact)
    const text = JSON.stringify(redactedJson(writtenOut(span, lists), redact))
    const size = head.length + text.length
    if (this.#characters + size > this.#options.mostWaiting) {
      this.#leftOut++
      return
    }
    this.#characters += size
    this.#waiting.push({ head, span: text })
    if (this.#waiting.length >= mostTogether) this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), this.#options.gatherMs).unref()
  }

  /** Resolves when everything is sent, or the time is over. */
  async flush(withinMs = 5000): Promise<void> {
    const timer = setTimeout(() => this.#end.abort(new Error(`it took longer than ${withinMs / 1000} s`)), withinMs)
    this.#hurry.abort()
    try {
      while (this.#waiting.length > 0 || this.#sending !== null) {
        this.#send()
        await this.#sending
      }
    } finally {
      clearTimeout(timer)
      this.#end = new AbortController()
      this.#hurry = new AbortController()
    }
    if (this.#leftOut > 0) this.#warnOnce(`${this.#leftOut} spans came faster than they could be sent`)
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#sending !== null || this.#waiting.length === 0) return
    const batch = this.#nextBatch()
    this.#sending = this.#deliver(bodyOf(batch)).finally(() => {
      this.#sending = null
      if (this.#waiting.length >= mostTogether) this.#send()
      else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#send(), this.#options.gatherMs).unref()
    })
  }

  #nextBatch(): readonly Waiting[] {
    let characters = 0
    let count = 0
    for (const { head, span } of this.#waiting) {
      characters += head.length + span.length
      if (count > 0 && (count >= mostTogether || characters > mostCharacters)) break
      count++
    }
    const batch = this.#waiting.splice(0, count)
    this.#characters -= batch.reduce((sum, { head, span }) => sum + head.length + span.length, 0)
    return batch
  }

  /** Never rejects. While the address is out of reach, each batch has one try, so that they don't pile up. */
  async #deliver(body: string): Promise<void> {
    const tries = this.#isFailing ? 1 : mostTries
    for (let nth = 1; ; nth++) {
      const { problem, retry_after_ms, may_retry } = await this.#post(body)
      if (problem === null) {
        this.#isFailing = false
        return
      }
      if (!may_retry || nth >= tries || this.#end.signal.aborted) {
        this.#isFailing = may_retry
        this.#warnOnce(problem)
        return
      }
      await this.#beforeRetry(nth, retry_after_ms)
    }
  }

  async #beforeRetry(nth: number, retry_after_ms: number | null): Promise<void> {
    const isLate = this.#hurry.signal.aborted
    const first = isLate ? Math.min(this.#options.backoffMs, shortestWaitMs) : this.#options.backoffMs
    const wait = Math.min(retry_after_ms ?? first * 2 ** (nth - 1) * (0.5 + Math.random()), longestWaitMs)
    const { signal } = isLate ? this.#end : this.#hurry
    await passed(wait, undefined, { signal, ref: false }).catch(() => {})
  }

  /** https://opentelemetry.io/docs/specs/otlp/#otlphttp-response */
  async #post(body: string): Promise<Posted> {
    const { url, headers } = this.#address
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(this.#options.timeoutMs)])
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': `assay/${version}` },
        body,
        redirect: 'manual',
        signal,
      })
      const text = await response.text()
      if (response.ok) return { ...sent, problem: rejectedIn(text) }
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      return {
        problem: `it answered ${response.status}${shortened(text)}`,
        may_retry: retryable.includes(response.status),
        retry_after_ms: Number.isFinite(seconds) ? seconds * 1000 : null,
      }
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      return { problem: messageOf(cause) || 'it could not be reached', may_retry: true, retry_after_ms: null }
    }
  }

  #warnOnce(problem: string): void {
    if (this.#isSaid) return
    this.#isSaid = true
    const { url, headers } = this.#address
    // A header that can't be sent is quoted by the error.
    const clean = redactorOf(Object.values(headers))
    const grpc = new URL(url).port === '4317' ? '; port 4317 is usually OTLP over gRPC, HTTP is on 4318' : ''
    this.#note(
      `not all spans were sent to ${url}: ${clean(problem)}${grpc}; the runs and their trace.jsonl are complete`,
    )
  }
}

interface Posted {
  /** null: everything was taken. */
  readonly problem: string | null
  readonly may_retry: boolean
  readonly retry_after_ms: number | null
}

const sent: Posted = { problem: null, may_retry: false, retry_after_ms: null }

const mostTogether = 512
/** Well below the 20 MiB that OTLP recommends as a limit for receivers. */
const mostCharacters = 4_000_000
const mostTries = 4
const longestWaitMs = 30_000
const shortestWaitMs = 100
const retryable = [429, 502, 503, 504]

/** A receiver may accept only a part, and report that with a 200. */
function rejectedIn(text: string): string | null {
  try {
    const { partialSuccess } = JSON.parse(text)
    if (Number(partialSuccess?.rejectedSpans ?? 0) === 0) return null
    return `it rejected ${partialSuccess.rejectedSpans} spans${shortened(String(partialSuccess.errorMessage ?? ''))}`
  } catch {
    return null
  }
}

function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ').slice(0, 200)
  return line === '' ? '' : ` (${line})`
}

function headOf(origin: SpanOrigin | null, about: SpanFacts, redact: Redact): string {
  const attributes = resourceOf(origin?.resource ?? null, attributesOf(about))
  const scope = origin?.scope ?? { name: 'assay', version }
  const clean = (data: object) => JSON.stringify(redactedJson(data, redact))
  return `{"resource":${clean({ attributes })},"scopeSpans":[{"scope":${clean(scope)},"spans":[`
}

function bodyOf(batch: readonly Waiting[]): string {
  const groups = Map.groupBy(batch, ({ head }) => head)
  const parts = [...groups].map(([head, spans]) => `${head}${spans.map(({ span }) => span).join(',')}]}]}`)
  return `{"resourceSpans":[${parts.join(',')}]}`
}

/** One for each address: all runs of this process share it. */
const pushes = new Map<string, OtlpPush>()

/** Sends spans to the address that an experiment names; null, with a notice, if it names no usable one. */
export function pushTo(written: string, env: Environment, note: (notice: string) => void): OtlpPush | null {
  try {
    const address = otlpAddress(written, env)
    const key = JSON.stringify(address)
    const push = pushes.get(key) ?? new OtlpPush(address)
    pushes.set(key, push)
    push.heardBy(note)
    return push
  } catch (error) {
    note(`no spans are sent: ${messageOf(error)}`)
    return null
  }
}

/** Resolves when all spans of this process are sent, or the time for it is over. */
export async function flushPushes(): Promise<void> {
  await Promise.all([...pushes.values()].map(push => push.flush()))
}
