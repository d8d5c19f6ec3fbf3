import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sha256 } from '../../util/hash.ts'
import { isJsonObject, type JsonObject } from '../../util/json.ts'
import { anthropicErrors } from '../sim/server/anthropic-errors.ts'
import { openaiErrors } from '../sim/server/openai-errors.ts'
import { type ErrorFormat, Refused } from '../sim/server/refusal.ts'
import type { Api } from './apis/api.ts'
import { chatApi } from './apis/chat/chat-api.ts'
import { messagesApi } from './apis/messages/messages-api.ts'
import { responsesApi } from './apis/responses/responses-api.ts'
import { refusalWire } from './refusals.ts'
import type { AgentRequest, Relay } from './relay.ts'
import { AgentSide } from './wire/agent-side.ts'
import { readBody } from './wire/read-body.ts'

const apis: readonly Api[] = [chatApi, responsesApi, messagesApi]

export interface ServeParts {
  readonly relay: Relay
  /** The only key that is taken. */
  readonly key: string
  /** The models listed for the agent. */
  readonly models: readonly string[]
  /** Whether exchanges are stored, so that each must be remembered until then. */
  readonly isKeeping: boolean
  /** Aborted when the run is asked to end: then no answers are needed. */
  readonly signal: AbortSignal
}

/** Answers one request of an agent, whatever it is. Never rejects. */
export async function serve(request: IncomingMessage, response: ServerResponse, parts: ServeParts): Promise<void> {
  const { pathname, search } = addressOf(request)
  const agent = new AgentSide(response, parts.isKeeping)
  const errors = errorsFor(request, pathname)
  try {
    if (pathname === '/') return void agent.send(json({}))
    checkKey(request, parts.key, errors)
    if (request.method === 'GET' && /^\/v1\/models(\/|$)/.test(pathname))
      return void agent.send(json(modelList(pathname, errors, parts.models)))
    const isCount = pathname === `${messagesApi.endpoint}/count_tokens`
    const api = isCount ? messagesApi : apis.find(({ endpoint }) => endpoint === pathname)
    if (request.method !== 'POST' || api === undefined) throw unknownPath(request, pathname)
    const asked = await requestIn(request, api, search)
    if (isCount) agent.send(json({ input_tokens: await parts.relay.count(asked) }))
    else await parts.relay.answer(asked, agent)
  } catch (error) {
    if (parts.signal.aborted || agent.hasBegun) agent.cut()
    else agent.send(refusalWire(error, errors))
  }
}

/** An agent may write anything there. An invalid address is treated as an unsupported path. */
const addressOf = ({ url = '' }: IncomingMessage): Pick<URL, 'pathname' | 'search'> =>
  URL.parse(url, 'http://proxy') ?? { pathname: url, search: '' }

const json = (body: object) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

async function requestIn(request: IncomingMessage, api: Api, query: string): Promise<AgentRequest> {
  const text = await readBody(request)
  const body = objectIn(text)
  if (body === null) throw new Refused(api.errors.unreadable)
  return { api, text, body, headers: request.headers, query }
}

function objectIn(text: string): JsonObject | null {
  try {
    const body: unknown = JSON.parse(text)
    return isJsonObject(body) ? body : null
  } catch {
    return null
  }
}

/** In whose words to refuse. */
const errorsFor = ({ headers }: IncomingMessage, path: string): ErrorFormat =>
  path.startsWith('/v1/messages') || headers['anthropic-version'] !== undefined ? anthropicErrors : openaiErrors

function checkKey({ headers }: IncomingMessage, key: string, errors: ErrorFormat): void {
  const bearer = headers.authorization?.replace(/^Bearer\s+/i, '')
  const given = [headers['x-api-key'], bearer].flat().filter(one => one !== undefined && one.trim() !== '')
  if (given.length === 0) throw new Refused(errors.missingKey)
  if (!given.some(one => isSame(one?.trim() ?? '', key))) throw new Refused(errors.wrongKey)
}

/** In the same time, however much of it is right. */
const isSame = (given: string, key: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(key)))

const unknownPath = ({ method }: IncomingMessage, path: string): Refused =>
  new Refused({
    status: 404,
    type: 'not_found_error',
    message: `assay: the model proxy does not carry ${method} ${path}; it takes POST ${apis.map(({ endpoint }) => endpoint).join(', ')}`,
    code: 'unknown_url',
  })

/** The list, or one of it. */
function modelList(path: string, errors: ErrorFormat, models: readonly string[]): object {
  const isAnthropic = errors === anthropicErrors
  const told = (id: string): object =>
    isAnthropic
      ? { type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z' }
      : { id, object: 'model', created: 0, owned_by: 'assay' }
  const one = decodeURIComponent(path.replace(/^\/v1\/models\/?/, ''))
  if (one !== '') {
    if (models.includes(one)) return told(one)
    throw new Refused(errors.unknownModel(one))
  }
  const data = models.map(told)
  if (!isAnthropic) return { object: 'list', data }
  return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null }
}
