import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recur } from '../../../util/system-clock.ts'

export interface Watched {
  /** The box's own /proc. */
  readonly procFolder: string
  /** Folders of the host with the box's writes. */
  readonly written: readonly string[]
  /** Existing files do not count. */
  readonly freshStorage: boolean
}

/** Ends an exec when a limit is reached that the kernel does not keep for the whole box. */
export interface Alarm {
  readonly signal: AbortSignal
  /** Why it was ended. */
  reached(): 'memory' | 'storage' | null
  /** Whether the storage is full now: the files that fill it may have filled the memory first, which counts their pages. */
  isFull(): boolean
  /** Whether almost as many processes as are allowed were seen. The kernel refuses more, and does not count how often. */
  wasFull(): boolean
  stop(): void
}

interface Watchable {
  readonly memoryMb: number | null
  readonly storageMb: number | null
  readonly pids: number | null
}

/**
 * Memory: only if there is no control group; a single process can't exceed its own limit anyway, this adds them up.
 * Storage: disk usage of the written files, measured less often the longer that takes.
 */
export function watchBox(
  { procFolder, written, freshStorage }: Watched,
  { memoryMb, storageMb, pids }: Watchable,
): Alarm {
  const usedBefore = storageMb !== null && freshStorage ? usedIn(written, Number.POSITIVE_INFINITY) : 0
  const controller = new AbortController()
  let reached: 'memory' | 'storage' | null = null
  const raise = (what: 'memory' | 'storage') => {
    reached ??= what
    controller.abort()
  }
  const isFull = (): boolean => storageMb !== null && isOver(written, usedBefore + storageMb * mebi)
  let wasFull = false
  const countProcesses = (most: number) => {
    wasFull ||= namesIn(procFolder).filter(isPid).length >= most * 0.9
  }
  const watches = [
    ...(pids === null ? [] : [() => countProcesses(pids)]),
    ...(memoryMb === null ? [] : [() => residentBytes(procFolder) > memoryMb * mebi && raise('memory')]),
    ...(storageMb === null ? [] : [() => isFull() && raise('storage')]),
  ]
  const cancels = watches.map(look =>
    recur(firstMs, () => {
      const started = performance.now()
      look()
      return Math.max(intervalMs, (performance.now() - started) * leastIdle)
    }),
  )
  return {
    signal: controller.signal,
    reached: () => reached,
    isFull,
    wasFull: () => wasFull,
    stop: () => {
      if (pids !== null) countProcesses(pids)
      for (const cancel of cancels) cancel()
    },
  }
}

const mebi = 1024 * 1024
const firstMs = 100
const intervalMs = 250
// At most about 3% of a core goes into looking.
const leastIdle = 30
const pageBytes = 4096

const isPid = (name: string): boolean => /^\d+$/.test(name)

/** Memory that no file and no other process shares. */
function residentBytes(procFolder: string): number {
  let bytes = 0
  for (const name of namesIn(procFolder)) {
    if (!isPid(name)) continue
    const [, resident = 0, shared = 0] = readStatm(join(procFolder, name, 'statm'))
    bytes += (resident - shared) * pageBytes
  }
  return bytes
}

function readStatm(file: string): readonly number[] {
  try {
    return readFileSync(file, 'latin1').split(' ').map(Number)
  } catch {
    return []
  }
}

const isOver = (folders: readonly string[], most: number): boolean => usedIn(folders, most) > most

function usedIn(folders: readonly string[], enough: number): number {
  let bytes = 0
  for (const folder of folders) bytes += usedBytes(folder, enough - bytes)
  return bytes
}

/** Disk blocks, not lengths: a sparse file counts as small as it is. Stops counting beyond the limit. */
function usedBytes(folder: string, enough: number): number {
  let bytes = 0
  for (const name of namesIn(folder)) {
    const found = statsOf(join(folder, name))
    bytes += (found?.blocks ?? 0) * 512
    if (found?.isDirectory() && bytes <= enough) bytes += usedBytes(join(folder, name), enough - bytes)
    if (bytes > enough) return bytes
  }
  return bytes
}

function statsOf(path: string) {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
