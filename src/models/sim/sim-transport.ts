import { onStop } from '../../define/outcome.ts'
import type { Clock } from '../../util/time.ts'
import { passed } from '../calls/passed.ts'
import { deltasOf, type Usage } from '../model-call.ts'
import { ContextTooLong, ModelError, type ModelFault } from '../model-error.ts'
import { fittingUse, withCacheUse } from '../prices/prefix-cache.ts'
import type { Reply, Transport, TransportRequest } from '../providers/transport.ts'
import { SimRefused } from './sim-refused.ts'
import { type SimAnswer, simulate } from './simulate.ts'

/** A simulated model behind the same interface as real ones; time passes on the clock that is given. */
export const simTransport = (clock: Clock): Transport => ({
  async ask(request, signal) {
    const answer = answered(request)
    if (answer.fault === 'no_answer') return forever(signal)
    const usage = isRefused(answer.fault) ? answer.usage : withCache(answer.usage, request)
    await passed(clock, answer.latency_ms, signal)
    const reply = replyOf({ ...answer, usage }, request)
    if (request.onDelta !== undefined) deltasOf(reply).forEach(request.onDelta)
    return reply
  },
  sends: async ({ max_output_tokens, messages, route }) => ({
    max_output_tokens,
    unsent: [],
    is_kept_long: route.setting.tokens?.cached === 'marked' && messages.some(({ cache }) => cache === '1h'),
  }),
})

/** Refused before anything was read. */
const isRefused = (fault: SimAnswer['fault']): boolean =>
  fault !== null && ['rate_limited', 'server_error', 'overloaded', 'context_too_long'].includes(fault)

function withCache(usage: Usage, request: TransportRequest): Usage {
  const use = request.prompts?.ask(request, request.route.setting.tokens) ?? null
  return use === null ? usage : withCacheUse(usage, fittingUse(use, usage.input_tokens))
}

function answered(request: TransportRequest): SimAnswer {
  const { name, provider, setting } = request.route
  const seed = request.seed ?? request.run_seed
  const thinks = request.reasoning === 'none' ? false : undefined
  try {
    return simulate({ ...request, model: name, seed, thinks }, setting)
  } catch (error) {
    if (!(error instanceof SimRefused)) throw error
    throw new ModelError('bad_request', `${name}: ${error.message} (simulated)`, {
      model: name,
      provider,
      status: 400,
      retry_after_ms: null,
      cost: 'nothing',
    })
  }
}

function replyOf(answer: SimAnswer, { route }: TransportRequest): Reply {
  const { provider, name, setting } = route
  const fail = (fault: ModelFault, message: string, more: { status?: number; cost?: 'unknown' } = {}): ModelError =>
    new ModelError(fault, `${name}: ${message} (simulated)`, {
      model: name,
      provider,
      status: more.status,
      retry_after_ms: fault === 'rate_limited' ? setting.failures?.retry_after_ms : null,
      cost: more.cost ?? 'nothing',
    })
  const reply: Reply = {
    text: answer.text,
    tool_calls: answer.tool_calls,
    reasoning: answer.reasoning === '' ? [] : [{ text: answer.reasoning }],
    finish: answer.finish,
    usage: answer.usage,
    has_usage: true,
    cost_usd: null,
    model_id: route.model,
    response_id: null,
    warnings: [],
  }
  switch (answer.fault) {
    case 'rate_limited':
      throw fail('rate_limited', 'too many requests', { status: 429 })
    case 'server_error':
      throw fail('server_error', 'the server failed', { status: 500 })
    case 'overloaded':
      throw fail('overloaded', 'the provider is overloaded', { status: 529 })
    case 'context_too_long':
      throw new ContextTooLong(
        `${name}: the prompt has ${answer.usage.input_tokens} tokens, too many for its context (simulated)`,
        { model: name, provider, status: 400, used: answer.usage.input_tokens, allowed: setting.context ?? null },
      )
    case 'cut':
      throw fail('answer_cut', 'the connection ended in the middle of the answer', { cost: 'unknown' })
    case 'malformed':
      throw fail('malformed_response', 'the response is not what was agreed', { cost: 'unknown' })
    case 'empty':
      return { ...reply, text: '', tool_calls: [], finish: 'stop' }
    case 'content_filter':
      return { ...reply, text: '', tool_calls: [], finish: 'content_filter' }
    default:
      return reply
  }
}

function forever(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => void onStop(signal, () => reject(signal.reason)))
}
