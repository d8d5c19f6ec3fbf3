import { isAbsolute, relative } from 'node:path'
import { openScenario } from '../../targets/scenario/open-scenario.ts'
import { counted, listed } from '../../util/words.ts'
import { type Io, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'

/** Reads a scenario's files; exit code 2, as for any other file, where anything is wrong with them. */
export function validateScenario(folder: string, options: Options, io: Io): number {
  const shown = isAbsolute(folder) ? relative(io.cwd, folder) || '.' : folder
  const { scenario, problems, notes } = openScenario(shown, io.cwd)
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
