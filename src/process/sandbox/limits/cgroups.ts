import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from '../../../util/hash.ts'
import { type Hierarchies, readHierarchies } from './hierarchies.ts'

/** A limit that the kernel keeps for all processes of a box together. */
export interface Group {
  /** A process joins by writing its number, or 0 for itself, to each of them. */
  readonly joinFiles: readonly string[]
  /** How often the kernel killed a process because memory ran out, and refused to start a new one. */
  counts(): Counts
  /** Resolves when the group is gone; its remaining processes are killed. */
  remove(): Promise<void>
}

export interface Counts {
  readonly memory: number
  readonly processes: number
}

export interface GroupLimits {
  readonly memoryMb: number | null
  readonly pids: number | null
}

/** What control groups can limit here, actually tried. */
export interface Groups {
  readonly memory: boolean
  readonly pids: boolean
  /** null: none of the limits is wanted, or none can be kept. */
  make(token: string, limits: GroupLimits): Group | null
}

export function findGroups(hierarchies: Hierarchies = readHierarchies()): Groups {
  const { memory, pids } = hierarchies
  let made = 0
  return {
    memory: memory !== null,
    pids: pids !== null,
    make(token, limits) {
      const name = `${prefixOf(token)}${process.pid}-${made++}`
      const folders = new Map<string, Record<string, string>>()
      const want = (parent: string | null, files: Record<string, string>) => {
        if (parent !== null) folders.set(parent, { ...folders.get(parent), ...files })
      }
      if (limits.memoryMb !== null) want(memory, memoryFiles(hierarchies.version, limits.memoryMb))
      // Also without a limit: where processes are counted they can be kept from forking while they are ended.
      if (limits.pids !== null || folders.size > 0) want(pids, { 'pids.max': String(limits.pids ?? 'max') })
      return folders.size === 0 ? null : makeGroup(name, folders)
    },
  }
}

function memoryFiles(version: 1 | 2, memoryMb: number): Record<string, string> {
  const bytes = String(Math.ceil(memoryMb * 1024 * 1024))
  return version === 1
    ? { 'memory.limit_in_bytes': bytes, 'memory.memsw.limit_in_bytes': bytes }
    : { 'memory.max': bytes, 'memory.swap.max': '0' }
}

// Only exists if the kernel was configured to count swap.
const optional = new Set(['memory.memsw.limit_in_bytes', 'memory.swap.max'])

function makeGroup(name: string, folders: ReadonlyMap<string, Record<string, string>>): Group {
  const made: string[] = []
  for (const [parent, files] of folders) {
    const folder = join(parent, name)
    mkdirSync(folder)
    made.push(folder)
    for (const [file, value] of Object.entries(files))
      try {
        writeFileSync(join(folder, file), value)
      } catch (error) {
        if (!optional.has(file)) throw error
      }
  }
  return {
    joinFiles: made.map(folder => join(folder, 'cgroup.procs')),
    counts: () => ({
      memory: Math.max(...made.map(folder => count(folder, ['memory.oom_control', 'memory.events'], 'oom_kill'))),
      processes: Math.max(...made.map(folder => count(folder, ['pids.events'], 'max'))),
    }),
    remove: () => removeAll(made),
  }
}

function count(folder: string, files: readonly string[], key: string): number {
  for (const file of files) {
    const found = new RegExp(`^${key} (\\d+)$`, 'm').exec(read(join(folder, file)))
    if (found !== null) return Number(found[1])
  }
  return 0
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Removes the groups that a crashed assay left for these attempts. */
export async function removeGroups(tokens: readonly string[], hierarchies = readHierarchies()): Promise<void> {
  const prefixes = tokens.map(prefixOf)
  await removeAll(hierarchies.roots.flatMap(root => [...namedGroups(root, prefixes, deepest)]))
}

const prefixOf = (token: string): string => `assay-${sha256(token).slice(0, 16)}-`

// The session that crashed may have lived in another group than this one, so the search starts at the top.
const deepest = 6

function* namedGroups(folder: string, prefixes: readonly string[], depth: number): Generator<string> {
  for (const name of foldersIn(folder)) {
    const path = join(folder, name)
    if (prefixes.some(prefix => name.startsWith(prefix))) yield path
    else if (depth > 0) yield* namedGroups(path, prefixes, depth - 1)
  }
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name)
  } catch {
    return []
  }
}

/** In version 1 a process is in a group of each hierarchy, and only one of them keeps it from forking on. */
async function removeAll(folders: readonly string[]): Promise<void> {
  for (const folder of folders) endForks(folder)
  for (const folder of folders) await removeGroup(folder)
}

/**
 * A program that forks and ends, again and again, is never where the last listing saw it. Version 2 kills a whole group
 * at once (since Linux 5.14). Otherwise its processes are kept from forking: then each stays where it was seen, as if
 * the group were frozen, but can still be killed.
 */
function endForks(folder: string): void {
  if (!write(join(folder, 'cgroup.kill'), '1')) write(join(folder, 'pids.max'), '0')
}

/** Whether there is such a file and the kernel took it. */
function write(file: string, value: string): boolean {
  try {
    writeFileSync(file, value, { flag: 'r+' })
    return true
  } catch {
    return false
  }
}

/** The kernel refuses while a process is in the group, even one that is just ending. */
async function removeGroup(folder: string): Promise<void> {
  const until = performance.now() + longestMs
  for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
    try {
      rmdirSync(folder)
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EBUSY') || performance.now() > until) return
    }
    // A process that was just being started may have joined since.
    endForks(folder)
    for (const pid of read(join(folder, 'cgroup.procs')).split('\n').filter(Boolean)) kill(Number(pid))
    await sleep(pause)
  }
}

const longestMs = 10_000

function kill(pid: number): void {
  try {
    // 0 is a process that can't be seen from here.
    if (pid > 0 && pid !== process.pid) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
