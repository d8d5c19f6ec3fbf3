import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf, systemCode } from '../../util/errors.ts'
import { readRegular } from '../../util/files.ts'
import { isJsonObject } from '../../util/json.ts'
import { UnreadableTrajectory } from './parsed-file.ts'
import { readAtif } from './read-atif.ts'
import { isMiniSweAgent, readMiniSweAgent } from './read-mini-swe-agent.ts'
import { isSweAgent, readSweAgent } from './read-swe-agent.ts'
import type { Trajectory } from './trajectory.ts'

// Those of all programs are read; one's own are written as ATIF.
export { atifOfTrace, writeAtif } from './write-atif.ts'

/** A trajectory and the file it comes from, relative to the folder. */
export interface FoundTrajectory {
  readonly file: string
  readonly trajectory: Trajectory
}

/** A file that should be one and can't be read. */
export interface UnreadFile {
  readonly file: string
  readonly reason: string
}

/**
 * The trajectories below a folder, one after the other in the order of their names: SWE-agent's, mini-swe-agent's, ATIF
 * and assay's own. Formats are recognised by content. A file that is broken is named, and the next one is read.
 */
export function* readTrajectories(folder: string): Generator<FoundTrajectory | UnreadFile> {
  for (const file of candidates(folder, '')) {
    yield { file, ...readOne(join(folder, file)) }
  }
}

/** Whether a file below the folder looks like a trajectory. */
export function hasTrajectories(folder: string): boolean {
  return !candidates(folder, '').next().done
}

/** Depth first. Links to folders are not followed: they may lead in circles. */
function* candidates(root: string, below: string): Generator<string> {
  const entries = listed(join(root, below))
  const own = entries.filter(entry => isNamed(entry.name) && !entry.isDirectory())
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) {
      // The trajectory next to them contains all attempts.
      if (own.length === 0 || !isAttempt(entry.name)) yield* candidates(root, path)
    } else if (isNamed(entry.name)) yield path
    else if (/\.json$/i.test(entry.name) && entry.isFile() && saysAtif(join(root, path))) yield path
  }
}

/** A folder that can't be listed has no trajectories for us. */
function listed(folder: string): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  } catch {
    return []
  }
}

const isNamed = (name: string): boolean => /\.traj$|\.traj\.json$|(^|\.)trajectory\.json$/i.test(name)
const isAttempt = (name: string): boolean => /^(attempt_\d+|attempts)$/.test(name)

/** Programs that write ATIF put that first. */
function saysAtif(file: string): boolean {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const start = Buffer.alloc(2000)
      return /"schema_version"\s*:\s*"ATIF-v1\./.test(start.toString('latin1', 0, readSync(descriptor, start)))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return false
  }
}

/** Python writes numbers that JSON does not have; they are not known. */
function parsePythonJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!/[:,[]\s*-?(NaN|Infinity)\b/.test(text)) throw error
    return JSON.parse(text.replace(stringOrNoNumber, found => (found.startsWith('"') ? found : 'null')))
  }
}

const stringOrNoNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:NaN|Infinity)\b/gs

/** More does not fit into one text. */
const mostBytes = 500_000_000

type Parsed = { readonly trajectory: Trajectory } | { readonly reason: string }

const readOne = (path: string): Parsed => orReason(() => trajectoryIn(textOf(path), path))

/** The trajectory in the text of a file, or why there is none. */
export const parseTrajectory = (text: string, path: string): Parsed => orReason(() => trajectoryIn(text, path))

function orReason(read: () => Trajectory): Parsed {
  try {
    return { trajectory: read() }
  } catch (error) {
    if (error instanceof UnreadableTrajectory) return { reason: error.message }
    if (error instanceof SyntaxError)
      return { reason: `is not valid JSON: ${error.message.replaceAll(/[\s\p{Cc}]+/gu, ' ')}` }
    if (systemCode(error) !== undefined) return { reason: `can't be read: ${messageOf(error)}` }
    throw error
  }
}

/** Files are read into the same place one after the other: ten thousand buffers would be garbage for a long time. */
const scratch = Buffer.allocUnsafe(1 << 20)

function textOf(path: string): string {
  // Without O_NONBLOCK, opening a pipe waits for a writer.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw new UnreadableTrajectory('is not a regular file')
    if (found.size > mostBytes) throw new UnreadableTrajectory(`is larger than ${mostBytes / 1e6} MB`)
    if (found.size > scratch.length) return readFileSync(descriptor, 'utf8')
    let read = 0
    for (let more = -1; more !== 0 && read < scratch.length; read += more)
      more = readSync(descriptor, scratch, read, scratch.length - read, null)
    return scratch.toString('utf8', 0, read)
  } finally {
    closeSync(descriptor)
  }
}

/** The trajectory in the text of a file; throws if there is none. */
function trajectoryIn(text: string, path: string): Trajectory {
  if (text.trim() === '') throw new UnreadableTrajectory('is empty')
  const data = parsePythonJson(text)
  if (!isJsonObject(data)) throw new UnreadableTrajectory('is not a trajectory: it contains no object')
  if (typeof data.schema_version === 'string' && data.schema_version.startsWith('ATIF-')) return atifIn(data, path)
  if (isSweAgent(data)) return readSweAgent(data, idOf(path))
  if (isMiniSweAgent(data)) return readMiniSweAgent(data, idOf(path))
  const known = 'SWE-agent, mini-swe-agent, ATIF v1'
  throw new UnreadableTrajectory(`is not a trajectory of a known format (${known}); its keys: ${keysOf(data)}`)
}

const keysOf = (data: object): string => {
  const keys = Object.keys(data)
  return keys.length === 0 ? 'none' : `${keys.slice(0, 8).join(', ')}${keys.length > 8 ? ', …' : ''}`
}

/** The name of a file is that of its instance. If the name says nothing, the folder's name is used. */
function idOf(path: string): string {
  const id = basename(path).replace(/\.traj(\.json)?$|\.?trajectory\.json$/i, '')
  return id === '' || id === 'mini-swe-agent' ? (taskOf(path) ?? folderName(path)) : id
}

/** A session's id says nothing about the task; Harbor stores the task's name next to it. */
function atifIn(data: object, path: string): Trajectory {
  const read = readAtif(data)
  if (read.recorded_by !== 'atif') return read
  const task = taskOf(path)
  if (task !== null) return { ...read, id: task }
  return read.id === '' ? { ...read, id: folderName(path) } : read
}

const folderName = (path: string): string => {
  const folder = dirname(path)
  return basename(basename(folder) === 'agent' ? dirname(folder) : folder)
}

/** Harbor: `<trial>/agent/trajectory.json` next to `<trial>/result.json`. */
function taskOf(path: string): string | null {
  if (basename(dirname(path)) !== 'agent') return null
  const trial = dirname(dirname(path))
  const text = readRegular(join(trial, 'result.json'))
  try {
    const result: unknown = JSON.parse(text ?? 'null')
    return isJsonObject(result) && typeof result.task_name === 'string' ? result.task_name : null
  } catch {
    return null
  }
}
