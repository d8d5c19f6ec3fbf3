import { isAbsolute, relative } from 'node:path'
import { modelFacts } from '../../models/model-facts.ts'
import { openScenario } from '../../targets/scenario/open-scenario.ts'
import { counted, listed } from '../../util/words.ts'
import { chooseExperiment } from '../experiment/choose-experiment.ts'
import { type Io, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { scenarioExperiment } from './scenario-experiment.ts'

/** Reads a scenario's files; exit code 2 if anything is wrong with them, as for any other file. */
export async function validateScenario(folder: string, options: Options, io: Io): Promise<number> {
  const shown = isAbsolute(folder) ? relative(io.cwd, folder) || '.' : folder
  const { scenario, problems, notes: own, models } = openScenario(shown, io.cwd)
  const notes = [...own, ...(scenario === null ? [] : await unknownModels(models, folder, options, io))]
  if (options.json)
    writeJson(io.stdout, { kind: 'scenario', folder, valid: scenario !== null, problems, notes, scenario })
  else if (scenario === null) writeLines(io.stderr, problems)
  else
    writeLines(io.stdout, [
      `${shown}: ${scenario.name} is valid`,
      `${counted(scenario.turns, 'turn')} of ${scenario.turn_duration}`,
      `actors: ${scenario.actors.map(({ short_name, model }) => `${short_name} (${model})`).join(', ')}; the narrator is ${scenario.world_state_model}`,
      ...(scenario.metrics.length === 0
        ? []
        : [
            `metrics: ${listed(
              scenario.metrics.map(({ name }) => name),
              100,
            )}`,
          ]),
      ...(scenario.events.length === 0
        ? []
        : [
            `events: ${listed(
              scenario.events.map(({ name }) => name),
              100,
            )}`,
          ]),
      ...(scenario.checks === null
        ? []
        : [
            `checks: ${listed(
              scenario.checks.checks.map(({ name }) => name),
              100,
            )}`,
          ]),
      `success: ${scenario.success ?? 'reaching the end'}`,
      ...notes.map(note => `note: ${note}`),
    ])
  return scenario === null ? 2 : 0
}

/** A batch may bring its own settings of models, so an unknown model is not a mistake of the scenario. */
async function unknownModels(
  names: readonly string[],
  folder: string,
  options: Options,
  io: Io,
): Promise<readonly string[]> {
  const { experiment } = chooseExperiment([], options, io, 'look', scenarioExperiment(folder, options, io))
  const lookup = { settings: experiment.models ?? {}, env: io.env }
  const facts = await Promise.all(names.map(name => modelFacts(name, lookup)))
  return facts.flatMap(({ name, problem, doubt }) => {
    if (problem?.fault === 'unknown_model') return [withHint(problem.message, problem.hint)]
    return doubt === null ? [] : [withHint(`${name}: ${doubt.message}`, doubt.hint)]
  })
}

const withHint = (message: string, hint: string | null | undefined): string =>
  hint === null || hint === undefined ? message : `${message}; ${hint}`
