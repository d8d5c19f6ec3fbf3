import type { ModelCall } from '../model-call.ts'
import { boundInputTokens, simInputTokens } from '../prices/count-tokens.ts'
import { boundOf, type Price } from '../prices/price.ts'
import type { Transport, TransportRequest } from '../providers/transport.ts'
import type { Route } from '../route.ts'

interface CallBound {
  /** Input and output. */
  readonly tokens: number
  /** null: nobody knows the price. */
  readonly usd: number | null
}

/** The most that one try of a call can take. `at`: when it is made, since prices may depend on the hour. */
export async function callBound(request: BoundParts, price: Price | null, at: number): Promise<CallBound> {
  const input = await inputBound(request)
  const output = request.max_output_tokens
  return { tokens: input + output, usd: boundOf({ input, output }, price, at) }
}

type BoundParts = Pick<TransportRequest, 'route' | 'messages' | 'tools' | 'schema' | 'max_output_tokens'>

async function inputBound(request: BoundParts): Promise<number> {
  const { route } = request
  if (route.kind !== 'sim') return boundInputTokens(request, route)
  const { input, spread = 0 } = largestTokens(route.setting)
  return Math.max(simInputTokens(request), Math.ceil((input ?? 0) * (1 + spread)) + 1)
}

/** Rules may declare sizes of their own. */
function largestTokens({ tokens = {}, rules = [] }: BoundParts['route']['setting']): typeof tokens {
  const all = [tokens, ...rules.map(rule => ({ ...tokens, ...rule.tokens }))]
  const largest = (pick: (one: typeof tokens) => number | undefined): number =>
    Math.max(0, ...all.map(one => pick(one) ?? 0))
  return { input: largest(one => one.input), spread: largest(one => one.spread) }
}

export type EffectiveCall = ModelCall & { readonly max_output_tokens: number }

/**
 * A call with everything filled in that the model's settings say. `ownMost`: the longest answer that the user's own
 * settings name, which then is what a call gets that names none.
 */
export function effectiveCall(call: ModelCall, { setting }: Route, ownMost?: number | undefined): EffectiveCall {
  const most = setting.max_output ?? Number.POSITIVE_INFINITY
  return {
    ...call,
    temperature: call.temperature ?? setting.temperature,
    top_p: call.top_p ?? setting.top_p,
    reasoning: call.reasoning ?? setting.reasoning,
    max_output_tokens: Math.min(call.max_output_tokens ?? ownMost ?? usualMaxOutput, most),
  }
}

/** Enough for most answers; a model's own limit is often so high that reserving it would block everything else. */
const usualMaxOutput = 4096

/** A model that was looked up: where it goes, what it costs, who carries it there. */
export interface KnownModel {
  readonly route: Route
  readonly price: Price | null
  readonly transport: Transport
  /** Tells keys of a provider apart without telling them. */
  readonly key_digest: string
}
