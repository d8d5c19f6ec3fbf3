import { journalVersion } from '../../record/read/activity.ts'
import type { Headline } from '../wire.ts'
import { inThread } from './in-thread.ts'
import { readJournal } from './read-journal.ts'

interface KnownHeadline {
  readonly version: string
  readonly headline: Promise<Headline>
}

/** The headline of each experiment, computed on request and kept until something changes. */
export class Headlines {
  readonly #root: string
  readonly #known = new Map<string, KnownHeadline>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(root: string) {
    this.#root = root
  }

  async of(dir: string): Promise<Headline> {
    const version = readJournal(dir, journalVersion)
    const known = this.#known.get(dir)
    if (known?.version === version) return known.headline
    // One after the other: a home page asks for all at once.
    const headline = this.#last.then(() => inThread('headline', this.#root, [dir]))
    this.#last = headline.catch(() => undefined)
    this.#known.set(dir, { version, headline })
    headline.catch(() => this.#known.delete(dir))
    return headline
  }
}
