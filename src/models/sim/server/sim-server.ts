import { once } from 'node:events'
import type { Server } from 'node:http'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { ModelSettings, SimFault } from '../../../define/models/model-settings.ts'
import { onStop } from '../../../define/outcome.ts'
import { sha256 } from '../../../util/hash.ts'
import { systemClock } from '../../../util/time.ts'
import { passed } from '../../calls/passed.ts'
import { presets } from '../../names/known-names.ts'
import { type FullSetting, settingOf } from '../../names/settings-of.ts'
import { type SimAnswer, simulate } from '../simulate.ts'
import { type ChatRequest, readChatRequest } from './chat-request.ts'
import { chunks, completion, type ResponseParts } from './chat-response.ts'

export interface SimServerOptions {
  readonly settings: ModelSettings
  /** 0: one that is free. */
  readonly port: number
  /** What answers are drawn from where a request brings no seed. */
  readonly seed: number
}

export interface SimServer {
  /** `http://127.0.0.1:4010/v1` */
  readonly address: string
  readonly models: readonly string[]
  close(): Promise<void>
}

/**
 * Simulated models behind OpenAI's chat completions, on this machine only, for programs in any language. A model that is
 * not simulated is answered as in a rehearsal, so that a program need not be changed.
 */
export async function startSimServer(options: SimServerOptions): Promise<SimServer> {
  const server = createAdaptorServer({ fetch: simApp(options).fetch, overrideGlobalObjects: false }) as Server
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const place = server.address()
  const port = typeof place === 'object' && place !== null ? place.port : options.port
  return {
    address: `http://127.0.0.1:${port}/v1`,
    models: simNames(options.settings),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

type App = { Bindings: HttpBindings }

function simApp({ settings, seed }: SimServerOptions): Hono<App> {
  const app = new Hono<App>()
  const times = new Map<string, number>()
  const listed = simNames(settings).map(id => ({ id, object: 'model', created: 0, owned_by: 'assay' }))
  app.get('/v1/models', context => context.json({ object: 'list', data: listed }))
  app.post('/v1/chat/completions', async context => {
    const body: unknown = await context.req.json().catch(() => undefined)
    const request = readChatRequest(body)
    if (typeof request === 'string') return refusal(400, 'invalid_request_error', request)
    const setting = settingFor(request.model, settings)
    if (setting === null) return refusal(404, 'model_not_found', `The model \`${request.model}\` does not exist`)
    // The same question again is another try: what failed by chance may go well then.
    const asked = sha256(JSON.stringify(body))
    const tries = (times.get(asked) ?? 0) + 1
    times.set(asked, tries)
    const answer = simulate({ ...request, purpose: 'answer', seed: request.seed ?? seed, tries }, setting)
    return respond(context, { request, setting, answer, id: `chatcmpl-${asked.slice(0, 24)}` })
  })
  app.notFound(context => refusal(404, 'not_found', `there is no ${context.req.method} ${context.req.path} here`))
  return app
}

const simNames = (settings: ModelSettings): readonly string[] =>
  [...new Set([...Object.keys(presets), ...Object.keys(settings)])].filter(name => name.startsWith('sim/'))

/** Its own settings, under its name with or without `sim/`; null: there is no such simulated model. */
function settingFor(name: string, settings: ModelSettings): FullSetting | null {
  const own = settingOf(name, settings) ?? settingOf(`sim/${name}`, settings)
  if (own === null && name.startsWith('sim/')) return null
  return { ...settingOf('sim/rehearsal', settings), ...own }
}

interface Answered {
  readonly request: ChatRequest
  readonly setting: FullSetting
  readonly answer: SimAnswer
  readonly id: string
}

async function respond(context: Context<App>, answered: Answered): Promise<Response> {
  const { request, setting, answer, id } = answered
  const gone = context.req.raw.signal
  if (answer.fault === 'no_answer') return untilGone(gone)
  await passed(systemClock, answer.latency_ms, gone)
  const refused = refusalOf(answer.fault, setting, answer)
  if (refused !== null) return refused
  if (answer.fault === 'malformed') return malformed(request.stream)
  const parts: ResponseParts = { id, model: request.model, created: 0, answer: withFault(answer) }
  if (request.stream) return streamed(context, parts, request.include_usage, answer.fault === 'cut')
  return answer.fault === 'cut' ? cutBody(context, parts) : context.json(completion(parts))
}

const json = { 'content-type': 'application/json' }
const events = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }

/** Nothing is ever said; whoever asked has to give up. */
const untilGone = (gone: AbortSignal): Promise<Response> =>
  new Promise(resolve => void onStop(gone, () => resolve(new Response(null))))

function malformed(isStreamed: boolean): Response {
  const broken = '{"id": "chatcmpl-broken", "choices": ['
  return isStreamed
    ? new Response(`data: ${broken}\n\ndata: [DONE]\n\n`, { headers: events })
    : new Response(broken, { headers: json })
}

function withFault(answer: SimAnswer): SimAnswer {
  if (answer.fault === 'empty') return { ...answer, text: '', tool_calls: [], finish: 'stop' }
  if (answer.fault === 'content_filter') return { ...answer, text: '', tool_calls: [], finish: 'content_filter' }
  return answer
}

function refusalOf(fault: SimFault | null, { failures }: FullSetting, { usage }: SimAnswer): Response | null {
  switch (fault) {
    case 'rate_limited': {
      const wait = failures?.retry_after_ms
      const told = wait === undefined || wait === null ? null : String(Math.ceil(wait / 1000))
      return refusal(429, 'rate_limit_exceeded', 'Rate limit reached (simulated)', told)
    }
    case 'server_error':
      return refusal(500, 'server_error', 'The server had an error (simulated)')
    case 'overloaded':
      return refusal(529, 'overloaded_error', 'Overloaded (simulated)')
    case 'context_too_long':
      return refusal(
        400,
        'context_length_exceeded',
        `This model's maximum context length is exceeded: the prompt has ${usage.input_tokens} tokens (simulated)`,
      )
    default:
      return null
  }
}

function refusal(status: number, code: string, message: string, retryAfter: string | null = null): Response {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error'
  return new Response(JSON.stringify({ error: { message, type, code, param: null } }), {
    status,
    headers: { ...json, ...(retryAfter === null ? {} : { 'retry-after': retryAfter }) },
  })
}

/** Server-sent events; one that is cut ends in the middle, without a farewell. */
function streamed(context: Context<App>, parts: ResponseParts, includeUsage: boolean, isCut: boolean): Response {
  const lines = [...chunks(parts, includeUsage)].map(chunk => `data: ${JSON.stringify(chunk)}\n\n`)
  const sent = isCut ? lines.slice(0, Math.max(1, Math.floor(lines.length / 2))) : [...lines, 'data: [DONE]\n\n']
  const { outgoing } = context.env
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const line of sent) controller.enqueue(new TextEncoder().encode(line))
      if (!isCut) return controller.close()
      // What was sent must have left before the connection is ended under it.
      setTimeout(() => outgoing.destroy(), 20)
    },
  })
  return new Response(body, { headers: events })
}

function cutBody(context: Context<App>, parts: ResponseParts): Response {
  const whole = JSON.stringify(completion(parts))
  const { outgoing } = context.env
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(whole.slice(0, Math.floor(whole.length / 2))))
      setTimeout(() => outgoing.destroy(), 20)
    },
  })
  return new Response(body, { headers: json })
}
