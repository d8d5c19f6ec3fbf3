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
  /** null: nobody knows the price. */
  readonly usd: number | null
  /** Settings of the call that have no effect. */
  readonly unsent: readonly string[]
  /** Input and output, before anything was seen beyond it. */
  readonly asked: TokenBound
  /** What so many tokens of this call cost at most. */
  usdOf(tokens: TokenBound): number | null
}

/**
 * The most that one try of a call can take, by what is really sent for it, and by what its provider was seen to bill beyond
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

/** An agent that wants a tool to be called can do nothing with an answer that calls none. */
const unforced = ({ route: { name, provider } }: BoundParts): ModelError =>
  new ModelError('bad_request', `${name}: with these settings the model can't be made to call a tool (tool_choice)`, {
    model: name,
    provider,
    cost: 'nothing',
    hint: 'ask for less reasoning, or leave tool_choice out and tell the model in the prompt',
  })

/** Where no limit is sent, as some models want it with much reasoning, the model's own is all there is. */
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
  /** What its provider was seen to bill beyond what it was asked for. */
  readonly beyond: BeyondBound
}
