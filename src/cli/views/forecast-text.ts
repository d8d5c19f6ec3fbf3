import type { CostForecast } from '../../define/outcome.ts'
import { dollars } from '../../util/words.ts'

/** `about $3.40 in the end ($3.10 to $3.80)`, and whether the budget is enough. */
export function forecastText({ estimate_usd, low_usd, high_usd }: CostForecast, budgetUsd: number | null): string {
  const range = `${dollars(low_usd)} to ${dollars(high_usd)}`
  const text = `about ${dollars(estimate_usd)} in the end (${range})`
  if (budgetUsd === null || high_usd <= budgetUsd) return text
  return `${text}, ${low_usd > budgetUsd ? 'more' : 'perhaps more'} than the budget of ${dollars(budgetUsd)}`
}
