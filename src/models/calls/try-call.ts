import type { Permit, Permits, Settlement } from '../../define/permits.ts'
import type { Clock } from '../../util/time.ts'
import type { ModelAnswer, OnDelta, Usage } from '../model-call.ts'
import { ModelError } from '../model-error.ts'
import { type Cost, costOf } from '../prices/price.ts'
import type { Reply, TransportRequest } from '../providers/transport.ts'
import { callBound, type EffectiveCall, type KnownModel } from './call-bound.ts'
import { judgeReply } from './judge-reply.ts'
import { Silence } from './silence.ts'

export interface TryParts {
  readonly call: EffectiveCall
  readonly model: KnownModel
  readonly tries: number
  readonly run_seed: number
  /** What simulated faults are drawn by. */
  readonly draw: number
  readonly onDelta?: OnDelta | undefined
}

/** What came of a try: an answer or an error, and what it took either way. */
export type Tried = {
  /** False where it never got as far as a provider. */
  readonly is_sent: boolean
  readonly usage: Usage | null
  readonly cost_usd: number | null
  /** Milliseconds since 1970. */
  readonly started_at: number
  readonly ended_at: number
} & ({ readonly answer: ModelAnswer; readonly error: null } | { readonly answer: null; readonly error: unknown })

/** One try of a call: its permit is asked for before, and settled once, whatever comes of it. */
export async function tryCall(
  { call, model, tries, run_seed, draw, onDelta }: TryParts,
  { clock, permits }: { readonly clock: Clock; readonly permits: Permits },
  signal: AbortSignal,
): Promise<Tried> {
  const { route, price } = model
  const silence = new Silence(clock, route.setting.timeout_ms ?? usualTimeoutMs, signal)
  const request: TransportRequest = { ...call, route, run_seed, tries: draw, heard: () => silence.heard(), onDelta }
  let settlement: Settlement | null = null
  let permit: Permit | null = null
  try {
    const bound = await callBound(request, price, clock.now())
    const { provider, name } = route
    permit = await permits.acquire({ provider, key: model.key_digest, model: name, ...bound }, signal)
    // Should anything unforeseen happen from here on, it was perhaps sent, and perhaps paid for.
    settlement = { tokens: bound.tokens, usd: null, rate_limited: null }
    const made = await askOnce(request, { model, silence, clock, tries })
    settlement = settlementOf(made, bound.tokens)
    return made
  } catch (error) {
    if (permit !== null) throw error
    const now = clock.now()
    return { is_sent: false, usage: null, cost_usd: 0, started_at: now, ended_at: now, answer: null, error }
  } finally {
    silence.end()
    if (permit !== null && settlement !== null) permits.settle(permit, settlement)
  }
}

/** Node itself gives up a connection on which nothing came for five minutes. */
const usualTimeoutMs = 240_000

async function askOnce(
  request: TransportRequest,
  parts: { readonly model: KnownModel; readonly silence: Silence; readonly clock: Clock; readonly tries: number },
): Promise<Tried> {
  const { model, silence, clock, tries } = parts
  const started_at = clock.now()
  let reply: Reply | null = null
  let cost: Cost = { usd: null, from: 'unknown' }
  try {
    reply = await silence.until(model.transport.ask(request, silence.signal), model.route)
    cost = costOfReply(reply, model, started_at)
    const value = judgeReply(reply, request)
    const ended_at = laterThan(started_at, clock)
    const answer = answerOf(reply, value, {
      provider: model.route.provider,
      cost,
      latency_ms: ended_at - started_at,
      tries,
    })
    return { is_sent: true, usage: usageOf(reply), cost_usd: cost.usd, started_at, ended_at, answer, error: null }
  } catch (error) {
    const isFree = reply === null && error instanceof ModelError && error.cost === 'nothing'
    return {
      is_sent: true,
      usage: reply === null ? null : usageOf(reply),
      cost_usd: isFree ? 0 : cost.usd,
      started_at,
      ended_at: laterThan(started_at, clock),
      answer: null,
      error,
    }
  }
}

/** Somebody may have set the clock back meanwhile. */
const laterThan = (started: number, clock: Clock): number => Math.max(started, clock.now())

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
  made: { readonly provider: string; readonly cost: Cost; readonly latency_ms: number; readonly tries: number },
): ModelAnswer {
  const { provider, cost, latency_ms, tries } = made
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
    provider,
    tries,
    is_cached: false,
  }
}

function settlementOf({ usage, cost_usd, error }: Tried, bound: number): Settlement {
  const isRateLimited = error instanceof ModelError && error.fault === 'rate_limited'
  return {
    tokens: usage === null ? (cost_usd === 0 ? 0 : bound) : usage.input_tokens + usage.output_tokens,
    usd: cost_usd,
    rate_limited: isRateLimited ? { retry_after_ms: error.retry_after_ms } : null,
  }
}
