import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, isAbsolute, join, resolve, sep } from 'node:path'
import type { core, output, ZodType } from 'zod'
import { AssayError, messageOf, systemCode } from '../util/errors.ts'
import { isJsonObject, type Json } from '../util/json.ts'
import { configError, expectation, explainIssues, parseSource, problemLine, syntaxError } from './problems.ts'
import { checkPlainData } from './source/check-plain-data.ts'
import { jsonSource } from './source/json-source.ts'
import { type Source, sourceFromCode } from './source/source.ts'
import { tomlSource } from './source/toml-source.ts'
import { yamlSource } from './source/yaml-source.ts'
import type { Problem } from './target.ts'

/** Whether the last of two equal keys counts, judging by the data. */
type LastKeyCounts = (value: Json) => boolean

type Reader = (file: string, text: string, lastKeyCounts?: LastKeyCounts) => Source

const readers: Readonly<Record<string, Reader>> = {
  '.yaml': yamlSource,
  '.yml': yamlSource,
  '.json': (file, text) => jsonSource(file, text, { strict: true }),
  '.jsonc': (file, text) => jsonSource(file, text, { strict: false }),
  '.toml': tomlSource,
}

/** Reads a configuration file; its extension says which language it is written in. */
export function readSource(file: string, cwd: string, lastKeyCounts?: LastKeyCounts): Source {
  const reader = readers[extname(file).toLowerCase()]
  const text = readText(file, cwd)
  if (reader === undefined)
    throw new AssayError('config', `${file}: expected a .yaml, .json, .jsonc or .toml file`, {
      hint: 'rename the file so that its ending says what it is',
    })
  if (text.trim() === '') throw syntaxError(file, 'the file is empty', null)
  const source = readSafely((name, content) => reader(name, content, lastKeyCounts), file, text)
  if (source.value === null) throw syntaxError(file, 'the file is empty', null)
  checkPlainData(source)
  return source
}

/**
 * A file that is not an experiment, parsed by `schema`; one error with all its problems, including those that `check`
 * finds.
 */
export function readChecked<S extends ZodType>(
  file: string,
  cwd: string,
  { schema, check }: { readonly schema: S; check(read: output<S>): readonly Problem[] },
): output<S> {
  const source = readSource(file, cwd)
  const read = parseSource(schema, source)
  const problems = check(read)
  if (problems.length > 0) throw configError(source, problems)
  return read
}

/** A file nested thousands of levels deep exhausts the stack of its parser. */
function readSafely(reader: (file: string, text: string) => Source, file: string, text: string): Source {
  try {
    return reader(file, text)
  } catch (error) {
    if (error instanceof RangeError) throw syntaxError(file, 'is nested too deeply to be read', null)
    throw error
  }
}

function readText(file: string, cwd: string): string {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(resolve(cwd, file))
  } catch (error) {
    throw unreadable(file, cwd, error)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new AssayError('config', `${file}:${firstBadLine(bytes)}: is not UTF-8 text`, {
      ...{ hint: 'save it as UTF-8', cause: error },
    })
  }
}

/** Bytes that are not UTF-8 change when they are decoded and encoded again. */
function firstBadLine(bytes: Uint8Array): number {
  const again = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  const at = bytes.findIndex((byte, index) => byte !== again[index])
  return bytes.subarray(0, at).filter(byte => byte === 0x0a).length + 1
}

function unreadable(file: string, cwd: string, cause: unknown): AssayError {
  switch (systemCode(cause)) {
    case 'ENOENT':
      return new AssayError('not_found', `${file}: no such file`, {
        ...(!isAbsolute(file) && { hint: `relative names start at the working directory, ${cwd}` }),
        cause,
      })
    case 'EISDIR':
      return new AssayError('config', `${file}: is a directory, expected a file`, {
        hint: 'name the file in it',
        cause,
      })
    case 'EACCES':
    case 'EPERM':
      return new AssayError('config', `${file}: may not be read by this user`, { cause })
    default:
      return new AssayError('config', `${file}: can't be read: ${messageOf(cause)}`, { cause })
  }
}

/** Where relative paths are looked for: in the folder of the configuration, then in the working directory. */
export interface Places {
  readonly folder: string
  readonly cwd: string
}

/** For people: both are named only if they differ. */
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
 * The files that match a pattern, sorted, as relative paths: in the config's folder, else in the working directory.
 * They stay relative because they enter the identity of runs, which must not depend on where a project is.
 */
export function matchFiles(
  pattern: string,
  places: { readonly folder: string; readonly cwd: string },
): readonly string[] {
  const inFolder = globSync(pattern, { cwd: places.folder })
  const found = inFolder.length > 0 ? inFolder : globSync(pattern, { cwd: places.cwd })
  return found.map(file => file.split(sep).join('/')).sort()
}

/** The files of an entry of `inputs`, absolute: itself, all in a folder, or all that match; null: there is nothing. */
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

/** The message for an entry without files. */
export const noSuchInput = (input: string, places: Places): string =>
  isAbsolute(input) ? `"${input}" matches no file` : `"${input}" matches no file in ${placesText(places)}`

function filesMatching(pattern: string): string[] {
  return globSync(pattern)
    .filter(path => statSync(path).isFile())
    .sort()
}

export interface Examined<T> {
  /** null: there are problems. */
  readonly value: T | null
  /** One line for each, with its place. */
  readonly problems: readonly string[]
  /** Unknown keys, likewise: other tools ignore them, and newer versions have new ones. */
  readonly unknown: readonly string[]
}

/** Parses a file of another program: throws nothing, so that many files can be examined. */
export function examineSource<S extends ZodType>(schema: S, source: Source): Examined<output<S>> {
  const first = schema.safeParse(source.value, { error: expectation })
  if (first.success) return { value: first.data, problems: [], unknown: [] }
  const strange = first.error.issues.filter(issue => issue.code === 'unrecognized_keys')
  const unknown = linesOf(strange, source)
  const rest = strange.reduce((value, issue) => without(value, issue.path, issue.keys), source.value)
  const second = schema.safeParse(rest, { error: expectation })
  if (second.success) return { value: second.data, problems: [], unknown }
  return { value: null, problems: linesOf(second.error.issues, source), unknown }
}

/** The same for a value on one line of a file: `where` is its place. */
export const examineValue = <S extends ZodType>(schema: S, value: Json, where: string): Examined<output<S>> =>
  examineSource(schema, { ...sourceFromCode(value), file: where })

const linesOf = (issues: readonly core.$ZodIssue[], source: Source): readonly string[] =>
  explainIssues(issues, source.value).map(problem => problemLine(source, problem))

function without(value: Json, path: readonly PropertyKey[], keys: readonly string[]): Json {
  const [step, ...rest] = path
  if (Array.isArray(value)) return value.map((item: Json, index) => (index === step ? without(item, rest, keys) : item))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
  if (step === undefined) return Object.fromEntries(entries.filter(([key]) => !keys.includes(key)))
  return Object.fromEntries(entries.map(([key, item]) => [key, key === step ? without(item, rest, keys) : item]))
}
