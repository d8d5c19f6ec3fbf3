import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { systemCode } from '../../../util/errors.ts'
import { makeFolders } from '../../../util/files.ts'
import { isAlive, thisProcess } from '../../processes.ts'
import { removeFolder } from '../transfer/remove-folder.ts'

/**
 * The folder of that name in the cache, made by `make` if it is missing: once, however many processes request it at the
 * same moment. `make` gets a temporary folder, which is moved into place when it is complete.
 */
export async function cached(
  cacheDir: string,
  id: string,
  make: (folder: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<string> {
  const folder = join(cacheDir, id)
  for (let asked = making.get(folder); asked !== undefined; asked = making.get(folder)) {
    const made = await asked.made.catch((error: unknown) => {
      // Only the run that built it was asked to stop.
      if (asked?.signal?.aborted !== true) throw error
      if (making.get(folder) === asked) making.delete(folder)
      return null
    })
    signal?.throwIfAborted()
    if (made !== null) {
      touch(folder)
      return made
    }
  }
  // A failure is remembered too: the next run of the same task would wait for the same error.
  const made = makeOnce(cacheDir, folder, make, signal)
  making.set(folder, { made, signal })
  return made
}

const making = new Map<string, { readonly made: Promise<string>; readonly signal: AbortSignal | undefined }>()

async function makeOnce(
  cacheDir: string,
  folder: string,
  make: (folder: string) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<string> {
  makeFolders(cacheDir)
  const lock = `${folder}.lock`
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 1000)) {
    if (existsSync(folder)) {
      touch(folder)
      return folder
    }
    if (takeLock(lock)) break
    signal?.throwIfAborted()
    await sleep(pause)
  }
  const draft = `${folder}.${process.pid}.making`
  try {
    if (existsSync(folder)) return folder
    removeDrafts(cacheDir, folder)
    mkdirSync(draft)
    await make(draft)
    renameSync(draft, folder)
    return folder
  } finally {
    removeFolder(draft)
    rmSync(lock, { force: true })
  }
}

/** Including those of killed processes: only the process with the lock builds it. */
function removeDrafts(cacheDir: string, folder: string): void {
  for (const name of readdirSync(cacheDir))
    if (name.startsWith(`${basename(folder)}.`) && name.endsWith('.making')) removeFolder(join(cacheDir, name))
}

const identitySchema = z.lazy(() => z.object({ bootId: z.string(), pid: z.number(), startTime: z.string().nullable() }))

/** It contains its owner, so that a lock left by a crash is recognised. */
function takeLock(lock: string): boolean {
  const own = `${lock}.${process.pid}`
  writeFileSync(own, JSON.stringify(thisProcess()))
  try {
    // Complete from its first moment, unlike a file that is created and then written.
    linkSync(own, lock)
    return true
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
    if (!isHeld(lock)) giveUp(lock)
    return false
  } finally {
    unlinkSync(own)
  }
}

function isHeld(lock: string): boolean {
  try {
    const holder = identitySchema.safeParse(JSON.parse(readFileSync(lock, 'utf8')))
    return holder.success && isAlive(holder.data)
  } catch {
    return !existsSync(lock)
  }
}

/** Renamed first: of several processes that find it abandoned, one deletes it, and never a new one. */
function giveUp(lock: string): void {
  const aside = `${lock}.${process.pid}.old`
  try {
    renameSync(lock, aside)
    if (isHeld(aside)) linkSync(aside, lock)
    unlinkSync(aside)
  } catch {
    // Another process did it.
  }
}

function touch(folder: string): void {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch {
    // It is being made, or was removed.
  }
}

export interface PruneOptions {
  /** The most file systems that are kept. */
  readonly most: number
  readonly mostBytes: number
  /** Those used after this time are kept in any case: a box may be open over them. Milliseconds since 1970. */
  readonly usedSince: number
}

/** Deletes the built file systems that were not used for longest. The result names them. */
export function pruneBuilds(cacheDir: string, { most, mostBytes, usedSince }: PruneOptions): readonly string[] {
  const entries = foldersIn(cacheDir)
    .map(name => ({ name, used: statSync(join(cacheDir, name)).mtimeMs, bytes: bytesIn(join(cacheDir, name)) }))
    .sort((one, other) => other.used - one.used)
  let bytes = 0
  const removed = entries.filter((entry, index) => {
    bytes += entry.bytes
    return (
      (index >= most || bytes > mostBytes) &&
      entry.used < usedSince &&
      !existsSync(join(cacheDir, `${entry.name}.lock`))
    )
  })
  for (const { name } of removed) removeFolder(join(cacheDir, name))
  return removed.map(({ name }) => name)
}

const foldersIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter(entry => entry.isDirectory() && /^[0-9a-f]{32}$/.test(entry.name))
        .map(entry => entry.name)
    : []

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
}
