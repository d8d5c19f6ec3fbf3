import { closeSync, openSync, readSync, type Stats, writeSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { messageOf, systemCode } from '../../../util/errors.ts'
import { makeFolders } from '../../../util/files.ts'
import type { CopiedOut, Left } from '../box.ts'
import type { SafeFolder } from './safe-folder.ts'

/** Copies the files at an absolute path below `root` to `to`: only regular files and folders, at most so many bytes. */
export function takeOut(root: SafeFolder, asked: string, to: string, mostBytes: number): CopiedOut {
  const path = posix.resolve('/', asked)
  const taking = new Taking(mostBytes)
  const folder = root.find(dirname(path))
  if (folder === null) return { files: 0, bytes: 0, left: [{ path, why: 'not there, or behind a link' }] }
  try {
    makeFolders(dirname(to))
    taking.take(folder, basename(path) === '' ? '.' : basename(path), path, to)
    return taking.result()
  } finally {
    folder.close()
  }
}

class Taking {
  readonly #left: Left[] = []
  #files = 0
  #bytes = 0
  readonly #mostBytes: number

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  result(): CopiedOut {
    return { files: this.#files, bytes: this.#bytes, left: this.#left }
  }

  take(folder: SafeFolder, name: string, path: string, to: string): void {
    try {
      const found = folder.look(name)
      if (found === undefined) this.#leave(path, 'not there')
      else if (found.isDirectory()) this.#takeFolder(folder, name, path, to)
      else if (found.isFile()) this.#takeFile(folder, name, path, to)
      else this.#leave(path, kindOf(found))
    } catch (error) {
      this.#leave(path, systemCode(error) === 'EACCES' ? 'may not be read' : messageOf(error))
    }
  }

  #takeFolder(parent: SafeFolder, name: string, path: string, to: string): void {
    const folder = parent.folder(name)
    if (folder === null) return void this.#leave(path, 'changed while it was copied')
    try {
      makeFolders(to)
      for (const child of folder.names()) {
        if (this.#left.length >= mostLeft) return
        this.take(folder, child, join(path, child), join(to, child))
      }
    } finally {
      folder.close()
    }
  }

  #takeFile(folder: SafeFolder, name: string, path: string, to: string): void {
    const file = folder.openFile(name)
    if (file === null) return void this.#leave(path, 'changed while it was copied')
    try {
      if (this.#bytes + file.size > this.#mostBytes) return void this.#leave(path, `too large (${file.size} bytes)`)
      this.#bytes += copyBytes(file.descriptor, to, file.size, file.mode & 0o755)
      this.#files += 1
    } finally {
      closeSync(file.descriptor)
    }
  }

  #leave(path: string, why: string): void {
    if (this.#left.length < mostLeft) this.#left.push({ path, why })
  }
}

// A box can make more of them than a person would read.
const mostLeft = 1000

export function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return 'a link'
  if (found.isFIFO()) return 'a pipe'
  if (found.isSocket()) return 'a socket'
  return 'a device'
}

/** No more than it had when it was opened, even if a process keeps writing to it. */
function copyBytes(from: number, to: string, size: number, mode: number): number {
  const target = openSync(to, 'w', mode | 0o600)
  const buffer = Buffer.alloc(Math.min(Math.max(size, 1), 1 << 20))
  let copied = 0
  try {
    while (copied < size) {
      const length = readSync(from, buffer, 0, Math.min(buffer.length, size - copied), copied)
      if (length === 0) break
      writeSync(target, buffer, 0, length)
      copied += length
    }
    return copied
  } finally {
    closeSync(target)
  }
}
