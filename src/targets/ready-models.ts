import type { Experiment } from '../define/experiment.ts'
import { defaultCalls } from '../define/models/model-settings.ts'
import type { Problem } from '../define/target.ts'
import { type ModelFacts, type ModelLookup, modelFacts, unpricedModels } from '../models/model-facts.ts'
import { didYouMean } from '../util/suggest.ts'
import { environmentOf } from './run-models.ts'
import type { SettingsInUse } from './settings-in-use.ts'

/** Whether every model is known, can be reached and has a price where money is limited. A replay needs none of it. */
export async function readyModels(
  names: readonly string[],
  experiment: Experiment,
  pathOf: PathOfModel = () => ['target', 'models'],
): Promise<readonly Problem[]> {
  const { replay, rehearse } = experiment.calls ?? defaultCalls
  if (replay !== null) return []
  const facts = await Promise.all(names.map(name => modelFacts(name, lookupOf(experiment))))
  return [
    ...facts.flatMap(one => accessProblems(one, rehearse, pathOf)),
    ...(rehearse ? [] : facts.flatMap(one => doubtProblems(one, pathOf))),
    ...(await priceProblems(names, experiment, pathOf)),
    ...rateProblems(facts, experiment),
  ]
}

/** Whether settings without an effect vary. A replay makes no calls. */
export async function readySettings(settings: SettingsInUse, experiment: Experiment): Promise<readonly Problem[]> {
  const { replay } = experiment.calls ?? defaultCalls
  return replay === null ? settings.problems(lookupOf(experiment)) : []
}

const lookupOf = (experiment: Experiment): ModelLookup => ({
  settings: experiment.models ?? {},
  env: environmentOf(experiment),
})

/** Where a model is named. */
type PathOfModel = (name: string) => Problem['path']

function accessProblems({ name, problem }: ModelFacts, rehearse: boolean, pathOf: PathOfModel): readonly Problem[] {
  if (problem === null || (rehearse && problem.fault === 'missing_key')) return []
  const { fault, message, hint } = problem
  // The key may be where the runs are made.
  const isOnlyForRuns = fault === 'missing_key' && { isOnlyForRuns: true as const }
  return [{ path: pathOf(name), message, ...(hint !== null && { hint }), ...isOnlyForRuns }]
}

/** A misspelt model would fail in every run, after others were paid for. */
function doubtProblems({ name, doubt }: ModelFacts, pathOf: PathOfModel): readonly Problem[] {
  if (doubt === null) return []
  const declare = `if there is one, name it under models: { ${JSON.stringify(name)}: {} }`
  return [
    {
      path: pathOf(name),
      message: `${name}: ${doubt.message}`,
      hint: [doubt.hint, declare].filter(Boolean).join(' '),
    },
  ]
}

/** An unknown price is unknown, never 0: a budget that is not enforceable is refused before the start. */
async function priceProblems(
  names: readonly string[],
  experiment: Experiment,
  pathOf: PathOfModel,
): Promise<readonly Problem[]> {
  const { budget_usd, run_budget_usd } = experiment.limits
  if (budget_usd === null && (run_budget_usd ?? 0) === 0) return []
  const limit = budget_usd === null ? `run_budget_usd: ${run_budget_usd}` : `budget_usd: ${budget_usd}`
  const unpriced = await unpricedModels(names, lookupOf(experiment))
  return unpriced.map(({ name, line }) => ({
    path: pathOf(name),
    message: `the price of ${name} is unknown, so ${limit} can't be enforced`,
    hint: `give it a price under models: ${line}; or limit calls instead of money (run_calls)`,
  }))
}

/**
 * A rate for a provider that is not called today is fine; one whose name is almost that of a called provider is a
 * mistake.
 */
function rateProblems(facts: readonly ModelFacts[], { limits }: Experiment): readonly Problem[] {
  const asked = new Set(facts.map(({ provider }) => provider))
  return Object.keys(limits.rate).flatMap(provider => {
    const hint = asked.has(provider) ? undefined : didYouMean(provider, asked)
    const message = `no model uses "${provider}", so this rate has no effect`
    return hint === undefined ? [] : [{ path: ['limits', 'rate', provider], message, hint }]
  })
}
