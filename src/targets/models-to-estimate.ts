import type { Experiment } from '../define/experiment.ts'
import { type Models, openModels } from '../models/open-models.ts'
import { environmentOf } from './run-models.ts'

const opened = new WeakMap<Experiment, Models>()

/** Models that estimate the cost of calls. No model is called, so no key is needed. */
export function modelsToEstimate(experiment: Experiment): Models {
  const known = opened.get(experiment)
  if (known !== undefined) return known
  const models = openModels({ env: environmentOf(experiment), settings: experiment.models, rehearse: true })
  opened.set(experiment, models)
  return models
}
