import type { Clock } from '../../util/time.ts'
import { errorOfProvider } from '../errors/error-of-provider.ts'
import type { Redact } from '../keys/redact.ts'
import type { ModelError } from '../model-error.ts'
import { replyOf } from '../providers/reply-of-result.ts'
import type { Reply, SentSettings, Transport, TransportRequest } from '../providers/transport.ts'
import type { Route } from '../route.ts'
import type { Api, Assembly } from './apis/api.ts'
import { objectIn, parsedObject, textIn } from './apis/reading.ts'
import { responseHeaders } from './upstream.ts'
import type { AgentSide } from './wire/agent-side.ts'
import { Events, type WireEvent } from './wire/events.ts'
import { WithoutKey } from './wire/without-key.ts'

export interface ForwardParts {
  readonly api: Api
  readonly route: Route
  /** What of the request can cost money. */
  readonly sent: SentSettings
  /** Whether the agent did not ask for the event that tells the usage of a stream. */
  readonly hides_usage: boolean
  readonly agent: AgentSide
  /** What must not reach the agent. */
  readonly keys: readonly string[]
  readonly redact: Redact
  readonly clock: Clock
  /** Sends it to whoever answers. */
  send(signal: AbortSignal): Promise<Response>
  /** Hears of the answer while it comes. */
  onAssembly(assembly: Assembly): void
}

/** Carries one request of an agent to its provider, and the answer back to the agent while it is read here. */
export function forwarding(parts: ForwardParts): Transport {
  return {
    async ask(request, signal) {
      let hasBegun = false
      try {
        const response = await parts.send(signal)
        request.heard()
        if (!response.ok) throw await refusedBy(response, parts)
        hasBegun = true
        return await passedOn(response, request, parts)
      } catch (error) {
        const { route, redact, clock } = parts
        throw errorOfProvider(error, { route, redact, now: clock.now(), has_begun: hasBegun })
      }
    },
    sends: async () => parts.sent,
  }
}

/** A refusal goes to the agent as it came, but for our key, which some quote. */
async function refusedBy(response: Response, { agent, route, redact, clock, keys }: ForwardParts): Promise<ModelError> {
  const text = withoutKeys(await response.text(), keys)
  agent.begin(response.status, responseHeaders(response.headers))
  await agent.write(Buffer.from(text))
  const { error } = parsedObject(text)
  const said = {
    statusCode: response.status,
    responseBody: text,
    responseHeaders: Object.fromEntries(response.headers),
    message: textIn(objectIn(error).message) || textIn(error) || text.slice(0, 300),
  }
  return errorOfProvider(said, { route, redact, now: clock.now(), has_begun: false })
}

function withoutKeys(text: string, keys: readonly string[]): string {
  const bytes = new WithoutKey(keys)
  return Buffer.concat([bytes.take(Buffer.from(text)), bytes.end()]).toString('utf8')
}

async function passedOn(response: Response, request: TransportRequest, parts: ForwardParts): Promise<Reply> {
  const { agent, api, route, keys } = parts
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const reader = isStream ? new StreamReader(parts) : new WholeReader(api)
  const clean = new WithoutKey(keys)
  agent.begin(response.status, responseHeaders(response.headers))
  for await (const chunk of response.body ?? []) {
    request.heard()
    await agent.write(reader.take(clean.take(chunk)))
    // An agent that has heard everything may hang up, and so can we.
    if (agent.isGone && reader.isComplete) break
  }
  await agent.write(reader.take(clean.end()))
  await agent.write(reader.end())
  request.heard()
  const answer = reader.answer()
  return replyOf({ ...answer, headers: Object.fromEntries(response.headers), metadata: undefined, warnings: [] }, route)
}

/** Reads what passes by; what it returns is for the agent. */
interface PassingReader {
  take(bytes: Uint8Array): Uint8Array
  end(): Uint8Array
  readonly isComplete: boolean
  /** Throws where the provider reported an error, or did not come to an end. */
  answer(): ReturnType<Api['answer']>
}

class StreamReader implements PassingReader {
  readonly #parts: ForwardParts
  readonly #assembly: Assembly
  readonly #events = new Events()

  constructor(parts: ForwardParts) {
    this.#parts = parts
    this.#assembly = parts.api.assemble()
    parts.onAssembly(this.#assembly)
  }

  get isComplete(): boolean {
    return this.#assembly.isComplete
  }

  take(bytes: Uint8Array): Uint8Array {
    const shown = this.#read(this.#events.take(bytes))
    return this.#parts.hides_usage ? Buffer.from(shown) : bytes
  }

  end(): Uint8Array {
    const shown = this.#read(this.#events.end())
    return this.#parts.hides_usage ? Buffer.from(shown) : nothing
  }

  answer(): ReturnType<Api['answer']> {
    const { error, body } = this.#assembly
    if (error !== null) throw error
    if (body === null) throw new Error('the stream ended without a finish reason')
    return this.#parts.api.answer(body)
  }

  #read(events: readonly WireEvent[]): string {
    const { api, hides_usage } = this.#parts
    let shown = ''
    for (const { name, data, text } of events) {
      if (data !== '') this.#assembly.take(name, data)
      if (hides_usage && !api.isOnlyUsage(parsedObject(data))) shown += text
    }
    return shown
  }
}

class WholeReader implements PassingReader {
  readonly #api: Api
  readonly #chunks: Uint8Array[] = []
  readonly isComplete = false

  constructor(api: Api) {
    this.#api = api
  }

  take(bytes: Uint8Array): Uint8Array {
    this.#chunks.push(bytes)
    return bytes
  }

  end(): Uint8Array {
    return nothing
  }

  answer(): ReturnType<Api['answer']> {
    return this.#api.answer(JSON.parse(Buffer.concat(this.#chunks).toString('utf8')))
  }
}

const nothing = Buffer.alloc(0)
