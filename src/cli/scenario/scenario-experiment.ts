import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parse } from 'yaml'
import { AssayError } from '../../util/errors.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'

/** A scenario on the command line as an experiment: one run, or one for each value of `--with`. */
export function scenarioExperiment(folder: string, options: Options, { cwd }: Pick<Io, 'cwd'>): JsonObject {
  const given = (options.with ?? []).map(parameterOf)
  const several = given.filter(({ levels }) => levels.length > 1)
  const single = given.filter(({ levels }) => levels.length === 1)
  const maps = (all: typeof given, pick: (levels: readonly Json[]) => Json) =>
    Object.fromEntries(all.map(({ name, levels }) => [name, pick(levels)]))
  const own = modelsFilesOf(folder).find(file => existsSync(resolve(cwd, file)))
  return {
    name: basename(resolve(cwd, folder)),
    target: { kind: 'scenario', scenario: folder },
    // Playing it again is another run, once the last one has reached its end.
    directory: 'dated',
    ...(own !== undefined && { models: resolve(cwd, own) }),
    ...(single.length > 0 && { params: maps(single, ([level = null]) => level) }),
    ...(several.length > 0 && { factors: maps(several, levels => [...levels]) }),
  }
}

/** Where a scenario may have settings of its models. */
export const modelsFilesOf = (folder: string): readonly string[] =>
  [folder, dirname(folder)].map(place => join(place, 'models.yaml'))

/** `turns=4` is a key of scenario.yaml; longer paths say which file. */
function parameterOf(written: string): { readonly name: string; readonly levels: readonly Json[] } {
  const at = written.indexOf('=')
  const [name, text] = [written.slice(0, at), written.slice(at + 1)]
  if (text === '') throw new AssayError('usage', `--with ${written}: there is no value after "="`)
  const isState = ['initial_world_state', 'world_state'].includes(name)
  const path = /^(scenario|actors|metrics)\./.test(name) || isState ? name : `scenario.${name}`
  // A text about the world contains commas itself.
  const parts = isState ? [text] : text.split(',')
  return { name: path, levels: parts.map(levelIn) }
}

const levelIn = (text: string): Json => {
  const value: unknown = /^-?\d|^(true|false)$/.test(text) ? parse(text) : text
  return typeof value === 'number' || typeof value === 'boolean' ? value : text
}
