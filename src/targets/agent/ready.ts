import type { Experiment } from '../../define/experiment.ts'
import { defaultCalls } from '../../define/models/model-settings.ts'
import type { Problem } from '../../define/target.ts'
import { type ModelFacts, modelFacts } from '../../models/model-facts.ts'
import { canonicalJson, type JsonObject } from '../../util/json.ts'
import { listed } from '../../util/words.ts'
import { environmentOf } from '../run-models.ts'
import { type AgentSettings, namedSettings, settingsOf } from './settings.ts'
import { sideModels } from './side-models.ts'
import { chooseStrategy, idleSettings } from './strategies/choose-strategy.ts'
import { strategyNames } from './strategies/registry.ts'

/** Before anything runs: strategies that can't be made, and limits on money that would never end anything. */
export async function readyAgent(
  written: AgentSettings,
  experiment: Experiment,
  variants: readonly JsonObject[],
): Promise<readonly Problem[]> {
  const problems = variants.flatMap(params => strategyProblems(written, params, experiment))
  return once([
    ...problems,
    ...idleProblems(variants.map(params => namedSettings(written, params))),
    ...(await priceProblems(written, experiment, variants)),
  ])
}

/** Variants that differ only in settings that their strategy ignores would be paid for twice, and compared with themselves. */
function idleProblems(variants: readonly JsonObject[]): readonly Problem[] {
  const seen = new Set<string>()
  return variants.flatMap((params): readonly Problem[] => {
    const idle = idleSettings(params)
    const effective = Object.entries(params).filter(([name]) => !idle.includes(name))
    const key = canonicalJson(Object.fromEntries(effective))
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    const [name = ''] = idle
    return [
      {
        path: ['factors', name],
        message: `${listed(idle)} changes nothing with the strategy ${String(params.strategy ?? 'raw')}, so that some variants are the same`,
        hint: `let it apply only where it matters: ${name}: { values: […], when: "strategy in [${usersOf(name)}]" }`,
      },
    ]
  })
}

const usersOf = (setting: string): string =>
  strategyNames
    .filter(strategy => idleSettings({ strategy, [setting]: 1 }).length === 0)
    .map(strategy => `'${strategy}'`)
    .join(', ')

/** A problem of many variants is reported once. */
const once = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map(problem => [problem.message, problem])).values(),
]

function strategyProblems(written: AgentSettings, params: JsonObject, { folder }: Experiment): readonly Problem[] {
  const chosen = chooseStrategy(namedSettings(written, params), { folder, cwd: process.cwd() })
  return (chosen.problems ?? []).map(({ name, message }) => ({ path: ['factors', name], message }))
}

/** With a cost limit that nothing can reach, different variants would look the same. */
async function priceProblems(
  written: AgentSettings,
  experiment: Experiment,
  variants: readonly JsonObject[],
): Promise<readonly Problem[]> {
  const { replay } = experiment.calls ?? defaultCalls
  const names = variants.flatMap(params => {
    const { cost_limit = 0 } = settingsOf(written, params)
    if (cost_limit === 0 || typeof params.model !== 'string') return []
    return [params.model, ...sideModels(written, params)]
  })
  const lookup = { settings: experiment.models ?? {}, env: environmentOf(experiment) }
  const facts = await Promise.all([...new Set(replay === null ? names : [])].map(name => modelFacts(name, lookup)))
  return facts.flatMap(priceProblem)
}

function priceProblem({ name, price, problem }: ModelFacts): readonly Problem[] {
  if (problem !== null || (price !== null && price !== 'free')) return []
  const why = price === null ? `the price of ${name} is unknown` : `${name} is free`
  return [
    {
      path: ['factors', 'cost_limit'],
      message: `${why}, so cost_limit never ends its work`,
      hint: 'limit its calls instead: call_limit',
    },
  ]
}
