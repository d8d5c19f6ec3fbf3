import type { ModelCall } from '../model-call.ts'
import type { Route } from '../names/route.ts'

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
