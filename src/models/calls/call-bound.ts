import { boundInputTokens } from '../prices/count-tokens.ts'
import { boundOf, type Price } from '../prices/price.ts'
import type { TransportRequest } from '../providers/transport.ts'
import { simInputTokens } from '../sim/sim-tokens.ts'

export interface CallBound {
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

export type BoundParts = Pick<TransportRequest, 'route' | 'messages' | 'tools' | 'schema' | 'max_output_tokens'>

async function inputBound(request: BoundParts): Promise<number> {
  const { route } = request
  if (route.kind !== 'sim') return boundInputTokens(request, route.provider === 'openai')
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
