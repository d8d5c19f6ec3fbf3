import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { Problem } from '../../define/target.ts'
import { readyModels, readySettings } from '../ready-models.ts'
import { SettingsInUse } from '../settings-in-use.ts'
import { missingRecordings } from './missing-recordings.ts'
import { settingsOf } from './question.ts'
import { resolvedPrompt } from './resolved-prompt.ts'
import type { PromptSpec } from './spec.ts'
import { usedModels } from './used-models.ts'

/** Whether the models that answer and those that judge can be called; for a replay, whether its recording is complete. */
export async function readyPrompt(
  spec: PromptSpec,
  experiment: Experiment,
  runs: Iterable<Run>,
): Promise<readonly Problem[]> {
  const whole = resolvedPrompt(spec)
  const replay = experiment.calls?.replay ?? null
  if (replay !== null) return missingRecordings(whole, experiment, { runs, folder: replay })
  const names = new Set(usedModels(whole, experiment).judge)
  const settings = new SettingsInUse()
  for (const run of runs) {
    if (typeof run.params.model !== 'string') continue
    names.add(run.params.model)
    settings.add(run.params.model, settingsOf(whole, run))
  }
  return [...(await readyModels([...names], experiment)), ...(await readySettings(settings, experiment))]
}
