import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Operation } from './record.ts'

/** The possible states of a disk after unsynced writes. */
export type Loss = 'nothing' | 'all' | 'some'

interface Inode {
  readonly writes: Extract<Operation, { kind: 'write' | 'truncate' }>[]
  /** How many of them are on the disk for sure. */
  synced: number
}

/**
 * Creates a possible state of the disk after a power failure following that many operations. Synced writes are complete.
 * Of the others, a disk may have kept any, or a part of one, in whole sectors. Names (files made, renamed, linked, deleted)
 * are there up to some moment after the last sync, as file systems with a log keep them.
 */
export function afterPowerLoss(operations: readonly Operation[], { at, loss, random, from, to }: CrashPoint): void {
  const done = operations.slice(0, at)
  const lastSync = done.findLastIndex(({ kind }) => kind === 'sync')
  const lastName = loss === 'nothing' ? at : lastSync + 1 + Math.floor(random() * (at - lastSync))
  const now = namesAfter(done, done.length)
  const kept = namesAfter(done, loss === 'all' ? lastSync + 1 : lastName)
  mkdirSync(to, { recursive: true })
  for (const folder of kept.folders) mkdirSync(join(to, folder.slice(from.length)), { recursive: true })
  const written = new Map<number, string>()
  for (const [path, id] of kept.files) {
    const place = join(to, path.slice(from.length))
    mkdirSync(dirname(place), { recursive: true })
    const twin = written.get(id)
    if (twin !== undefined) linkSync(twin, place)
    else writeFileSync(place, contentOf(now.inodes[id], loss, random))
    written.set(id, place)
  }
}

export interface CrashPoint {
  readonly at: number
  readonly loss: Loss
  readonly random: () => number
  readonly from: string
  readonly to: string
}

/** Which names there are after the first operations, and all that was ever written to the files behind them. */
function namesAfter(operations: readonly Operation[], upTo: number) {
  const inodes: Inode[] = []
  let files = new Map<string, number>()
  const folders = new Set<string>()
  let keptFiles: Map<string, number> | null = upTo === 0 ? new Map() : null
  const keptFolders = new Set<string>()
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === 'said') continue
    const { kind, path } = operation
    const id = files.get(path)
    if (kind === 'mkdir') folders.add(path)
    else if (kind === 'create') files.set(path, inodes.push({ writes: [], synced: 0 }) - 1)
    else if (kind === 'unlink') files.delete(path)
    else if (kind === 'link' && id !== undefined) files.set(operation.to, id)
    else if (kind === 'rename' && id !== undefined) {
      files = new Map([...files].filter(([name]) => name !== path)).set(operation.to, id)
    }
    const inode = id === undefined ? undefined : inodes[id]
    if (inode !== undefined && (kind === 'write' || kind === 'truncate')) inode.writes.push(operation)
    if (inode !== undefined && kind === 'sync') inode.synced = inode.writes.length
    if (index + 1 === upTo) {
      keptFiles = new Map(files)
      for (const folder of folders) keptFolders.add(folder)
    }
  }
  return { inodes, files: keptFiles ?? files, folders: keptFiles === null ? folders : keptFolders }
}

const sector = 512

function contentOf(inode: Inode | undefined, loss: Loss, random: () => number): Buffer {
  let content = Buffer.alloc(0)
  for (const [index, operation] of (inode?.writes ?? []).entries()) {
    const isSafe = index < (inode?.synced ?? 0)
    if (!isSafe && (loss === 'all' || (loss === 'some' && random() < 0.5))) continue
    if (operation.kind === 'truncate') {
      content = Buffer.concat([
        content.subarray(0, operation.size),
        Buffer.alloc(Math.max(0, operation.size - content.length)),
      ])
      continue
    }
    const { bytes, at } = operation
    const isTorn = !isSafe && loss === 'some' && random() < 0.3
    const whole = isTorn ? bytes.subarray(0, Math.floor((random() * bytes.length) / sector) * sector) : bytes
    // The size of a file may be kept without its data, which then reads as zeros.
    const size = Math.max(content.length, at + (isTorn && random() < 0.5 ? bytes.length : whole.length))
    const larger = Buffer.alloc(size)
    content.copy(larger)
    whole.copy(larger, at)
    content = larger
  }
  return content
}
