import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { systemCode } from '../../../util/errors.ts'

/**
 * An open folder whose content a hostile process may change at any moment. Names are looked up from the open folder,
 * one at a time, and no link is followed: even if the content is replaced meanwhile, nothing outside is reached.
 */
export class SafeFolder {
  readonly #descriptor: number

  private constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  /** A folder that is trusted up to its last name. null: it is missing, or no folder. */
  static open(path: string): SafeFolder | null {
    try {
      return new SafeFolder(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW))
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return null
      throw error
    }
  }

  /** The folder at an absolute path below this one; null: there is none without following a link. */
  find(path: string): SafeFolder | null {
    let folder: SafeFolder | null = this
    for (const name of path.split('/').filter(Boolean)) {
      const next: SafeFolder | null = folder.folder(name)
      if (folder !== this) folder.close()
      if (next === null) return null
      folder = next
    }
    return folder === this ? this.folder('.') : folder
  }

  /** The same, created if it is missing; a link or file on the path is replaced. */
  make(path: string): SafeFolder {
    const [name, ...rest] = path.split('/').filter(Boolean)
    if (name === undefined) return this.folder('.') ?? this
    let next = this.folder(name)
    if (next === null) {
      this.#clear(name)
      mkdirSync(this.#at(name), { mode: 0o755 })
      next = this.folder(name)
    }
    if (next === null) throw new Error(`${path} can't be made: it is repeatedly replaced by something else`)
    if (rest.length === 0) return next
    try {
      return next.make(rest.join('/'))
    } finally {
      next.close()
    }
  }

  folder(name: string): SafeFolder | null {
    return SafeFolder.open(this.#at(name))
  }

  names(): readonly string[] {
    return readdirSync(this.#at('.'))
  }

  /** undefined: there is nothing of that name. */
  look(name: string): Stats | undefined {
    return lstatSync(this.#at(name), { throwIfNoEntry: false })
  }

  link(name: string): string {
    return readlinkSync(this.#at(name))
  }

  /** A regular file for reading; null: it is something else by now. */
  openFile(name: string): { readonly descriptor: number; readonly size: number; readonly mode: number } | null {
    // Opening a pipe for reading would wait for a writer without O_NONBLOCK.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    let descriptor: number
    try {
      descriptor = openSync(this.#at(name), flags)
    } catch (error) {
      if (['ENOENT', 'ELOOP', 'ENXIO'].includes(systemCode(error) ?? '')) return null
      throw error
    }
    const found = fstatSync(descriptor)
    if (found.isFile()) return { descriptor, size: found.size, mode: found.mode }
    closeSync(descriptor)
    return null
  }

  /** A new file for writing, replacing any file with this name. */
  createFile(name: string, mode: number): number {
    this.#clear(name)
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
    return openSync(this.#at(name), flags, mode)
  }

  createLink(name: string, target: string): void {
    this.#clear(name)
    symlinkSync(target, this.#at(name))
  }

  /** Deleting a folder means to go through it, and a link could come in the way: so it is only renamed. */
  #clear(name: string): void {
    const found = this.look(name)
    if (found?.isDirectory()) renameSync(this.#at(name), this.#at(`.replaced-${randomUUID()}`))
    else if (found !== undefined) unlinkSync(this.#at(name))
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #at(name: string): string {
    if (name.includes('/') || name === '..' || name === '') throw new Error(`${name} is no name in a folder`)
    return `/proc/self/fd/${this.#descriptor}/${name}`
  }
}
