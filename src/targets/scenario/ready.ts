import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { Problem } from '../../define/target.ts'
import { canonicalJson } from '../../util/json.ts'
import { readyModels } from '../ready-models.ts'
import { modelsOf, scenarioOfRun } from './scenario-of-run.ts'
import type { ScenarioSpec } from './spec.ts'

/** How many variants are checked before the first run: more use the same models. */
const mostVariants = 2000

/** Whether all models that are called can be called. */
export function readyScenario(
  spec: ScenarioSpec,
  experiment: Experiment,
  runs: Iterable<Run>,
): Promise<readonly Problem[]> {
  const seen = new Set<string>()
  const models = new Set<string>()
  for (const { params } of runs) {
    const variant = canonicalJson(params)
    if (seen.has(variant)) continue
    if (seen.size === mostVariants) break
    seen.add(variant)
    for (const model of modelsOf(scenarioOfRun(spec, { params }).scenario)) models.add(model)
  }
  return readyModels([...models], experiment, name => pathOfLevel(name, experiment) ?? ['target', 'scenario'])
}

/** The place of a value among the levels of a factor; null: it is not one of them. */
function pathOfLevel(value: string, { factors, zip }: Experiment): Problem['path'] | null {
  for (const { name, levels } of [...factors, ...zip.flat()]) {
    const level = levels.indexOf(value)
    if (level >= 0) return ['factors', name, level]
  }
  return null
}
