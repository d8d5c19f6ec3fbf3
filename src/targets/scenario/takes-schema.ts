import type { Experiment } from '../../define/experiment.ts'
import { modelFacts } from '../../models/model-facts.ts'
import { settingOf } from '../../models/names/settings-of.ts'
import { environmentOf } from '../run-models.ts'

const looked = new WeakMap<Experiment, Map<string, Promise<boolean>>>()

/**
 * Which of these models answer with a JSON Schema: according to their settings; else all except simulated ones, whose
 * rules are easier to write as text, and servers that are only OpenAI-compatible.
 */
export async function schemaTakers(models: readonly string[], experiment: Experiment): Promise<ReadonlySet<string>> {
  const known = looked.get(experiment) ?? new Map<string, Promise<boolean>>()
  looked.set(experiment, known)
  const taken = await Promise.all(
    models.map(async model => {
      const found = known.get(model) ?? takes(model, experiment)
      known.set(model, found)
      return (await found) ? [model] : []
    }),
  )
  return new Set(taken.flat())
}

async function takes(model: string, experiment: Experiment): Promise<boolean> {
  const settings = experiment.models ?? {}
  const { structured } = settingOf(model, settings) ?? {}
  if (structured !== undefined) return structured
  const { is_simulated, provider } = await modelFacts(model, { settings, env: environmentOf(experiment) })
  return !is_simulated && provider !== 'openai-compatible'
}
