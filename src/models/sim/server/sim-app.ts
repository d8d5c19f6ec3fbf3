import { type Context, Hono } from 'hono'
import { sha256 } from '../../../util/hash.ts'
import { isJsonObject, type JsonObject } from '../../../util/json.ts'
import { simInputTokens } from '../../prices/count-tokens.ts'
import { answerRequest, deskOf, type Exchange, type ServerState } from './answer-request.ts'
import { anthropicErrors } from './anthropic-errors.ts'
import { chatWire } from './chat/write-chat.ts'
import { embed } from './embeddings/embeddings.ts'
import { readMessages } from './messages/read-messages.ts'
import { messagesWire } from './messages/write-messages.ts'
import { openaiErrors } from './openai-errors.ts'
import type { Outgoing } from './paced-body.ts'
import { type ErrorFormat, Refused, refuse } from './refusal.ts'
import { responsesWire } from './responses/write-responses.ts'
import type { SimRequest, Wire } from './wire.ts'

/** Which keys are taken: any, none is needed, or these. */
export type SimKeys = 'any' | 'not_needed' | readonly string[]

type App = { Bindings: { readonly outgoing: Outgoing } }
type Asked = Context<App>

/** The endpoints of a simulated provider. */
export function simApp(state: ServerState, { keys, models }: { keys: SimKeys; models: readonly string[] }): Hono<App> {
  const app = new Hono<App>()
  let requests = 0
  const nextId = (): string => `req_${sha256(`${state.seed} ${requests++}`).slice(0, 24)}`

  /** Runs an endpoint; refusals are reported in the endpoint's format. */
  const guarded =
    (errors: ErrorFormat, work: (context: Asked, exchange: Exchange) => Promise<Response> | Response) =>
    async (context: Asked): Promise<Response> => {
      const request_id = nextId()
      try {
        const wrong = keyFault(context, keys, errors)
        if (wrong !== null) throw new Refused(wrong)
        const isRead = context.req.method === 'POST'
        const body = isRead ? await bodyOf(context, errors) : {}
        const { raw } = context.req
        const exchange = { body, headers: raw.headers, gone: raw.signal, outgoing: context.env.outgoing, request_id }
        return await work(context, exchange)
      } catch (error) {
        // The client is gone.
        if (context.req.raw.signal.aborted) return new Response(null)
        if (!(error instanceof Refused)) throw error
        state.bill.refused()
        return refuse(errors, error.refusal, request_id)
      }
    }
  const serve = <R extends SimRequest>(wire: Wire<R>): void =>
    void app.post(
      wire.endpoint,
      guarded(wire.errors, (_, exchange) => answerRequest(wire, exchange, state)),
    )
  serve(chatWire)
  serve(responsesWire)
  serve(messagesWire)
  app.post(
    '/v1/messages/count_tokens',
    guarded(anthropicErrors, (context, exchange) => {
      const request = readMessages(exchange.body, deskOf(messagesWire, exchange, state), true)
      return context.json({ input_tokens: simInputTokens(request) })
    }),
  )
  app.post(
    '/v1/embeddings',
    guarded(openaiErrors, async (context, exchange) => {
      const { model, body, usage } = embed(exchange.body)
      deskOf({ errors: openaiErrors }, exchange, state).settingOf(model)
      const id = exchange.request_id
      await state.bill.charge({ id, model, endpoint: '/v1/embeddings', at: state.clock.now(), ...usage }, model)
      return context.json(body)
    }),
  )
  serveStored(app, state, guarded)
  serveModels(app, models, guarded)
  app.get('/sim/bill', context => context.json(state.bill.totals()))
  // Programs probe the address before they send a request.
  app.get('/', context => context.json({ simulated: true, models }))
  app.notFound(context => {
    const { method, path } = context.req
    return isAnthropic(context)
      ? refuse(anthropicErrors, { status: 404, type: 'not_found_error', message: 'Not Found' }, nextId())
      : refuse(openaiErrors, { status: 404, message: `Invalid URL (${method} ${path})` }, nextId())
  })
  return app
}

type Guarded = (
  errors: ErrorFormat,
  work: (context: Asked, exchange: Exchange) => Promise<Response> | Response,
) => (context: Asked) => Promise<Response>

/** Stored responses can be read and deleted. */
function serveStored(app: Hono<App>, { stored }: ServerState, guarded: Guarded): void {
  const found = (id: string): { id: string; body: object; input: readonly JsonObject[] } => {
    const response = stored.response(id)
    if (response !== null) return { id, ...response }
    throw new Refused({ status: 404, message: `Response with id '${id}' not found.` })
  }
  const idOf = (context: Asked): string => context.req.param('id') ?? ''
  app.get(
    '/v1/responses/:id',
    guarded(openaiErrors, context => context.json(found(idOf(context)).body)),
  )
  app.get(
    '/v1/responses/:id/input_items',
    guarded(openaiErrors, context => {
      const data = [...found(idOf(context)).input].reverse()
      return context.json({ object: 'list', data, has_more: false, first_id: null, last_id: null })
    }),
  )
  app.delete(
    '/v1/responses/:id',
    guarded(openaiErrors, context => {
      const { id } = found(idOf(context))
      stored.remove(id)
      return context.json({ id, object: 'response', deleted: true })
    }),
  )
}

/** The list of models, for each provider's clients in their own form. */
function serveModels(app: Hono<App>, models: readonly string[], guarded: Guarded): void {
  const ofOpenai = (id: string): object => ({ id, object: 'model', created: 0, owned_by: 'assay' })
  const ofAnthropic = (id: string): object => ({
    type: 'model',
    id,
    display_name: id,
    created_at: '1970-01-01T00:00:00Z',
  })
  const answer = (context: Asked): Response => {
    const id = decodeURIComponent(context.req.path.replace(/^\/v1\/models\/?/, ''))
    const isForAnthropic = isAnthropic(context)
    const told = isForAnthropic ? ofAnthropic : ofOpenai
    if (id !== '') {
      if (models.includes(id)) return context.json(told(id))
      throw new Refused((isForAnthropic ? anthropicErrors : openaiErrors).unknownModel(id))
    }
    const data = models.map(told)
    if (!isForAnthropic) return context.json({ object: 'list', data })
    return context.json({ data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null })
  }
  const either = (context: Asked): Promise<Response> =>
    guarded(isAnthropic(context) ? anthropicErrors : openaiErrors, answer)(context)
  app.get('/v1/models', either)
  app.get('/v1/models/*', either)
}

const isAnthropic = ({ req }: Asked): boolean =>
  req.header('anthropic-version') !== undefined || req.path.startsWith('/v1/messages')

async function bodyOf({ req }: Asked, errors: ErrorFormat): Promise<JsonObject> {
  const body: unknown = await req.json().catch(() => undefined)
  if (isJsonObject(body)) return body
  throw new Refused(errors.unreadable)
}

function keyFault({ req }: Asked, keys: SimKeys, errors: ErrorFormat): Refused['refusal'] | null {
  if (keys === 'not_needed') return null
  const key = req.header('x-api-key') ?? req.header('authorization')?.replace(/^Bearer\s*/i, '')
  if (key === undefined || key.trim() === '') return errors.missingKey
  return keys === 'any' || keys.includes(key) ? null : errors.wrongKey
}
