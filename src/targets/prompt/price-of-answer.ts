import type { ModelAnswer } from '../../models/model-call.ts'

/** What answers cost at list price, whether they were asked for now or kept from before; null: not known. */
export function priceOfAnswer(answers: readonly ModelAnswer[]): number | null {
  const prices = answers.map(({ is_cached, saved_usd, cost_usd }) => (is_cached ? saved_usd : cost_usd))
  return prices.reduce<number | null>((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0)
}
