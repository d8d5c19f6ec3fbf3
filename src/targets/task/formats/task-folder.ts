import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import { readSource } from '../../../define/read-files.ts'
import { AssayError, messageOf, systemCode } from '../../../util/errors.ts'

/** Nobody writes longer settings or instructions by hand; a larger file is there by mistake. */
const mostBytes = 16 * 2 ** 20

/** Settings as plain data that knows where each value is written. */
export type Settings = ReturnType<typeof readSource>

/** The folder of a task, its problems, and notes about it. Names are relative to it. */
export class TaskFolder {
  readonly dir: string
  readonly problems: string[] = []
  readonly notes: string[] = []
  #real: string | null = null

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
    return this.#found(name)?.isFile() === true
  }

  /** A folder that is a link to somewhere else is a problem: it would be copied into a box. */
  hasFolder(name: string): boolean {
    if (this.#found(name)?.isDirectory() !== true) return false
    const problem = `${name}: leads out of the task folder and is not read`
    if (!this.#isInside(realpathSync.native(this.path(name))) && !this.problems.includes(problem))
      this.problems.push(problem)
    return true
  }

  /** The text of a file, or null and a problem. */
  readText(name: string): string | null {
    const bytes = this.#attempt(() => readFileSync(this.#readable(name)))
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
      this.#readable(name)
      return readSource(name, this.dir)
    })
  }

  #found(name: string): Stats | undefined {
    try {
      return statSync(this.path(name), { throwIfNoEntry: false })
    } catch {
      // A circular link is neither file nor folder; code that needs the file reports the problem.
      return undefined
    }
  }

  #isInside(path: string): boolean {
    this.#real ??= realpathSync.native(this.dir)
    return path.startsWith(`${this.#real}${sep}`)
  }

  /** The path of a regular file in the folder that is not too large; refuses all others before anything is read. */
  #readable(name: string): string {
    const refused = (what: string): AssayError => new AssayError('config', `${name}: ${what}`)
    try {
      const real = realpathSync.native(this.path(name))
      if (!this.#isInside(real)) throw refused('leads out of the task folder and is not read')
      const found = statSync(real)
      if (!found.isFile()) throw refused('is not a regular file')
      const megabytes = 2 ** 20
      if (found.size > mostBytes)
        throw refused(`has ${Math.ceil(found.size / megabytes)} MB; at most ${mostBytes / megabytes} MB are read`)
      return real
    } catch (error) {
      if (error instanceof AssayError) throw error
      throw refused(reasonOf(error))
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
