import { statSync } from 'node:fs'
import { journalFile } from '../../record/places.ts'
import type { Overview } from '../wire.ts'
import type { Experiments } from './experiments.ts'
import { overviewOf } from './overview.ts'

/** How old the list may be; more where reading it takes long, so that it never takes more than a tenth of the time. */
const freshMs = 900
const leastIdle = 10

interface Known {
  readonly overview: Overview
  readonly written: string
}

/** The list of all experiments, shared by all requests. A journal that was not written since is not read again. */
export class Overviews {
  readonly #experiments: Experiments
  #known: ReadonlyMap<string, Known> = new Map()
  #goodUntil = Number.NEGATIVE_INFINITY

  constructor(experiments: Experiments) {
    this.#experiments = experiments
  }

  all(): readonly Overview[] {
    const started = performance.now()
    if (started > this.#goodUntil) {
      this.#known = new Map([...this.#experiments.all()].map(([id, dir]) => [id, this.#look(id, dir)]))
      const ended = performance.now()
      this.#goodUntil = ended + Math.max(freshMs, leastIdle * (ended - started))
    }
    return [...this.#known.values()].map(({ overview }) => overview)
  }

  #look(id: string, dir: string): Known {
    const known = this.#known.get(id)
    const written = lastWritten(dir)
    // A process that works on it may die without writing anything.
    const isQuiet = known !== undefined && ('problem' in known.overview || quiet.includes(known.overview.state))
    if (isQuiet && known.written === written) return known
    return { overview: overviewOf(id, dir), written }
  }
}

const quiet: readonly string[] = ['complete', 'partial']

/** New rows are in the log next to the database until it is folded in. */
const lastWritten = (dir: string): string =>
  ['', '-wal']
    .map(ending => statSync(`${journalFile(dir)}${ending}`, { throwIfNoEntry: false }))
    .map(found => (found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`))
    .join()
