import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { experimentsUnder } from '../../record/places.ts'
import { AssayError } from '../../util/errors.ts'

/** How long a list of folders is good for. */
const freshMs = 1000

/**
 * The experiments under a root, each by its path from there. A request names one of these or nothing: no path of a
 * request is ever opened.
 */
export class Experiments {
  readonly root: string
  #known: ReadonlyMap<string, string> = new Map()
  #readAt = Number.NEGATIVE_INFINITY

  constructor(root: string) {
    this.root = realpathSync(root)
  }

  /** By id, in the order of their names. */
  all(now = performance.now()): ReadonlyMap<string, string> {
    if (now - this.#readAt > freshMs) {
      this.#known = new Map(experimentsUnder(this.root).map(dir => [relative(this.root, dir) || '.', dir]))
      this.#readAt = performance.now()
    }
    return this.#known
  }

  /** Its directory. */
  directory(id: string): string {
    const dir = this.#known.get(id) ?? this.all().get(id)
    if (dir === undefined) throw new AssayError('not_found', `there is no experiment ${JSON.stringify(id)} here`)
    return dir
  }
}
