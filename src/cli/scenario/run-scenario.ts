import { runChosen } from '../commands/run/run.ts'
import { chooseExperiment } from '../experiment/choose-experiment.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import { scenarioExperiment } from './scenario-experiment.ts'

export async function runScenario(folder: string, options: Options, io: Io): Promise<number> {
  const chosen = chooseExperiment([], options, io, 'run', scenarioExperiment(folder, options, io))
  return (await runChosen(chosen, options, io)).exitCode
}
