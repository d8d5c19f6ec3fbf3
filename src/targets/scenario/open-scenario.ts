import { readScenario } from './formats/read-scenario.ts'
import { assembleFiles } from './formats/scenario-files.ts'
import type { Scenario } from './scenario.ts'
import { modelsOf } from './scenario-of-run.ts'

export interface OpenedScenario {
  /** null: there are problems. */
  readonly scenario: Scenario | null
  /** A line for each, with file, line and column. */
  readonly problems: readonly string[]
  readonly notes: readonly string[]
  /** Of actors, narrator, summaries, metrics and checks. */
  readonly models: readonly string[]
}

/** A scenario from its folder, for readers only. */
export function openScenario(folder: string, cwd: string): OpenedScenario {
  const { files, problems, notes } = readScenario(folder, cwd)
  const scenario = files === null ? null : assembleFiles(files).scenario
  return { scenario, problems, notes, models: scenario === null ? [] : modelsOf(scenario) }
}
