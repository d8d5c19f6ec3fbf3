import { closeSync, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import { readSource } from '../../../define/source/read-source.ts'
import { AssayError, messageOf, systemCode } from '../../../util/errors.ts'

/** Nobody writes longer settings or instructions by hand; what is larger is there by mistake. */
const mostBytes = 16 * 2 ** 20

/** Settings as plain data that knows where each value is written. */
export type Settings = ReturnType<typeof readSource>

/** The folder of a task, what was found wrong in it, and what is worth saying about it. Names are relative to it. */
export class TaskFolder {
  readonly dir: string
  readonly problems: string[] = []
  readonly notes: string[] = []

  constructor(dir: string) {
    this.dir = resolve(dir)
  }

  get name(): string {
    return basename(this.dir)
  }

  path(...names: readonly string[]): string {
    return join(this.dir, ...names)
  }

  hasFile(name: string): boolean {
    return this.#kindOf(name) === 'file'
  }

  hasFolder(name: string): boolean {
    return this.#kindOf(name) === 'folder'
  }

  /** The text of a file, or null and a problem. */
  readText(name: string): string | null {
    const bytes = this.#attempt(() => this.#bytesOf(name))
    if (bytes === null) return null
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      this.problems.push(`${name}: is not UTF-8 text; save it as UTF-8`)
      return null
    }
  }

  /** Settings in TOML, YAML or JSON, or null and a problem. */
  readSettings(name: string): Settings | null {
    return this.#attempt(() => {
      // Refuses what is too large, or no file, before it is parsed.
      this.#bytesOf(name)
      return readSource(name, this.dir)
    })
  }

  #kindOf(name: string): 'file' | 'folder' | 'other' | null {
    try {
      const found = lstatSync(realpathSync(this.path(name)))
      return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
    } catch (error) {
      // Something is there, but a link leads in a circle or nowhere: reading it says so.
      if (systemCode(error) === 'ELOOP') return 'other'
      return null
    }
  }

  #bytesOf(name: string): Buffer {
    const refused = (what: string): AssayError => new AssayError('config', `${name}: ${what}`)
    let descriptor: number
    try {
      const real = realpathSync(this.path(name))
      if (!real.startsWith(`${realpathSync(this.dir)}${sep}`))
        throw refused('leads out of the task folder and is not read')
      if (!lstatSync(real).isFile()) throw refused('is not a regular file')
      descriptor = openSync(real, 'r')
    } catch (error) {
      if (error instanceof AssayError) throw error
      throw refused(reasonOf(error))
    }
    try {
      const { size } = fstatSync(descriptor)
      if (size > mostBytes)
        throw refused(`has ${Math.ceil(size / 2 ** 20)} MB; at most ${mostBytes / 2 ** 20} MB are read`)
      return readFileSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }

  #attempt<T>(read: () => T): T | null {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof AssayError)) throw error
      this.problems.push(...error.message.split('\n').filter(line => !line.startsWith('  ')))
      return null
    }
  }
}

function reasonOf(error: unknown): string {
  switch (systemCode(error)) {
    case 'ENOENT':
      return 'is missing'
    case 'ELOOP':
      return 'is a link that leads in a circle'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user'
    default:
      return `can't be read: ${messageOf(error)}`
  }
}
