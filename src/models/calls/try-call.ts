import { type Permit, type Permits, roundingUsd, type Settlement } from '../../define/permits.ts'
import { type Clock, steadyTime } from '../../util/time.ts'
import type { ModelAnswer, OnDelta, Usage } from '../model-call.ts'
import { ModelError } from '../model-error.ts'
import type { RunPrompts } from '../prices/prefix-cache.ts'
import { type Cost, costOf } from '../prices/price.ts'
import type { Reply, TransportRequest, Warning } from '../providers/transport.ts'
import { type CallBound, callBound, type EffectiveCall, type KnownModel } from './call-bound.ts'
import { judgeReply } from './judge-reply.ts'
import { Silence } from './silence.ts'

export interface TryParts {
  readonly call: EffectiveCall
  readonly model: KnownModel
  readonly tries: number
  readonly run_seed: number
  /** The number from which simulated faults are drawn. */
  readonly draw: number
  readonly prompts: RunPrompts
  readonly onDelta?: OnDelta | undefined
  /** The try is stopped after this time; default: only after silence. */
  readonly leftMs?: number | undefined
  /** Whether a reply is an answer, if not as `judgeReply` has it. */
  readonly judge?: ((reply: Reply, request: TransportRequest) => unknown) | undefined
}

/** The result of a try: an answer or an error, and what it used in either case. */
export type Tried = {
  /** False if it never reached a provider. */
  readonly is_sent: boolean
  readonly usage: Usage | null
  readonly cost_usd: number | null
  /** The most that it can have cost; null: its model has no known price. */
  readonly most_usd: number | null
  /** Milliseconds since 1970. */
  readonly started_at: number
  readonly ended_at: number
  /** What people should know about how it was asked, counted or billed. */
  readonly warnings: readonly Warning[]
} & ({ readonly answer: ModelAnswer; readonly error: null } | { readonly answer: null; readonly error: unknown })

/** One try of a call: its permit is acquired before, and settled once, however the try ends. */
export async function tryCall(
  { call, model, tries, run_seed, draw, prompts, onDelta, leftMs, judge = judgeReply }: TryParts,
  { clock, permits }: { readonly clock: Clock; readonly permits: Permits },
  signal: AbortSignal,
): Promise<Tried> {
  const { route } = model
  const silence = new Silence(clock, { longestMs: route.setting.timeout_ms ?? defaultTimeoutMs, leftMs }, signal)
  const heard = (): void => silence.heard()
  const request: TransportRequest = { ...call, route, run_seed, tries: draw, prompts, heard, onDelta }
  let settlement: Settlement | null = null
  let permit: Permit | null = null
  try {
    const { bound, ...permitted } = await permitFor(request, { model, clock, permits }, signal)
    permit = permitted.permit
    // Should anything unforeseen happen from here on, it was perhaps sent, and perhaps paid for.
    settlement = { tokens: bound.tokens, usd: null, rate_limited: null }
    const made = await askOnce(request, { model, silence, clock, tries, judge })
    settlement = settlementOf(made, bound.tokens)
    return {
      ...made,
      most_usd: bound.usd,
      warnings: [...made.warnings, ...unsentSettings(bound), ...beyondBound(made, bound, model)],
    }
  } catch (error) {
    if (permit !== null) throw error
    const now = clock.now()
    const nothing = {
      is_sent: false,
      usage: null,
      cost_usd: 0,
      most_usd: 0,
      started_at: now,
      ended_at: now,
      warnings: [],
    }
    return { ...nothing, answer: null, error }
  } finally {
    silence.end()
    if (permit !== null && settlement !== null) permits.settle(permit, settlement)
  }
}

/** While a call waited, another may have shown that it can take more than was asked for: then it asks again. */
async function permitFor(
  request: TransportRequest,
  { model, clock, permits }: { readonly model: KnownModel; readonly clock: Clock; readonly permits: Permits },
  signal: AbortSignal,
): Promise<{ readonly permit: Permit; readonly bound: CallBound }> {
  const { provider, name } = model.route
  for (;;) {
    const { version } = model.beyond
    const bound = await callBound(request, model, clock.now())
    const { tokens, usd } = bound
    const ask = { provider, key: model.key_digest, model: name, purpose: request.purpose, tokens, usd }
    const permit = await permits.acquire(ask, signal)
    if (model.beyond.version === version) return { permit, bound }
    permits.settle(permit, { tokens: 0, usd: 0, rate_limited: null, is_unsent: true })
  }
}

/** If the package gave a reason, it was reported before under the same name. Only some providers take a seed. */
const unsentSettings = ({ unsent }: CallBound): readonly Warning[] =>
  unsent
    .filter(setting => setting !== 'seed')
    .map(setting => ({
      name: `setting ${setting}`,
      message: `"${setting}" has no effect with this model and its settings`,
    }))

/** A provider that bills more than requested is believed: the excess is remembered and reported. */
function beyondBound({ usage, cost_usd }: Made, bound: CallBound, { beyond, route }: KnownModel): readonly Warning[] {
  if (usage === null) return []
  beyond.saw({ asked: bound.asked, usage, cost_usd, usdOf: bound.usdOf })
  const { input_tokens, output_tokens } = usage
  const isOver = cost_usd !== null && bound.usd !== null && cost_usd > bound.usd + roundingUsd
  if (!isOver && input_tokens + output_tokens <= bound.tokens) return []
  const more = isOver ? `, $${Number((cost_usd - (bound.usd ?? 0)).toPrecision(3))} more than was set aside for it` : ''
  const counted = `${input_tokens} input and ${output_tokens} output tokens`
  const allowed = `at most ${bound.asked.input} and ${bound.asked.output} were expected`
  const message = `${route.provider} billed ${counted} where ${allowed}${more}; later calls of this model reserve as much`
  return [{ name: `beyond ${message}`, message }]
}

/** Node itself drops a connection without data after five minutes. */
const defaultTimeoutMs = 240_000

type Made = Tried extends infer T ? (T extends Tried ? Omit<T, 'most_usd'> : never) : never

async function askOnce(
  request: TransportRequest,
  parts: Required<Pick<TryParts, 'model' | 'tries' | 'judge'>> & { readonly silence: Silence; readonly clock: Clock },
): Promise<Made> {
  const { model, silence, clock, tries, judge } = parts
  const time = steadyTime(clock)
  const started_at = time()
  let reply: Reply | null = null
  let cost: Cost = { usd: null, from: 'unknown' }
  try {
    reply = await silence.until(model.transport.ask(request, silence.signal), model.route)
    cost = costOfReply(reply, model, started_at)
    const value = judge(reply, request)
    const ended_at = time()
    const answer = answerOf(reply, value, {
      provider: model.route.provider,
      cost,
      latency_ms: ended_at - started_at,
      tries,
    })
    const made = { is_sent: true, usage: usageOf(reply), cost_usd: cost.usd, started_at, ended_at }
    return { ...made, warnings: reply.warnings, answer, error: null }
  } catch (error) {
    const isFree = reply === null && error instanceof ModelError && error.cost === 'nothing'
    return {
      is_sent: true,
      usage: reply === null ? null : usageOf(reply),
      cost_usd: isFree ? 0 : cost.usd,
      started_at,
      ended_at: time(),
      warnings: reply?.warnings ?? [],
      answer: null,
      error,
    }
  }
}

const usageOf = (reply: Reply): Usage | null => (reply.has_usage ? reply.usage : null)

/** The provider's own figure, else the price; unknown if there is neither a price nor a usage. */
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
    ...(reply.response_id !== null && { response_id: reply.response_id }),
    tries,
    is_cached: false,
  }
}

function settlementOf({ usage, cost_usd, error }: Made, bound: number): Settlement {
  const isRateLimited = error instanceof ModelError && error.fault === 'rate_limited'
  return {
    tokens: usage === null ? (cost_usd === 0 ? 0 : bound) : usage.input_tokens + usage.output_tokens,
    usd: cost_usd,
    rate_limited: isRateLimited ? { retry_after_ms: error.retry_after_ms } : null,
    usage,
  }
}
