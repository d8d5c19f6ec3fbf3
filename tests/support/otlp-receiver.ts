import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { problemsOfOtlp } from './valid-otlp.ts'

/** A span as a receiver gets it, its attributes as plain data. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly events: readonly { readonly name: string; readonly facts: Readonly<Record<string, unknown>> }[]
  readonly resource: Readonly<Record<string, unknown>>
  readonly status: { readonly code?: number; readonly message?: string }
}

export interface OtlpReceiver {
  readonly address: string
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[]
  /** All spans that came, without those of requests that were answered by `answer`. */
  spans(): readonly ReceivedSpan[]
  /** The errors in all received data, taken as one document. */
  problems(): readonly string[]
}

/** A receiver of OTLP/HTTP on loopback, gone when the test is over. `answer` may answer the how-many-th request (from 1) itself. */
export async function startOtlpReceiver(
  answer: (response: ServerResponse, nth: number) => boolean = () => false,
): Promise<OtlpReceiver> {
  const requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
  const taken: { resourceSpans: unknown[] }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      if (answer(response, requests.length)) return
      taken.push(JSON.parse(body))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const whole = () => ({ resourceSpans: taken.flatMap(one => one.resourceSpans) })
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    spans: () => spansOf(whole()),
    problems: () => problemsOfOtlp(whole()),
  }
}

interface Attributes {
  readonly attributes?: readonly { readonly key: string; readonly value: Record<string, unknown> }[]
}
interface Document {
  readonly resourceSpans: readonly unknown[]
}

/** The spans of a document of OTLP. */
export function spansOf(document: Document): readonly ReceivedSpan[] {
  const all = document.resourceSpans as {
    resource: Attributes
    scopeSpans: { spans: (Attributes & ReceivedSpan)[] }[]
  }[]
  return all.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(span => ({
        ...span,
        facts: factsOf(span),
        events: (span.events ?? []).map(event => ({ ...event, facts: factsOf(event as Attributes) })),
        resource: factsOf(resource),
      })),
    ),
  )
}

const factsOf = ({ attributes = [] }: Attributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]))

function plain(value: Record<string, unknown>): unknown {
  if ('intValue' in value) return Number(value.intValue)
  if ('arrayValue' in value) return (value.arrayValue as { values: Record<string, unknown>[] }).values.map(plain)
  return Object.values(value)[0]
}
