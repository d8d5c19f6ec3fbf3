import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, sep } from 'node:path'
import { AssayError, messageOf, systemCode } from './errors.ts'

/** A file that a run wrote, opened for reading; `missing`, or why it is not read. */
type Opened = { readonly descriptor: number; readonly size: number } | { readonly problem: string } | 'missing'

/**
 * Opens a file only if it is a regular one inside `folder`: reading a pipe would wait for a writer that never comes,
 * a device never ends, and a link could lead to files of other users. Nothing here can wait.
 */
export function openRegular(file: string, folder = dirname(file)): Opened {
  let descriptor: number | undefined
  try {
    const inside = `${realpathSync(folder)}${sep}`
    if (!realpathSync(file).startsWith(inside))
      return { problem: 'leads out of the folder of the run and was not read' }
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const found = fstatSync(descriptor)
    if (!found.isFile()) return { problem: 'is not a regular file and was not read' }
    const opened = { descriptor, size: found.size }
    descriptor = undefined
    return opened
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'missing'
    throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The text of such a file; null where there is none. */
export function readRegular(file: string): string | null {
  return usingRegular(file, descriptor => readFileSync(descriptor, 'utf8'))
}

/** The end of such a file, at most so many bytes, and the size of the whole file; null if there is none. */
export function readEndOf(
  file: string,
  most: number,
  folder = dirname(file),
): { readonly end: Buffer; readonly size: number } | null {
  const read = (descriptor: number, size: number) => {
    const from = Math.max(0, size - most)
    return { end: bytesIn(descriptor, from, size - from), size }
  }
  return usingRegular(file, read, folder)
}

/** Its beginning, likewise. */
export function readStartOf(
  file: string,
  most: number,
  folder = dirname(file),
): { readonly start: Buffer; readonly size: number } | null {
  const read = (descriptor: number, size: number) => ({ start: bytesIn(descriptor, 0, Math.min(most, size)), size })
  return usingRegular(file, read, folder)
}

function bytesIn(descriptor: number, from: number, count: number): Buffer {
  const bytes = Buffer.alloc(count)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, count, from))
}

function usingRegular<T>(file: string, use: (descriptor: number, size: number) => T, folder = dirname(file)): T | null {
  let opened: Opened
  try {
    opened = openRegular(file, folder)
  } catch {
    return null
  }
  if (opened === 'missing' || 'problem' in opened) return null
  try {
    return use(opened.descriptor, opened.size)
  } finally {
    closeSync(opened.descriptor)
  }
}

/** Like mkdir -p. Node's own never returns where nothing can be made (/proc), and hides the reason on a read-only disk. */
export function makeFolders(folder: string): void {
  if (existsSync(folder)) return
  makeFolders(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

/** Writes a file completely or not at all: a reader would take a half-written file for a shorter one. */
export function writeWhole(file: string, content: string | Uint8Array | Iterable<string>): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new AssayError('cannot_write', `can't write ${file}: it is a folder`, { hint: 'name a file in it' })
  try {
    makeFolders(dirname(file))
    // Two processes may write the same file: each has a draft of its own.
    const draft = `${file}.${process.pid}.tmp`
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(draft, content)
    else writePieces(draft, content)
    renameSync(draft, file)
  } catch (error) {
    if (error instanceof AssayError) throw error
    throw new AssayError('cannot_write', `can't write ${file}: ${messageOf(error)}`, {
      cause: error,
      hint: 'Name a file in a place of your own; --help shows with which option.',
    })
  }
}

/** Replaces the file with a new one, for folders that programs in a box write to: a link with that name is not followed. */
export function writeAfresh(file: string, text: string): void {
  rmSync(file, { recursive: true, force: true })
  writeFileSync(file, text, { flag: 'wx' })
}

/** For appending to a file that a program may have replaced: opening a pipe would wait, and a link leads elsewhere. */
export const appendFlags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Appends to a regular file; makes it if it does not exist. */
export function appendRegular(file: string, content: string | Uint8Array): void {
  const descriptor = openSync(file, appendFlags)
  try {
    if (!fstatSync(descriptor).isFile()) throw new AssayError('cannot_write', `${file} is not a regular file`)
    writeFileSync(descriptor, content)
  } finally {
    closeSync(descriptor)
  }
}

/** Writes the pieces in order; if making one of them fails, deletes the incomplete file. */
function writePieces(file: string, pieces: Iterable<string>): void {
  const descriptor = openSync(file, 'w')
  try {
    for (const piece of pieces) writeFileSync(descriptor, piece)
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** The name of a file system that several machines may see, by the type that `statfs` gives; undefined: it is a local one. */
export const networkFileSystem = (type: number): string | undefined =>
  // Some platforms give the 32 bits as a negative number.
  networkFileSystems[type >>> 0]

/** From linux/magic.h and the clients' own sources: file systems on which SQLite's locks can't be trusted between machines. */
const networkFileSystems: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  16914839: '9p',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1196443219: 'GPFS',
  428016422: 'BeeGFS',
  1397113167: 'AFS',
}
