import type { ModelSettings } from '../../../define/models/model-settings.ts'
import { onStop } from '../../../define/outcome.ts'
import { sha256 } from '../../../util/hash.ts'
import type { JsonObject } from '../../../util/json.ts'
import type { Clock } from '../../../util/time.ts'
import { passed } from '../../calls/passed.ts'
import type { Usage } from '../../model-call.ts'
import { type FullSetting, settingOf } from '../../names/settings-of.ts'
import { type CacheUse, fittingUse, PrefixCache, withCacheUse } from '../../prices/prefix-cache.ts'
import { SimRefused } from '../sim-refused.ts'
import { type SimAnswer, simulate } from '../simulate.ts'
import type { Bill } from './bill.ts'
import { type Outgoing, pacedBody } from './paced-body.ts'
import { Refused } from './refusal.ts'
import { StoredResponses } from './responses/stored-responses.ts'
import type { Answered, Desk, SimRequest, Wire } from './wire.ts'

/** What the server knows between requests. */
export interface ServerState {
  readonly settings: ModelSettings
  readonly seed: number
  readonly clock: Clock
  readonly bill: Bill
  readonly cache: PrefixCache
  readonly stored: StoredResponses
  /** How often the same has been asked. */
  readonly tries: Map<string, number>
  /** How many earlier tries to assume; default: none. */
  readonly earlier_tries?: number | undefined
  /** The purpose of requests, as rules see it; default: `answer`. */
  readonly purpose?: string | undefined
}

/** For a server without any requests yet. */
export const serverState = (parts: Omit<ServerState, 'cache' | 'stored' | 'tries'>): ServerState => ({
  ...parts,
  cache: new PrefixCache(),
  stored: new StoredResponses(),
  tries: new Map(),
})

export interface Exchange {
  readonly body: JsonObject
  readonly headers: Headers
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal
  readonly outgoing: Outgoing
  readonly request_id: string
}

const json = { 'content-type': 'application/json' }
const events = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }

/** Reads a request, draws the answer, charges for it and sends it at its pace; refuses it where the provider would. */
export async function answerRequest<R extends SimRequest>(
  wire: Wire<R>,
  exchange: Exchange,
  state: ServerState,
): Promise<Response> {
  const desk = deskOf(wire, exchange, state)
  const request = wire.read(exchange.body, desk)
  const setting = desk.settingOf(request.model)
  const { answers, cache, asked, tries } = drawn(wire, request, exchange, state, setting)
  const [{ fault, usage }] = answers
  const pace = paceOf(answers)
  const { gone, outgoing, request_id } = exchange
  const refusal =
    fault === null
      ? null
      : wire.errors.ofFault(fault, {
          model: request.model,
          input_tokens: usage.input_tokens,
          context: setting.context,
          retry_after_ms: setting.failures?.retry_after_ms ?? null,
        })
  if (refusal !== null) {
    await passed(state.clock, pace.latency_ms, gone)
    throw new Refused(refusal)
  }
  const at = state.clock.now()
  const id = sha256(`${asked} ${tries} ${request_id}`).slice(0, 24)
  const answered: Answered<R> = { request, answers, cache, id, at }
  const charge = { id, model: request.model, endpoint: wire.endpoint, at, ...total(answers) }
  await state.bill.charge(charge, knownName(request.model, state.settings))
  if (fault === 'no_answer') return untilGone(gone)
  wire.kept?.(answered, desk)
  const headers = { 'request-id': request_id, 'x-request-id': request_id }
  const isCut = fault === 'cut'
  if (request.stream) {
    await passed(state.clock, pace.first_token_ms, gone)
    const all = fault === 'malformed' ? ['data: {"id": "broken", "choices": [\n\n'] : [...wire.events(answered)]
    const parts = isCut ? all.slice(0, Math.max(1, Math.floor(all.length / 2))) : [...all, wire.farewell]
    const stream = pacedBody(parts, { pace, clock: state.clock, gone, cut: isCut ? outgoing : null })
    return new Response(stream, { headers: { ...events, ...headers } })
  }
  await passed(state.clock, pace.latency_ms, gone)
  if (fault === 'malformed') return new Response('{"id": "broken", "choices": [', { headers: { ...json, ...headers } })
  const whole = JSON.stringify(wire.whole(answered))
  if (!isCut) return new Response(whole, { headers: { ...json, ...headers } })
  const half = [whole.slice(0, Math.floor(whole.length / 2))]
  const still = { first_token_ms: 0, latency_ms: 0 }
  const cutBody = pacedBody(half, { pace: still, clock: state.clock, gone, cut: outgoing })
  return new Response(cutBody, { headers: { ...json, ...headers } })
}

/** What reading a request may need from the server. */
export function deskOf(
  { errors }: Pick<Wire, 'errors'>,
  { headers }: Pick<Exchange, 'headers'>,
  { settings, stored }: ServerState,
): Desk {
  return {
    headers,
    stored,
    settingOf(model) {
      const own = settingOf(knownName(model, settings), settings)
      if (own === null && model.startsWith('sim/')) throw new Refused(errors.unknownModel(model))
      return { ...settingOf('sim/rehearsal', settings), ...own }
    },
  }
}

/** A model may be asked for without `sim/`. */
const knownName = (model: string, settings: ModelSettings): string =>
  settingOf(model, settings) === null && settingOf(`sim/${model}`, settings) !== null ? `sim/${model}` : model

function drawn<R extends SimRequest>(
  wire: Wire<R>,
  request: R,
  { body }: Exchange,
  { tries: times, seed, cache: kept, clock, earlier_tries = 0, purpose = 'answer' }: ServerState,
  setting: FullSetting,
): { answers: Answered['answers']; cache: CacheUse; asked: string; tries: number } {
  // The same question again is another try: a random failure may not recur.
  const asked = sha256(`${wire.endpoint} ${JSON.stringify(body)}`)
  const tries = (times.get(asked) ?? earlier_tries) + 1
  times.delete(asked)
  times.set(asked, tries)
  if (times.size > 100_000) times.delete(times.keys().next().value ?? '')
  const answer = (choice: number): SimAnswer =>
    withFault(simulate({ ...request, purpose, seed: (request.seed ?? seed) + choice, tries }, setting))
  try {
    const first = answer(0)
    const isRefused = first.fault !== null && wire.errors.ofFault(first.fault, noFacts) !== null
    const isDeclared = typeof setting.tokens?.cached === 'number' || isRefused
    const found = isDeclared ? noCache : kept[wire.caching](request.model, request.prompt, clock.now())
    const cache = fittingUse(found, first.usage.input_tokens)
    const others = Array.from({ length: request.choices - 1 }, (_, index) => answer(index + 1))
    return {
      answers: [isDeclared ? first : { ...first, usage: withCacheUse(first.usage, cache) }, ...others],
      cache,
      asked,
      tries,
    }
  } catch (error) {
    if (error instanceof SimRefused) throw new Refused({ status: 400, message: `${error.message} (simulated)` })
    throw error
  }
}

const noCache: CacheUse = { read: 0, write_5m: 0, write_1h: 0 }
const noFacts = { model: '', input_tokens: 0, context: undefined, retry_after_ms: null }

function withFault(answer: SimAnswer): SimAnswer {
  if (answer.fault === 'empty') return { ...answer, reasoning: '', text: '', tool_calls: [], finish: 'stop' }
  if (answer.fault === 'content_filter') return { ...answer, text: '', tool_calls: [], finish: 'content_filter' }
  return answer
}

/** Several answers are made side by side. */
const paceOf = (answers: Answered['answers']): Pick<SimAnswer, 'latency_ms' | 'first_token_ms'> => ({
  latency_ms: Math.max(...answers.map(({ latency_ms }) => latency_ms)),
  first_token_ms: Math.max(...answers.map(({ first_token_ms }) => first_token_ms)),
})

/** The charge: the prompt once, and every answer. */
function total(answers: Answered['answers']): Usage {
  const sum = (part: (usage: Usage) => number): number => answers.reduce((all, { usage }) => all + part(usage), 0)
  return {
    ...answers[0].usage,
    output_tokens: sum(({ output_tokens }) => output_tokens),
    reasoning_tokens: sum(({ reasoning_tokens }) => reasoning_tokens),
  }
}

/** Never answers; the client must give up. */
const untilGone = (gone: AbortSignal): Promise<Response> =>
  new Promise(resolve => void onStop(gone, () => resolve(new Response(null))))
