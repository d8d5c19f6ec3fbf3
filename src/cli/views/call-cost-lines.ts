import type { CallCosts } from '../../record/read/activity.ts'
import { dollars } from '../../util/words.ts'

/** The cost of model calls, by purpose. */
export function callCostLines(costs: readonly CallCosts[]): string[] {
  return costs.map(cost => {
    const { purpose, model, calls, input_tokens, output_tokens, cost_usd, assumed_usd, overrun_usd } = cost
    const assumed = assumed_usd > 0 ? `, ${dollars(assumed_usd)} of it assumed` : ''
    const overrun = overrun_usd > 0 ? `, ${dollars(overrun_usd)} of it beyond what was set aside` : ''
    const many = `${calls} ${calls === 1 ? 'call' : 'calls'} of ${model}`
    const tokens = `${input_tokens.toLocaleString('en')} + ${output_tokens.toLocaleString('en')} tokens`
    return `  ${purpose === '' ? 'calls' : purpose}: ${dollars(cost_usd)}, ${many}, ${tokens}${assumed}${overrun}`
  })
}
