import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readSource } from '../../../define/read-files.ts'
import { AssayError } from '../../../util/errors.ts'
import { isJsonObject, type Json } from '../../../util/json.ts'
import { didYouMean, suggest } from '../../../util/suggest.ts'
import { assemble, placeIn, type Source } from './assemble.ts'
import { takenNames } from './metrics-schema.ts'
import { type ScenarioFiles, withoutAliases } from './scenario-files.ts'

export interface ReadScenario {
  /** null: there are problems. */
  readonly files: ScenarioFiles | null
  readonly problems: readonly string[]
  readonly notes: readonly string[]
}

/** Reads a scenario's folder. Nothing is thrown: all problems of its files are reported together. */
export function readScenario(folder: string, cwd: string): ReadScenario {
  const problems: string[] = []
  const notes: string[] = []
  const dir = definitionIn(folder, cwd)
  if (dir === null) {
    const isThere = statSync(join(folder), { throwIfNoEntry: false })?.isDirectory() ?? isFolder(cwd, folder)
    return {
      files: null,
      notes,
      problems: [isThere ? `${folder}: there is no scenario.yaml in it` : noSuchFolder(folder, cwd)],
    }
  }
  const read = (file: string): Source | null => {
    try {
      return readSource(file, cwd)
    } catch (error) {
      if (!(error instanceof AssayError)) throw error
      problems.push(error.message)
      return null
    }
  }
  const optional = (name: string): Source | null => {
    const found = [dir, folder]
      .flatMap(place => endings.map(ending => join(place, `${name}${ending}`)))
      .find(file => existsSync(join(cwd, file)))
    return found === undefined ? null : read(found)
  }
  const scenario = optional('scenario')
  const actors = scenario === null ? [] : actorsIn(scenario, join(dir, 'actors'), { cwd, read, problems, notes })
  const [metrics, events, rules] = optionalNames.map(optional)
  notes.push(...misnamedIn(dir, cwd))
  if (scenario === null || problems.length > 0) return { files: null, problems, notes }
  const assembled = assemble({
    scenario,
    actors: actors.map(({ source }) => source),
    metrics: metrics ?? null,
    events: events ?? null,
    rules: rules ?? null,
  })
  problems.push(...assembled.problems)
  notes.push(...assembled.notes)
  if (assembled.scenario === null) return { files: null, problems, notes }
  // Only in files: journals that have such a metric can still be read.
  if (metrics)
    for (const { path, message, hint } of takenNames(metrics.value, assembled.scenario.metrics))
      problems.push(`${placeIn(metrics, path)}  ${path.join('.')}: ${message}; ${hint}`)
  if (problems.length > 0) return { files: null, problems, notes }
  const files = withoutAliases({
    scenario: mapIn(scenario),
    actors: Object.fromEntries(actors.map(({ short, file, source }) => [short, { file, text: mapIn(source) }])),
    metrics: metrics?.value ?? null,
    events: events?.value ?? null,
    rules: rules?.value ?? null,
  })
  return { files, problems, notes }
}

function noSuchFolder(folder: string, cwd: string): string {
  const beside = join(cwd, dirname(folder))
  const names = isFolder(cwd, dirname(folder))
    ? readdirSync(beside, { withFileTypes: true }).flatMap(one => (one.isDirectory() ? [one.name] : []))
    : []
  const hint = didYouMean(basename(folder), names)
  return `${folder}: there is no such folder${hint === undefined ? '' : `; ${hint}`}`
}

const optionalNames = ['metrics', 'exogenous-events', 'validation-rules']

/** Files that are ignored because of their spelling. */
const misnamedIn = (dir: string, cwd: string): readonly string[] =>
  readdirSync(join(cwd, dir))
    .filter(name => endings.some(ending => name.endsWith(ending)))
    .sort()
    .flatMap(name => {
      const base = name.replace(/\.[^.]+$/, '')
      const meant = suggest(base.toLowerCase().replaceAll('_', '-'), optionalNames)
      return meant === null || meant === base ? [] : [`${name} is not read; did you mean "${meant}.yaml"?`]
    })

const endings = ['.yaml', '.yml', '.json']

const isFile = (cwd: string, file: string): boolean =>
  statSync(join(cwd, file), { throwIfNoEntry: false })?.isFile() ?? false
const isFolder = (cwd: string, file: string): boolean =>
  statSync(join(cwd, file), { throwIfNoEntry: false })?.isDirectory() ?? false

/** The folder itself, or its `definition`, as later versions of Scenario Lab have it. */
const definitionIn = (folder: string, cwd: string): string | null =>
  [folder, join(folder, 'definition')].find(dir =>
    endings.some(ending => isFile(cwd, join(dir, `scenario${ending}`))),
  ) ?? null

const mapIn = ({ value }: Source): { [key: string]: Json } => (isJsonObject(value) ? { ...value } : {})

interface ReadActor {
  readonly short: string
  /** As it is called in its folder, `actors/regulator.yaml`. */
  readonly file: string
  readonly source: Source
}

interface ActorParts {
  readonly cwd: string
  read(file: string): Source | null
  readonly problems: string[]
  readonly notes: string[]
}

/** Those that `scenario.yaml` lists, by the names of their files or by their short names; all of them if it lists none. */
function actorsIn(scenario: Source, dir: string, { cwd, read, problems, notes }: ActorParts): readonly ReadActor[] {
  const names = isFolder(cwd, dir)
    ? readdirSync(join(cwd, dir))
        .filter(name => /\.(ya?ml|json)$/i.test(name))
        .sort()
    : []
  const bases = names.map(baseOf)
  const all = names.flatMap((name): readonly (ReadActor & { readonly base: string })[] => {
    const source = read(join(dir, name))
    if (source === null) return []
    const base = baseOf(name)
    const { short_name = base } = mapIn(source)
    const short = typeof short_name === 'string' ? short_name : base
    return [{ short, base, file: `actors/${name}`, source }]
  })
  const listed = isJsonObject(scenario.value) && Array.isArray(scenario.value.actors) ? scenario.value.actors : null
  if (names.length === 0)
    problems.push(`${dir}: there are no actors; each needs a file, ${join(dir, 'regulator.yaml')}`)
  const chosen =
    listed === null
      ? all
      : listed.flatMap((name: Json, at) => {
          const found = all.find(({ base }) => base === name) ?? all.find(({ short }) => short === name)
          if (found !== undefined) return [found]
          // The problem of its file has been reported.
          if (typeof name === 'string' && bases.includes(name)) return []
          const hint = didYouMean(String(name), bases) ?? `files: ${bases.join(', ')}`
          problems.push(
            `${placeIn(scenario, ['actors', at])}  actors.${at}: there is no file ${join(dir, `${name}.yaml`)}; ${hint}`,
          )
          return []
        })
  for (const { base, short, file } of chosen)
    if (base !== short)
      notes.push(
        `${file} calls its actor "${short}": parameters name it actors.${short}, and files are called after it`,
      )
  for (const one of all)
    if (!chosen.includes(one)) notes.push(`${one.file} is not listed in scenario.yaml, so its actor takes no part`)
  problems.push(...repeatedNames(chosen))
  return chosen
}

/** Actors name each other by either name, and files are called after the short one. */
function* repeatedNames(actors: readonly ReadActor[]): Generator<string> {
  for (const key of ['short_name', 'name'] as const) {
    const seen = new Map<string, string>()
    for (const { short, file, source } of actors) {
      const name = key === 'name' ? mapIn(source).name : short
      if (typeof name !== 'string') continue
      const first = seen.get(name.toLowerCase())
      if (first !== undefined) yield `${placeIn(source, [key])}  ${key}: ${first} calls its actor "${name}" too`
      else seen.set(name.toLowerCase(), file)
    }
  }
}

const baseOf = (file: string): string => file.replace(/\.[^.]+$/, '')
