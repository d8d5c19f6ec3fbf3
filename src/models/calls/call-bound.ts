import type { ModelCall } from '../model-call.ts'
import { ModelError } from '../model-error.ts'
import { boundInputTokens, simInputTokens } from '../prices/count-tokens.ts'
import { boundOf, type Price } from '../prices/price.ts'
import type { SentSettings, SettingsRequest, Transport } from '../providers/transport.ts'
import type { Route } from '../route.ts'
import type { BeyondBound, TokenBound } from './beyond-bound.ts'

export interface CallBound {
  /** Input and output. */
  readonly tokens: number
  /** null: the price is unknown. */
  readonly usd: number | null
  /** Settings of the call that have no effect. */
  readonly unsent: readonly string[]
  /** Input and output, before anything was seen beyond it. */
  readonly asked: TokenBound
  /** The maximum cost of so many tokens of this call. */
  usdOf(tokens: TokenBound): number | null
}

/**
 * The most that one try of a call can use, judging by what is actually sent, and by what its provider has billed beyond
 * that. `at`: when it is made, since prices may depend on the hour.
 */
export async function callBound(
  request: BoundParts,
  { price, transport, beyond }: Pick<KnownModel, 'price' | 'transport' | 'beyond'>,
  at: number,
): Promise<CallBound> {
  const sent = await transport.sends(request)
  if (sent.unsent.includes('tool_choice')) throw unforced(request)
  const asked = { input: sent.input_tokens ?? (await inputBound(request)), output: outputBound(request, sent) }
  const isKeptLong = sent.is_kept_long
  const usdOf = (tokens: TokenBound): number | null => boundOf({ ...tokens, isKeptLong }, price, at)
  const raised = beyond.raise(asked)
  return {
    tokens: raised.input + raised.output,
    usd: beyond.raiseUsd(usdOf(raised)),
    unsent: sent.unsent,
    asked,
    usdOf,
  }
}

/** An agent that requires a tool call can't use an answer without one. */
const unforced = ({ route: { name, provider } }: BoundParts): ModelError =>
  new ModelError('bad_request', `${name}: with these settings the model can't be made to call a tool (tool_choice)`, {
    model: name,
    provider,
    cost: 'nothing',
    hint: 'ask for less reasoning, or leave tool_choice out and tell the model in the prompt',
  })

/** If no limit is sent, as some models require with much reasoning, only the model's own limit applies. */
function outputBound({ route: { name, provider, setting } }: BoundParts, { max_output_tokens }: SentSettings): number {
  const most = max_output_tokens ?? setting.max_output
  if (most !== undefined) return most
  throw new ModelError('bad_request', `${name}: with these settings no limit of the answer's length can be sent`, {
    model: name,
    provider,
    cost: 'nothing',
    hint: 'say how long its answers can be: max_output under models; or ask for less reasoning',
  })
}

type BoundParts = SettingsRequest

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
 * A call with the defaults of the model's settings. `ownMost`: the longest answer in the user's own settings, which is
 * used by calls that give none.
 */
export function effectiveCall(call: ModelCall, { setting }: Route, ownMost?: number | undefined): EffectiveCall {
  const most = setting.max_output ?? Number.POSITIVE_INFINITY
  return {
    ...call,
    temperature: call.temperature ?? setting.temperature,
    top_p: call.top_p ?? setting.top_p,
    reasoning: call.reasoning ?? setting.reasoning,
    max_output_tokens: Math.min(call.max_output_tokens ?? ownMost ?? defaultMaxOutput, most),
  }
}

/** Enough for most answers; a model's own limit is often so high that reserving it would block everything else. */
const defaultMaxOutput = 4096

/** A model that was looked up: its route, its price, its transport. */
export interface KnownModel {
  readonly route: Route
  readonly price: Price | null
  readonly transport: Transport
  /** Distinguishes a provider's keys without revealing them. */
  readonly key_digest: string
  /** What its provider has billed beyond the request. */
  readonly beyond: BeyondBound
}
