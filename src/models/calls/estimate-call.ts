import type { ModelCall } from '../model-call.ts'
import { estimateInputTokens } from '../prices/count-tokens.ts'
import { costOf } from '../prices/price.ts'
import { callBound, effectiveCall, type KnownModel } from './call-bound.ts'

/** Answers contained in the prompt of a call, before their length is known. */
export interface EarlierAnswers {
  readonly count: number
  /** The model that gives them. */
  readonly model: string
}

export interface CallEstimate {
  /** null: the model's settings declare no length of answers, or the price is unknown. */
  readonly usd: number | null
  /** null: the price is unknown. */
  readonly at_most_usd: number | null
}

/**
 * The cost of a call before it is made: its prompt is counted, and answers have the length that `tokens.output` of
 * their model declares, or at most their maximum.
 */
export async function estimateCall(
  written: ModelCall,
  earlier: EarlierAnswers,
  { find, at }: { find(name: string): Promise<KnownModel>; readonly at: number },
): Promise<CallEstimate> {
  const model = await find(written.model)
  const answerer = await find(earlier.model)
  const { route, price } = model
  const call = effectiveCall(written, route)
  const { asked } = await callBound({ ...call, route }, model, at)
  const longestEarlier = effectiveCall(
    { ...written, max_output_tokens: undefined, model: earlier.model },
    answerer.route,
  ).max_output_tokens
  const cost = (input: number, output: number): number | null =>
    costOf({ ...uncached, input_tokens: input, output_tokens: output }, price, at).usd
  const { output, reasoning = 0 } = route.setting.tokens ?? {}
  const declared = output === undefined ? null : Math.min(output + reasoning, asked.output)
  // Bounds count bytes as tokens if a prompt is short: that is not an estimate.
  const input = route.setting.tokens?.input ?? Math.min(asked.input, await estimateInputTokens(call, route))
  const declaredEarlier = answerer.route.setting.tokens?.output ?? null
  return {
    usd:
      declared === null || (earlier.count > 0 && declaredEarlier === null)
        ? null
        : cost(input + earlier.count * (declaredEarlier ?? 0), declared),
    at_most_usd: cost(asked.input + earlier.count * longestEarlier, asked.output),
  }
}

const uncached = { cached_input_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 }
