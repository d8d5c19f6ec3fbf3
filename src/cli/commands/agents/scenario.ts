import { chooseExperiment } from '../../experiment/choose-experiment.ts'
import type { Io } from '../../io.ts'
import type { Options } from '../../options.ts'
import { scenarioExperiment } from '../../scenario/scenario-experiment.ts'
import { runChosen } from '../run/run.ts'

/** `assay scenario run|validate|estimate` */
export async function scenarioCommand(
  [what, folder = '.']: readonly string[],
  options: Options,
  io: Io,
): Promise<number> {
  if (what === 'validate')
    return (await import('../../scenario/validate-scenario.ts')).validateScenario(folder, options, io)
  if (what === 'estimate')
    return (await import('../../scenario/estimate-scenario.ts')).estimateScenario(folder, options, io)
  const chosen = chooseExperiment([], options, io, 'run', scenarioExperiment(folder, options, io))
  return (await runChosen(chosen, options, io)).exitCode
}
