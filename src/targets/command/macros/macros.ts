import { join } from 'node:path'
import type { Experiment } from '../../../define/experiment.ts'
import type { Run } from '../../../define/run.ts'
import {
  type Argument,
  argumentsOf,
  type MacroName,
  pythonText,
  spacedJson,
} from '../../../define/spelling/spelling.ts'
import type { RunPlace } from '../../../define/target.ts'
import { pythonInterpreter } from './interpreter.ts'

const macros: { readonly [Name in MacroName]: (facts: MacroFacts) => readonly string[] } = {
  env: () => (process.platform === 'win32' ? [] : ['/usr/bin/env']),
  interpreter: () => [pythonInterpreter() ?? 'python'],
  program: ({ program }) => (program === undefined ? [] : [program]),
  args: flags(({ name, text }) => [`--${name}=${text}`]),
  args_no_hyphens: flags(({ name, text }) => [`${name}=${text}`]),
  args_no_equals: flags(({ name, text }) => [`--${name}`, text]),
  args_no_boolean_flags: flags(({ name, text, json }) =>
    json === 'true' ? [`--${name}`] : json === 'false' ? [] : [`--${name}=${text}`],
  ),
  args_append_hydra: flags(({ name, text }) => [`+${name}=${text}`]),
  args_override_hydra: flags(({ name, text }) => [`++${name}=${text}`]),
  args_json: facts => [argumentsJson(facts)],
  args_json_file: ({ place }) => [argumentsFile(place)],
}

export interface MacroFacts {
  readonly program: string | undefined
  readonly run: Run
  readonly place: RunPlace
  readonly experiment: Experiment
}

/** The value of a macro in a run. */
export const expandMacro = (name: MacroName, facts: MacroFacts): readonly string[] => macros[name](facts)

/** All parameters as one JSON object, as Python would write it. */
export function argumentsJson({ run, experiment }: MacroFacts): string {
  const entries = argumentsOf(run.params, experiment).map(({ name, json }) => `${JSON.stringify(name)}:${json}`)
  return spacedJson(`{${entries.join(',')}}`)
}

/** Where `${args_json_file}` is; it has to be written before the program starts. */
export const argumentsFile = (place: RunPlace): string => join(place.run_dir, 'args.json')

function flags(write: (argument: Argument & { readonly text: string }) => readonly string[]) {
  return ({ run, experiment }: MacroFacts): readonly string[] =>
    argumentsOf(run.params, experiment).flatMap(argument => write({ ...argument, text: pythonText(argument.json) }))
}
