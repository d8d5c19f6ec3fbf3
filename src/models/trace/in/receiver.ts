import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { messageOf, systemCode } from '../../../util/errors.ts'
import type { Json } from '../../../util/json.ts'
import { partialSuccessBytes, statusBytes, traceRequestOf } from './protobuf.ts'
import { readRequest } from './read-request.ts'
import { type IntakeOptions, TakeIn } from './take-in.ts'

/** An address that the programs of one run send spans to. */
export interface Intake {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT: the programs add `/v1/traces`. */
  readonly endpoint: string
  /** Resolves when current requests have arrived; from then on nothing is accepted. */
  close(): Promise<void>
}

/** As OTLP recommends. */
const mostBytes = 20 * 1024 * 1024
const closeWithinMs = 2000
const idleMs = 1000

/** One server for all runs of this process: opened for the first, closed a moment after the last. */
let shared: Promise<Receiver> | null = null

export async function openIntake(options: IntakeOptions): Promise<Intake> {
  shared ??= Receiver.open(() => {
    shared = null
  })
  const opening = shared
  try {
    return (await opening).open(options)
  } catch (error) {
    if (shared === opening) shared = null
    throw error
  }
}

interface OpenIntake {
  readonly takeIn: TakeIn
  readonly onNotice: IntakeOptions['onNotice']
  readonly underWay: Set<Promise<void>>
}

/** Receives OTLP over HTTP on loopback. Each run has its own path, which can't be guessed. */
class Receiver {
  readonly #server: Server
  readonly #onIdle: () => void
  readonly #intakes = new Map<string, OpenIntake>()
  #timer: NodeJS.Timeout | undefined

  private constructor(server: Server, onIdle: () => void) {
    this.#server = server
    this.#onIdle = onIdle
    server.on('request', (request, response) => this.#handle(request, response))
    server.on('clientError', (error, socket) => {
      // The first words of HTTP/2, which gRPC is made of.
      if (systemCode(error) === 'HPE_PAUSED_H2_UPGRADE')
        for (const { onNotice } of this.#intakes.values()) onNotice(grpc)
      socket.destroy()
    })
  }

  static open(onIdle: () => void): Promise<Receiver> {
    const server = createServer()
    // It must not keep a process alive that has nothing else to do.
    server.unref()
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', () => {
        server.off('error', reject)
        resolve(new Receiver(server, onIdle))
      })
    })
  }

  open(options: IntakeOptions): Intake {
    clearTimeout(this.#timer)
    const word = randomBytes(16).toString('hex')
    const intake = {
      takeIn: new TakeIn(options),
      onNotice: onceEach(options.onNotice),
      underWay: new Set<Promise<void>>(),
    }
    this.#intakes.set(word, intake)
    const { port } = this.#server.address() as AddressInfo
    return {
      endpoint: `http://127.0.0.1:${port}/${word}`,
      close: async () => {
        await within(closeWithinMs, Promise.all(intake.underWay))
        this.#intakes.delete(word)
        if (this.#intakes.size === 0) this.#closeSoon()
      },
    }
  }

  #closeSoon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#onIdle()
      this.#server.close()
      this.#server.closeAllConnections()
    }, idleMs).unref()
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const [, word = '', signal = ''] = /^\/([0-9a-f]+)\/v1\/(\w+)$/.exec(request.url ?? '') ?? []
    const intake = this.#intakes.get(word)
    const done = this.#answer(request, intake, signal).then(
      answer => send(response, answer),
      error => send(response, { status: 400, isBinary: false, message: messageOf(error) }),
    )
    intake?.underWay.add(done)
    void done.finally(() => intake?.underWay.delete(done))
  }

  async #answer(request: IncomingMessage, intake: OpenIntake | undefined, signal: string): Promise<Answer> {
    const type = request.headers['content-type']?.split(';')[0]?.trim() ?? ''
    const isBinary = type === 'application/x-protobuf'
    const refuse = (status: number, message: string): Answer => {
      intake?.onNotice(`spans of a command were refused: ${message}`)
      return { status, isBinary, message }
    }
    if (intake === undefined) return { status: 404, isBinary, message: 'the run that this address was for is over' }
    if (signal !== 'traces') return { status: 404, isBinary, message: `assay accepts traces, not ${signal}` }
    if (request.method !== 'POST') return refuse(405, 'spans are sent by POST')
    if (type.startsWith('application/grpc')) return refuse(415, grpc)
    if (!isBinary && type !== 'application/json')
      return refuse(415, `content type "${type}" is neither application/json nor application/x-protobuf`)
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity' && encoding !== 'gzip') return refuse(415, `content encoding "${encoding}" is not gzip`)
    const body = await bodyOf(request)
    if (body === null) return refuse(413, 'a request has at most 20 MiB')
    try {
      const plain = encoding === 'gzip' ? await promisify(gunzip)(body, { maxOutputLength: mostBytes }) : body
      const data: Json = isBinary ? traceRequestOf(plain) : JSON.parse(plain.toString('utf8'))
      return { status: 200, isBinary, ...intake.takeIn.take(readRequest(data)) }
    } catch (error) {
      const isLarge = systemCode(error) === 'ERR_BUFFER_TOO_LARGE'
      return isLarge
        ? refuse(413, 'a request has at most 20 MiB')
        : refuse(400, `it can't be read: ${messageOf(error)}`)
    }
  }
}

const grpc = 'assay accepts OTLP over HTTP, not over gRPC: set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf'

interface Answer {
  readonly status: number
  readonly isBinary: boolean
  readonly message: string
  readonly rejected?: number
}

/** In the form in which the request came. */
function send(response: ServerResponse, { status, isBinary, message, rejected = 0 }: Answer): void {
  response.writeHead(status, { 'content-type': isBinary ? 'application/x-protobuf' : 'application/json' })
  if (status !== 200) response.end(isBinary ? statusBytes(message) : JSON.stringify({ message }))
  else if (isBinary) response.end(partialSuccessBytes(rejected, message))
  else
    response.end(
      JSON.stringify(
        rejected === 0 ? {} : { partialSuccess: { rejectedSpans: String(rejected), errorMessage: message } },
      ),
    )
}

/** null: it is too large; the rest is not kept. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= mostBytes) chunks.push(chunk)
  }
  return bytes > mostBytes ? null : Buffer.concat(chunks)
}

function onceEach(say: (notice: string) => void): (notice: string) => void {
  const shown = new Set<string>()
  return notice => {
    if (shown.has(notice)) return
    shown.add(notice)
    say(notice)
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, over])
  clearTimeout(timer)
}
