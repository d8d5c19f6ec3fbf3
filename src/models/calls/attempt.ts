import type { Permit, Permits, Settlement } from '../../define/permits.ts'
import type { Clock } from '../../util/clock.ts'
import { ModelError } from '../errors/model-error.ts'
import type { ModelAnswer, ModelCall, Usage } from '../model-call.ts'
import { type Cost, costOf } from '../prices/price.ts'
import type { Reply, TransportRequest } from '../providers/transport.ts'
import { callBound } from './call-bound.ts'
import { judgeReply } from './judge-reply.ts'
import type { KnownModel } from './known-model.ts'
import { Silence } from './silence.ts'

export interface AttemptParts {
  readonly call: ModelCall
  readonly model: KnownModel
  readonly attempt: number
  readonly run_seed: number
  /** What simulated faults are drawn by. */
  readonly draw: number
}

/** What came of an attempt: an answer or an error, and what it took either way. */
export type Attempted = {
  /** False where it never got as far as a provider. */
  readonly reached: boolean
  readonly usage: Usage | null
  readonly cost_usd: number | null
  readonly latency_ms: number
} & ({ readonly answer: ModelAnswer; readonly error: null } | { readonly answer: null; readonly error: unknown })

/** One attempt of a call: its permit is asked for before, and settled once, whatever comes of it. */
export async function attemptCall(
  { call, model, attempt, run_seed, draw }: AttemptParts,
  { clock, permits }: { readonly clock: Clock; readonly permits: Permits },
  signal: AbortSignal,
): Promise<Attempted> {
  const silence = new Silence(clock, model.route.setting.timeout_ms ?? defaultTimeoutMs, signal)
  const request = requestOf(call, model, { attempt: draw, run_seed, heard: () => silence.heard() })
  const bound = await callBound(request, model.price, clock.now())
  const { provider, name } = model.route
  let permit: Permit
  try {
    permit = await permits.acquire({ provider, key: model.key_digest, model: name, ...bound }, signal)
  } catch (error) {
    return { reached: false, usage: null, cost_usd: 0, latency_ms: 0, answer: null, error }
  }
  const startedAt = clock.now()
  let settlement: Settlement = { tokens: bound.tokens, usd: null, rate_limited: null }
  try {
    const made = await madeOf(request, model, silence, startedAt, clock, attempt)
    settlement = settlementOf(made, bound.tokens)
    return made
  } finally {
    silence.end()
    permits.settle(permit, settlement)
  }
}

/** Node itself gives up a connection on which nothing came for five minutes. */
const defaultTimeoutMs = 240_000

async function madeOf(
  request: TransportRequest,
  model: KnownModel,
  silence: Silence,
  startedAt: number,
  clock: Clock,
  attempt: number,
): Promise<Attempted> {
  let reply: Reply | null = null
  let cost: Cost = { usd: null, from: 'unknown' }
  try {
    reply = await silence.until(model.transport.ask(request, silence.signal), model.route)
    cost = costOfReply(reply, model, startedAt)
    const value = judgeReply(reply, request)
    const latency_ms = clock.now() - startedAt
    const answer = answerOf(reply, value, { model, cost, latency_ms, attempt })
    return { reached: true, usage: usageOf(reply), cost_usd: cost.usd, latency_ms, answer, error: null }
  } catch (error) {
    return {
      reached: true,
      usage: reply === null ? null : usageOf(reply),
      cost_usd: reply !== null ? cost.usd : error instanceof ModelError && error.cost === 'nothing' ? 0 : null,
      latency_ms: clock.now() - startedAt,
      answer: null,
      error,
    }
  }
}

const usageOf = (reply: Reply): Usage | null => (reply.has_usage ? reply.usage : null)

/** The provider's own figure, else what its price says; unknown where there is neither a price nor a usage. */
function costOfReply(reply: Reply, { price, route }: KnownModel, at: number): Cost {
  if (reply.cost_usd !== null) return { usd: reply.cost_usd, from: 'provider' }
  if (!reply.has_usage && price?.from !== 'declared_free') return { usd: null, from: 'unknown' }
  const cost = costOf(reply.usage, price, at)
  return route.kind === 'sim' && cost.from !== 'unknown' ? { ...cost, from: 'simulated' } : cost
}

function answerOf(
  reply: Reply,
  value: unknown,
  made: { readonly model: KnownModel; readonly cost: Cost; readonly latency_ms: number; readonly attempt: number },
): ModelAnswer {
  const { model, cost, latency_ms, attempt } = made
  return {
    text: reply.text,
    ...(value === undefined ? {} : { value }),
    tool_calls: reply.tool_calls,
    reasoning: reply.reasoning,
    finish: reply.finish,
    usage: reply.usage,
    cost_usd: cost.usd,
    cost_from: cost.from,
    saved_usd: null,
    latency_ms,
    model_id: reply.model_id,
    provider: model.route.provider,
    attempt,
    is_cached: false,
  }
}

function settlementOf(made: Attempted, bound: number): Settlement {
  const { usage, cost_usd, error } = made
  const isRateLimited = error instanceof ModelError && error.fault === 'rate_limited'
  return {
    tokens: usage === null ? (cost_usd === 0 ? 0 : bound) : usage.input_tokens + usage.output_tokens,
    usd: cost_usd,
    rate_limited: isRateLimited ? { retry_after_ms: error.retry_after_ms } : null,
  }
}

function requestOf(
  call: ModelCall,
  { route }: KnownModel,
  more: Pick<TransportRequest, 'attempt' | 'run_seed' | 'heard'>,
): TransportRequest {
  const { temperature, top_p, reasoning, max_output } = route.setting
  return {
    ...call,
    temperature: call.temperature ?? temperature,
    top_p: call.top_p ?? top_p,
    reasoning: call.reasoning ?? reasoning,
    max_output_tokens: Math.min(call.max_output_tokens ?? defaultMaxOutput, max_output ?? Number.POSITIVE_INFINITY),
    route,
    ...more,
  }
}

/** Enough for most answers; the model's own limit is often so high that its reservation would block everything else. */
const defaultMaxOutput = 4096
