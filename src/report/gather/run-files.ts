import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import type { Observation, RunRecord } from '../../define/observation.ts'
import { outputFile } from '../../record/places.ts'
import { readEndOf } from '../../util/files.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { plainOutput } from '../../util/words.ts'
import type { OutputTail, RunFile } from '../dataset/dataset.ts'

/** Files of one run, and of all: a longer list is not worth its room. */
const mostOfOne = 60
const mostOfAll = 30_000
const deepest = 3

export interface FilesOfRuns {
  readonly lists: readonly (readonly RunFile[] | null)[]
  readonly isWhole: boolean
}

/** The files in each run's folder, sorted by path. */
export function filesOf(folders: readonly (string | null)[]): FilesOfRuns {
  let room = mostOfAll
  const lists = folders.map(folder => {
    if (folder === null || room <= 0) return null
    const files = firstOf(filesUnder(folder), mostOfOne)
    room -= files.length
    return files.sort((a, b) => (a.path < b.path ? -1 : 1))
  })
  return { lists, isWhole: lists.every((list, at) => list !== null || folders[at] === null) }
}

function firstOf<T>(all: Iterable<T>, most: number): T[] {
  const first: T[] = []
  for (const one of all) if (first.push(one) === most) break
  return first
}

/** Top-level files first: a folder of a thousand artifacts hides none of them. */
function* filesUnder(folder: string): Generator<RunFile> {
  const waiting = [{ prefix: '', depth: deepest }]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const entry of entriesOf(join(folder, next.prefix))) {
      const path = `${next.prefix}${entry.name}`
      if (entry.isDirectory() && next.depth > 1) waiting.push({ prefix: `${path}/`, depth: next.depth - 1 })
      else if (entry.isFile()) yield { path, bytes: statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0 }
    }
  }
}

/** A missing folder is empty. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

/** Characters of output in the whole file, and of one run's stream. */
const mostOutputOfAll = 400_000
const mostOutputOfOne = 4000
const mostOfCompleted = 1500

type Ended = Pick<Observation, 'outcome'>

interface RunOutput {
  readonly tails: readonly (readonly OutputTail[])[]
  /** How many runs printed anything. */
  readonly printed: number
}

/** The ends of runs' output: failed runs first, one of each class before more of the same. */
export function tailsOf(runs: readonly Ended[], folders: readonly (string | null)[]): RunOutput {
  const tails = new Map<number, readonly OutputTail[]>()
  let printed = 0
  let room = mostOutputOfAll
  for (const at of inOrderOfInterest(runs)) {
    const folder = folders[at] ?? null
    const isFailed = runs[at]?.outcome.kind !== 'completed'
    const most = room <= 0 ? 0 : isFailed ? mostOutputOfOne : mostOfCompleted
    const found = folder === null ? [] : streams.flatMap(stream => tailOf(folder, stream, most))
    if (found.length === 0) continue
    printed++
    room -= found.reduce((sum, { text }) => sum + text.length, 0)
    if (most > 0) tails.set(at, found)
  }
  return { tails: runs.map((_, at) => tails.get(at) ?? []), printed }
}

const streams = ['stderr', 'stdout'] as const

function tailOf(folder: string, stream: OutputTail['stream'], most: number): readonly OutputTail[] {
  const tail: FileTail | null = readTail(outputFile(folder, stream), most)
  return tail === null || tail.bytes === 0 ? [] : [{ stream, ...tail }]
}

/** Round by round: the first of each class of failure, the second of each, …; then the runs that completed. */
function inOrderOfInterest(runs: readonly Ended[]): readonly number[] {
  const failed = runs.flatMap(({ outcome }, at) =>
    outcome.kind === 'completed' ? [] : [{ at, group: `${outcome.kind} ${outcome.error_class ?? ''}` }],
  )
  const ranked = [...Map.groupBy(failed, ({ group }) => group).values()].flatMap(group =>
    group.map(({ at }, rank) => ({ at, rank })),
  )
  const completed = runs.flatMap(({ outcome }, at) => (outcome.kind === 'completed' ? [at] : []))
  return [...ranked.sort((a, b) => a.rank - b.rank || a.at - b.at).map(({ at }) => at), ...completed]
}

interface FileTail {
  readonly text: string
  /** Size of the whole file. */
  readonly bytes: number
}

/** The last lines of a text file, about so many characters; null: there is no such file. */
export function readTail(file: string, most: number): FileTail | null {
  const found = readEndOf(file, most)
  if (found === null) return null
  const text = found.end.toString('utf8')
  const isWhole = found.end.length === found.size
  return { text: plainOutput(isWhole ? text : fromLineStart(text)), bytes: found.size }
}

/** Half a line, or half a character, is worse than none; unless there is only one. */
function fromLineStart(text: string): string {
  const start = text.indexOf('\n') + 1
  return start > 0 && start < text.length ? text.slice(start) : text.replace(/^\ufffd+/, '')
}

/** Names that people use for secrets; not `max_tokens` or `tokenizer`. */
const secretName = /api_?key|secret|passw|credential|private_?key|(access|auth|bearer|refresh)_?token|^token$/i

const mask = '(masked)'

/** A definition that is safe to publish: without values of environment variables and anything named like a secret. */
export function maskedDefinition(definition: Experiment): Experiment {
  const { env, ...target } = definition.target
  const names = isJsonObject(env) ? Object.keys(env) : []
  const variables: JsonObject = names.length === 0 ? {} : { env: Object.fromEntries(names.map(name => [name, mask])) }
  // The structure stays: only texts are replaced.
  return {
    ...(masked(definition as unknown as JsonObject) as unknown as Experiment),
    target: { ...withKind(target), ...variables },
  }
}

const withKind = (target: JsonObject): Experiment['target'] => ({
  ...(masked(target) as JsonObject),
  kind: String(target.kind),
})

export function maskedParameters<Run extends RunRecord>(runs: readonly Run[]): readonly Run[] {
  const names = new Set(runs.flatMap(run => Object.keys(run.params)))
  if (![...names].some(name => secretName.test(name))) return runs
  return runs.map(run => ({ ...run, params: masked(run.params) as JsonObject }))
}

function masked(value: Json): Json {
  if (Array.isArray(value)) return value.map(masked)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      typeof item === 'string' && secretName.test(name) ? mask : masked(item),
    ]),
  )
}
