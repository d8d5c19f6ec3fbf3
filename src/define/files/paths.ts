import { existsSync, globSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { AssayError } from '../../util/errors.ts'

/** Where relative paths are looked for: in the folder of the configuration, then in the working directory. */
export interface Places {
  readonly folder: string
  readonly cwd: string
}

/** For people: both are named only where they differ. */
export const placesText = ({ folder, cwd }: Places): string => [...new Set([folder, cwd])].join(' or ')

/** Relative paths are relative to the config's folder first, then the working directory: the first that exists. */
export function resolvePath(path: string, { folder, cwd }: { readonly folder: string; readonly cwd: string }): string {
  if (isAbsolute(path)) return path
  const inFolder = resolve(folder, path)
  if (existsSync(inFolder)) return inFolder
  const inCwd = resolve(cwd, path)
  return existsSync(inCwd) ? inCwd : inFolder
}

/** A folder and those above it, up to the root of its repository; without one, up to the root of the file system. */
export function foldersUpward(folder: string): readonly string[] {
  const parent = dirname(folder)
  const isTop = parent === folder || existsSync(join(folder, '.git'))
  return isTop ? [folder] : [folder, ...foldersUpward(parent)]
}

/**
 * The files that a pattern names, sorted, as relative paths: in the config's folder, else in the working directory.
 * They stay relative because they enter the identity of runs, which must not depend on where a project lies.
 */
export function matchFiles(
  pattern: string,
  places: { readonly folder: string; readonly cwd: string },
): readonly string[] {
  const inFolder = globSync(pattern, { cwd: places.folder })
  const found = inFolder.length > 0 ? inFolder : globSync(pattern, { cwd: places.cwd })
  return found.map(file => file.split(sep).join('/')).sort()
}

/** The files that an entry of `inputs` stands for, absolute: itself, all in a folder, or all that match; null: there is nothing. */
export function inputFiles(input: string, { folder, cwd }: Places): readonly string[] | null {
  for (const path of isAbsolute(input) ? [input] : [folder, cwd].map(place => resolve(place, input))) {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isFile()) return [path]
    if (stat?.isDirectory()) return filesMatching(join(path, '**', '*'))
    const matched = filesMatching(path)
    if (matched.length > 0) return matched
  }
  return null
}

/** What is said of an entry that stands for nothing. */
export const noSuchInput = (input: string, places: Places): string =>
  isAbsolute(input) ? `"${input}" matches no file` : `"${input}" matches no file in ${placesText(places)}`

function filesMatching(pattern: string): string[] {
  return globSync(pattern)
    .filter(path => statSync(path).isFile())
    .sort()
}

const candidates = [
  'experiment.yaml',
  'experiment.yml',
  'experiment.json',
  'experiment.toml',
  'batch-config.yaml',
  'bench/experiments/default.json',
] as const

/** The configuration that is meant when none is named, or only the folder that it is in. */
export function findConfig(cwd: string, named?: string): string {
  const found = candidates.find(file => existsSync(resolve(cwd, file)))
  if (found !== undefined) return found
  if (named !== undefined)
    throw new AssayError('usage', `${named} holds neither an experiment file nor the results of an experiment`, {
      hint: `an experiment file there would be called ${candidates.join(', ')}; results have a journal.db`,
      facts: { folder: cwd, candidates },
    })
  throw new AssayError('usage', 'no configuration file was given, and none was found here', {
    hint: `name one with -c/--config, or make one of ${candidates.join(', ')} (assay init writes the first)`,
    facts: { cwd, candidates },
  })
}
