import type { CallTotals, ModelAnswer, ModelCall, ModelClient, PurposeTotals } from '../../../models/model-call.ts'
import type { SideCall } from '../../../models/trajectory/trajectory.ts'
import type { Asked, Taken } from './course.ts'

/** An answer or an error, and what it used, including failed tries. */
export type Reply = { readonly asked: Asked } & (
  | { readonly answer: ModelAnswer; readonly error: null }
  | { readonly answer: null; readonly error: unknown }
)

/** What calls count against a limit: their price, including cached answers, and the maximum for those of unknown cost. */
export const countedUsd = ({ known_cost_usd, assumed_usd, saved_usd }: PurposeTotals): number =>
  known_cost_usd + assumed_usd + saved_usd

/**
 * Asks a model. All calls of one purpose are made one after the other, so the growth of the totals belongs to this
 * call.
 */
export async function ask(
  call: ModelCall,
  { client, now, mostMs, mayGoOn }: Asking,
  signal: AbortSignal,
): Promise<Reply> {
  const before = client.totals()
  const started_at = new Date(now()).toISOString()
  try {
    const beforeRetry = (): void => {
      if (!mayGoOn(grownBy(call.purpose, before, client.totals(), null))) throw new LimitInRetry()
    }
    const answer = await client.call(call, signal, undefined, { beforeRetry, mostMs })
    const asked = { ...grownBy(call.purpose, before, client.totals(), answer), started_at }
    return { answer, error: null, asked }
  } catch (error) {
    const asked = { ...grownBy(call.purpose, before, client.totals(), null), started_at }
    return { answer: null, error, asked }
  }
}

interface Asking {
  readonly client: ModelClient
  readonly now: () => number
  /** The tries together. */
  readonly mostMs: number
  /** Whether a failed try may be repeated, given what was used so far. */
  readonly mayGoOn: (taken: Taken) => boolean
}

/** A limit of the agent was reached while a call was being retried. */
export class LimitInRetry extends Error {
  override readonly name = 'LimitInRetry'
}

export const sideCallOf = (model: string, { usage, cost_usd, price_usd, inference_ms }: Asked): SideCall => ({
  ...{ model, usage, cost_usd, price_usd, inference_ms },
})

function grownBy(
  purpose: string,
  before: CallTotals,
  after: CallTotals,
  answer: ModelAnswer | null,
): Omit<Asked, 'started_at'> {
  const from = before.by_purpose[purpose]
  const to = after.by_purpose[purpose]
  const grown = (name: NumberOfTotals): number => (to?.[name] ?? 0) - (from?.[name] ?? 0)
  const isCached = answer?.is_cached === true
  const cost_usd = isCached ? 0 : costOf(from, to, answer)
  // An abandoned call may have been counted: its cost is unknown.
  const isCounted = answer !== null || cost_usd === 0 || grown('input_tokens') > 0
  return {
    usage: isCounted
      ? {
          input_tokens: grown('input_tokens'),
          cached_input_tokens: grown('cached_input_tokens'),
          cache_write_tokens: grown('cache_write_tokens'),
          output_tokens: grown('output_tokens'),
          reasoning_tokens: grown('reasoning_tokens'),
        }
      : null,
    cost_usd,
    price_usd: isCached ? answer.saved_usd : cost_usd,
    counted_usd: grown('known_cost_usd') + grown('assumed_usd') + grown('saved_usd'),
    inference_ms: grown('latency_ms'),
  }
}

type NumberOfTotals = Exclude<keyof PurposeTotals, 'cost_usd' | 'price_usd' | 'cache_write_1h_tokens'>

/** The sum is unknown for good once one part of it is: then the answer speaks for itself. */
function costOf(
  from: PurposeTotals | undefined,
  to: PurposeTotals | undefined,
  answer: ModelAnswer | null,
): number | null {
  if (to === undefined) return 0
  if (to.cost_usd !== null) return to.cost_usd - (from?.cost_usd ?? 0)
  return from?.cost_usd === null ? (answer?.cost_usd ?? null) : null
}
