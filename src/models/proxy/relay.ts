import { LimitReached } from '../../define/permits.ts'
import type { JsonObject } from '../../util/json.ts'
import type { KeptPlace } from '../cache/kept-calls.ts'
import type { EffectiveCall, KnownModel } from '../calls/call-bound.ts'
import { type RunCalls, tracedTry } from '../calls/run-calls.ts'
import type { Environment } from '../keys/access.ts'
import type { Redact } from '../keys/redact.ts'
import type { ModelCall } from '../model-call.ts'
import { ModelError } from '../model-error.ts'
import { estimateInputTokens } from '../prices/count-tokens.ts'
import { Refused } from '../sim/server/refusal.ts'
import type { SimFetchRequest } from '../sim/server/sim-fetch.ts'
import type { Api, Assembly } from './apis/api.ts'
import { canonicalRequest } from './canonical-request.ts'
import { forwarding } from './forward.ts'
import { inputBoundOf } from './input-bound.ts'
import { type Prepared, prepareRequest } from './prepare-request.ts'
import { requestHeaders, upstreamOf } from './upstream.ts'
import type { AgentSide } from './wire/agent-side.ts'

/** A request of an agent, read. */
export interface AgentRequest {
  readonly api: Api
  /** As it came. */
  readonly text: string
  readonly body: JsonObject
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** The words after the path, with their question mark: `?beta=true`. */
  readonly query: string
}

export interface RelayParts {
  readonly calls: RunCalls
  readonly env: Environment
  readonly redact: Redact
  /** Aborted when the run is asked to end. */
  readonly signal: AbortSignal
  /** Answers for simulated models. */
  simulated(request: SimFetchRequest): Promise<Response>
  onNotice(notice: string): void
  onLimit?: ((limit: LimitReached) => void) | undefined
}

/** The purpose of agents' calls, as shown in totals and the ledger. */
export const agentPurpose = 'agent'

/** Answers the requests of one run's agent: from a recording, or by its provider, with permits and costs. */
export class Relay {
  readonly #parts: RelayParts
  readonly #shown = new Set<string>()
  /** The limit that ended it; from then on nothing is sent. */
  limit: LimitReached | null = null
  /** The error of the last exchange; null: it succeeded. */
  problem: ModelError | null = null
  /** How many tools the answers so far have called. */
  toolCalls = 0

  constructor(parts: RelayParts) {
    this.#parts = parts
  }

  /** Rejects if the agent has not been answered yet, with a reason that it can be given. */
  async answer(asked: AgentRequest, agent: AgentSide): Promise<void> {
    let place: KeptPlace | null = null
    try {
      if (this.limit !== null) throw this.limit
      const call = callIn(asked)
      place = this.#placeOf(asked, call)
      if (place !== null && (await this.#isReused(place, call, agent))) return
      await this.#pass(asked, call, place, agent)
    } catch (error) {
      place?.release()
      this.#learn(error)
      throw error
    }
  }

  /** An estimate of a prompt's tokens, for agents that want to know it before sending: no model is called. */
  count(asked: AgentRequest): Promise<number> {
    const call = callIn(asked)
    const isSimulated = call.model.startsWith('sim/') || this.#parts.calls.parts.is_rehearsal
    const provider = 'anthropic' as const
    return estimateInputTokens(call, { kind: isSimulated ? 'sim' : provider, provider, setting: {} })
  }

  /** null: nothing is cached. */
  #placeOf({ api, body }: AgentRequest, { model }: ModelCall): KeptPlace | null {
    const { kept } = this.#parts.calls
    return kept === null ? null : kept.place(model, { api: api.endpoint, body: canonicalRequest(body) })
  }

  async #isReused({ key }: KeptPlace, call: ModelCall, agent: AgentSide): Promise<boolean> {
    const { calls } = this.#parts
    const found = (await calls.kept?.findWire(key, call)) ?? null
    if (found === null) return false
    if (found.answer !== null) calls.reused(call, found.answer)
    this.toolCalls += found.answer?.tool_calls.length ?? 0
    this.problem = found.error
    agent.send(found.wire)
    return true
  }

  async #pass(asked: AgentRequest, written: ModelCall, place: KeptPlace | null, agent: AgentSide): Promise<void> {
    const { calls } = this.#parts
    const model = await calls.parts.find(written.model)
    const ownLimit = calls.parts.settings[written.model]?.max_output
    const prepared = prepareRequest(asked, model.route, ownLimit)
    for (const notice of prepared.notices) this.#notice(notice)
    const call: EffectiveCall = { ...written, max_output_tokens: prepared.max_output_tokens }
    const made = await this.#try(asked, { call, model, prepared }, agent)
    if (made.error !== null) this.#learn(made.error)
    else this.problem = null
    this.toolCalls += made.answer?.tool_calls.length ?? 0
    calls.ended({ call, answer: made.answer, error: made.error, tries: tracedTry(made, 1) }, model)
    if (place !== null) await this.#keep(place, written, made, agent)
    if (made.error !== null && !agent.hasBegun) throw made.error
    // An agent whose provider broke off must not take half an answer for a whole one.
    if (made.error instanceof ModelError && broken.includes(made.error.fault)) agent.cut()
    else agent.end()
  }

  async #try(
    { api, headers, query }: AgentRequest,
    {
      call,
      model,
      prepared,
    }: { readonly call: EffectiveCall; readonly model: KnownModel; readonly prepared: Prepared },
    agent: AgentSide,
  ): ReturnType<RunCalls['try']> {
    const { calls, env, redact, signal, simulated } = this.#parts
    const { clock } = calls.parts
    const { route } = model
    const upstream = upstreamOf(route, env)
    const sent = {
      max_output_tokens: prepared.max_output_in_all,
      unsent: [],
      is_kept_long: /"ttl"\s*:\s*"1h"/.test(prepared.text),
      input_tokens: await inputBoundOf(api.input(prepared.body), route),
    }
    const request = { headers: { ...requestHeaders(headers, route), ...upstream.headers }, body: prepared.text }
    const send = (stop: AbortSignal): Promise<Response> =>
      route.kind === 'sim'
        ? simulated({ path: `${api.endpoint}${query}`, ...request, signal: stop })
        : fetch(`${upstream.address}${api.endpoint.replace(/^\/v1/, '')}${query}`, {
            method: 'POST',
            ...request,
            signal: stop,
            // A key must not follow to wherever an answer points.
            redirect: 'error',
          })
    const stop = new AbortController()
    let assembly: Assembly | null = null
    let forget = (): void => {}
    agent.onGone(() => {
      const hangUp = (): void => stop.abort(hungUp(call.model, route.provider))
      // The rest costs nothing more, and includes the usage.
      if (assembly?.isFinished === true) forget = clock.after(drainMs, hangUp)
      else hangUp()
    })
    const transport = forwarding({
      ...{ api, route, sent, agent, keys: upstream.keys, redact, clock, send },
      hides_usage: prepared.hides_usage,
      asked_as: call.model,
      onAssembly(begun) {
        assembly = begun
      },
    })
    try {
      const parts = { call, model: { ...model, transport }, tries: 1, judge: () => undefined }
      return await calls.try(parts, AbortSignal.any([signal, stop.signal]))
    } finally {
      forget()
    }
  }

  /** A refusal that says nothing about the question is not stored: the agent retries, and that answer is stored. */
  async #keep(
    place: KeptPlace,
    call: ModelCall,
    made: Awaited<ReturnType<RunCalls['try']>>,
    agent: AgentSide,
  ): Promise<void> {
    const { kept } = this.#parts.calls
    const { wire } = agent
    const isKept =
      wire !== null &&
      (await kept?.keep(place.key, call, made.answer === null ? { error: made.error } : { answer: made.answer }, wire))
    if (isKept !== true) place.release()
  }

  #learn(error: unknown): void {
    if (error instanceof LimitReached && this.limit === null) {
      this.limit = error
      this.#parts.onLimit?.(error)
    }
    if (error instanceof ModelError) {
      this.problem = error
      // No request was sent: the user must fix it.
      if (error.status === null && error.cost === 'nothing') this.#notice(error.message)
    }
    if (error instanceof Refused) this.#notice(error.message)
  }

  #notice(notice: string): void {
    if (this.#shown.has(notice)) return
    this.#shown.add(notice)
    this.#parts.onNotice(notice)
  }
}

/** How long to wait for the end of an answer after the agent has disconnected. */
const drainMs = 5000

/** The connection ended under an answer. */
const broken: readonly ModelError['fault'][] = ['answer_cut', 'no_answer', 'connection_failed']

function callIn({ body, api }: AgentRequest): ModelCall {
  const { model } = body
  if (typeof model === 'string' && model !== '') return { model, ...api.call(body), purpose: agentPurpose }
  throw new Refused({
    status: 400,
    message: `assay: a request to ${api.endpoint} names the model that is asked: "model"`,
    param: 'model',
    code: 'missing_required_parameter',
  })
}

const hungUp = (model: string, provider: string): ModelError =>
  new ModelError('answer_cut', `${model}: the agent closed the connection before the answer was complete`, {
    model,
    provider,
    cost: 'unknown',
  })
