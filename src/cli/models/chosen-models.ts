import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { environmentFor, type ModelLookup } from '../../models/model-facts.ts'
import { modelsIn } from '../../models/names/settings-of.ts'
import { AssayError } from '../../util/errors.ts'
import { chooseExperiment } from '../experiment/choose-experiment.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'

/** The models that a command line refers to, with the settings of their experiment. */
export interface ChosenModels extends ModelLookup {
  /** null: none were named, and there is no experiment here. */
  readonly names: readonly string[] | null
}

/** Names of models, or one configuration file (or experiment directory), meaning its models. */
export function chooseModels(words: readonly string[], options: Options, io: Io): ChosenModels {
  const files = words.filter(word => isConfig(word, io.cwd))
  const [file = options.config, ...more] = files
  if (more.length > 0) throw new AssayError('usage', `expected one configuration file, got ${files.join(' and ')}`)
  const names = words.filter(word => !files.includes(word))
  const isNothingNamed = file === undefined && names.length === 0
  if (file === undefined && (names.length > 0 || !hasConfig(io.cwd)))
    return { names: isNothingNamed ? null : names, settings: {}, env: environmentFor([io.cwd], io.env) }
  const { experiment } = chooseExperiment(file === undefined ? [] : [file], options, io)
  return {
    names: names.length > 0 ? names : modelsIn(experiment),
    settings: experiment.models ?? {},
    env: environmentFor([io.cwd, experiment.folder], io.env),
  }
}

/** Models have dots and slashes in their names, but no such endings. */
const isConfig = (word: string, cwd: string): boolean =>
  ['.yaml', '.yml', '.json', '.jsonc', '.toml'].includes(extname(word)) || existsSync(resolve(cwd, word, 'journal.db'))

const hasConfig = (cwd: string): boolean =>
  ['experiment.yaml', 'experiment.yml', 'experiment.json', 'experiment.toml'].some(name =>
    existsSync(resolve(cwd, name)),
  )
