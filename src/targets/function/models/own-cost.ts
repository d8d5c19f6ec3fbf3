import type { Outcome } from '../../../define/outcome.ts'
import type { RunContext } from '../../../define/target.ts'
import { boundOfModels } from './calls-models.ts'

/**
 * Runs a function for which a budget only reserves its calls. If it reports a cost of its own, no budget could have
 * limited it: the cost is booked, and the run fails, so that users don't rely on a limit that does not exist.
 */
export async function withoutOwnCost(
  spec: Parameters<typeof boundOfModels>[0],
  context: RunContext,
  execute: (context: RunContext) => Promise<Outcome>,
): Promise<Outcome> {
  const { budget_usd } = context.experiment.limits
  if (boundOfModels(spec) !== 'per_call' || budget_usd === null || context.runBudgetUsd !== null)
    return execute(context)
  let own = 0
  const report: RunContext['report'] = point => {
    if (point.metric === 'cost_usd') own += point.value
    context.report(point)
  }
  const outcome = await execute({ ...context, report })
  if (own === 0 || outcome.kind !== 'completed') return outcome
  return {
    kind: 'failed',
    error_class: 'own_cost',
    message: `it reported a cost of $${own} itself, but budget_usd: ${budget_usd} only limits its model calls; give a run_budget_usd, and "models: false" if it calls no models through assay (their cost is counted without being reported)`,
  }
}
