import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
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
  /** The parts of the request that can cost money. */
  readonly sent: SentSettings
  /** Whether to hide the usage event of a stream, which the agent did not request. */
  readonly hides_usage: boolean
  /** The agent's name for the model: it does not accept an answer with the provider's name. */
  readonly asked_as: string
  readonly agent: AgentSide
  /** Keys that must not reach the agent. */
  readonly keys: readonly string[]
  readonly redact: Redact
  readonly clock: Clock
  /** Sends it to the provider or the simulated model. */
  send(signal: AbortSignal): Promise<Response>
  /** Called with the answer while it arrives. */
  onAssembly(assembly: Assembly): void
}

/** Forwards one request of an agent to its provider, and the answer back to the agent while reading it here. */
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

/** A refusal goes to the agent unchanged, except for our key, which some quote. */
async function refusedBy(response: Response, { agent, route, redact, clock, keys }: ForwardParts): Promise<ModelError> {
  const text = withoutKeys(await response.text(), keys)
  agent.begin(response.status, headersFor(response, keys))
  await agent.write(Buffer.from(text))
  const { error } = parsedObject(text)
  const refusal = {
    statusCode: response.status,
    responseBody: text,
    responseHeaders: Object.fromEntries(response.headers),
    message: textIn(objectIn(error).message) || textIn(error) || text.slice(0, 300),
  }
  return errorOfProvider(refusal, { route, redact, now: clock.now(), has_begun: false })
}

const headersFor = ({ headers }: Response, keys: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(responseHeaders(headers)).map(([name, value]) => [name, withoutKeys(value, keys)]))

function withoutKeys(text: string, keys: readonly string[]): string {
  const bytes = new WithoutKey(keys)
  return Buffer.concat([bytes.take(Buffer.from(text)), bytes.end()]).toString('utf8')
}

async function passedOn(response: Response, request: TransportRequest, parts: ForwardParts): Promise<Reply> {
  const { agent, route, keys } = parts
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const reader = isStream ? new StreamReader(parts) : new WholeReader(parts)
  const clean = new WithoutKey(keys)
  agent.begin(response.status, headersFor(response, keys))
  for await (const chunk of response.body ?? []) {
    request.heard()
    await agent.write(reader.take(clean.take(chunk)))
    // An agent that has received everything may hang up, and so can we.
    if (agent.isGone && reader.isComplete) break
  }
  await agent.write(reader.take(clean.end()))
  await agent.write(reader.end())
  request.heard()
  const answer = reader.answer()
  return replyOf({ ...answer, headers: Object.fromEntries(response.headers), metadata: undefined, warnings: [] }, route)
}

/** Reads bytes in passing; its return value goes to the agent. */
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
  /** Otherwise bytes are passed on as they arrive, wherever they end. */
  readonly #isRewritten: boolean

  constructor(parts: ForwardParts) {
    this.#parts = parts
    this.#assembly = parts.api.assemble()
    this.#isRewritten = parts.hides_usage || isRenamed(parts)
    parts.onAssembly(this.#assembly)
  }

  get isComplete(): boolean {
    return this.#assembly.isComplete
  }

  take(bytes: Uint8Array): Uint8Array {
    const shown = this.#read(this.#events.take(bytes))
    return this.#isRewritten ? Buffer.from(shown) : bytes
  }

  end(): Uint8Array {
    const shown = this.#read(this.#events.end())
    return this.#isRewritten ? Buffer.from(shown) : nothing
  }

  answer(): ReturnType<Api['answer']> {
    const { error, body } = this.#assembly
    if (error !== null) throw error
    if (body === null) throw new Error('the stream ended without a finish reason')
    return this.#parts.api.answer(body)
  }

  #read(events: readonly WireEvent[]): string {
    let shown = ''
    for (const event of events) {
      if (event.data !== '') this.#assembly.take(event)
      if (this.#isRewritten) shown += this.#shown(event)
    }
    return shown
  }

  #shown(event: WireEvent): string {
    const { api, hides_usage } = this.#parts
    const { data, text } = event
    if (hides_usage && api.isOnlyUsage(event.json)) return ''
    if (!mayName(data, this.#parts)) return text
    return text.replace(data, () => JSON.stringify(renamed(event.json, this.#parts)))
  }
}

class WholeReader implements PassingReader {
  readonly #parts: ForwardParts
  readonly #chunks: Uint8Array[] = []
  readonly isComplete = false

  constructor(parts: ForwardParts) {
    this.#parts = parts
  }

  take(bytes: Uint8Array): Uint8Array {
    this.#chunks.push(bytes)
    return isRenamed(this.#parts) ? nothing : bytes
  }

  end(): Uint8Array {
    const text = this.#text
    if (!isRenamed(this.#parts)) return nothing
    return Buffer.from(mayName(text, this.#parts) ? JSON.stringify(renamed(parsedObject(text), this.#parts)) : text)
  }

  answer(): ReturnType<Api['answer']> {
    return this.#parts.api.answer(JSON.parse(this.#text))
  }

  get #text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}

const nothing = Buffer.alloc(0)

const isRenamed = ({ asked_as, route }: ForwardParts): boolean => route.kind !== 'sim' && route.model !== asked_as

const mayName = (text: string, parts: ForwardParts): boolean =>
  isRenamed(parts) && text.includes(JSON.stringify(parts.route.model))

/** Claude, for example, discards the reasoning of a model with another name than the one that it requested. */
function renamed(body: JsonObject, { asked_as, route }: ForwardParts): JsonObject {
  const rename = (part: Json | undefined): JsonObject | null =>
    isJsonObject(part) && part.model === route.model ? { ...part, model: asked_as } : null
  const [message, response] = [rename(body.message), rename(body.response)]
  return { ...(rename(body) ?? body), ...(message !== null && { message }), ...(response !== null && { response }) }
}
