import type { Experiment } from '../define/experiment.ts'
import { usualCalls } from '../define/models/model-settings.ts'
import type { Problem } from '../define/target.ts'
import type { RouteParts } from '../models/find-route.ts'
import { type ModelFacts, modelFacts, unpricedModels } from '../models/model-facts.ts'
import { loadPriceTable } from '../models/prices/price-table.ts'
import { didYouMean } from '../util/suggest.ts'
import { environmentOf } from './run-models.ts'

/** Whether every model is known, can be reached and has a price where money is limited. A replay needs none of it. */
export async function readyModels(names: readonly string[], experiment: Experiment): Promise<readonly Problem[]> {
  const { replay, rehearse } = experiment.calls ?? usualCalls
  if (replay !== null) return []
  const facts = await Promise.all(names.map(name => modelFacts(name, routeParts(experiment))))
  return [
    ...facts.flatMap(one => accessProblems(one, rehearse)),
    ...(await priceProblems(names, experiment)),
    ...rateProblems(facts, experiment),
  ]
}

const routeParts = (experiment: Experiment): RouteParts => ({
  settings: experiment.models ?? {},
  env: environmentOf(experiment),
  now: Date.now(),
  table: loadPriceTable,
})

function accessProblems({ problem }: ModelFacts, rehearse: boolean): readonly Problem[] {
  if (problem === null || (rehearse && problem.fault === 'missing_key')) return []
  return [
    { path: ['target', 'models'], message: problem.message, ...(problem.hint !== null && { hint: problem.hint }) },
  ]
}

/** An unknown price is unknown, never 0: what can't be kept is not begun. */
async function priceProblems(names: readonly string[], experiment: Experiment): Promise<readonly Problem[]> {
  const { budget_usd, run_budget_usd } = experiment.limits
  if (budget_usd === null && (run_budget_usd ?? 0) === 0) return []
  const limit = budget_usd === null ? `run_budget_usd: ${run_budget_usd}` : `budget_usd: ${budget_usd}`
  const unpriced = await unpricedModels(names, routeParts(experiment))
  return unpriced.map(({ name, line }) => ({
    path: ['target', 'models'],
    message: `nobody knows what ${name} costs, so that ${limit} can't be kept`,
    hint: `give it a price under models: ${line}; or limit calls instead of money (run_calls)`,
  }))
}

/** A rate for nobody limits nothing. One for a provider that is not asked today is fine; one that is nearly its name is not. */
function rateProblems(facts: readonly ModelFacts[], { limits }: Experiment): readonly Problem[] {
  const asked = new Set(facts.map(({ provider }) => provider))
  return Object.keys(limits.rate).flatMap(provider => {
    const hint = asked.has(provider) ? undefined : didYouMean(provider, asked)
    const message = `none of the models goes to "${provider}", so that this rate limits nothing`
    return hint === undefined ? [] : [{ path: ['limits', 'rate', provider], message, hint }]
  })
}
