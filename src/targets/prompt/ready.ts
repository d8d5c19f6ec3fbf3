import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { Problem } from '../../define/target.ts'
import { readyModels } from '../ready-models.ts'
import { missingRecordings } from './missing-recordings.ts'
import { resolvedPrompt } from './resolved-prompt.ts'
import type { PromptSpec } from './spec.ts'
import { usedModels } from './used-models.ts'

/** Whether the models that answer and those that judge can be called; for a replay, whether its recording is whole. */
export async function readyPrompt(
  spec: PromptSpec,
  experiment: Experiment,
  runs: Iterable<Run>,
): Promise<readonly Problem[]> {
  const whole = resolvedPrompt(spec)
  const replay = experiment.calls?.replay ?? null
  if (replay !== null) return missingRecordings(whole, experiment, { runs, folder: replay })
  const names = new Set(usedModels(whole, experiment).judge)
  for (const { params } of runs) if (typeof params.model === 'string') names.add(params.model)
  return readyModels([...names], experiment)
}
