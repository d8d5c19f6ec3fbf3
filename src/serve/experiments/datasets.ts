import { journalVersion, runsEver } from '../../record/read/activity.ts'
import { inThread } from './in-thread.ts'
import { gzippedDataset } from './live-answers.ts'
import { readJournal } from './read-journal.ts'

/** Several readers of a few experiments; more would only fill the memory. */
const mostKept = 4

/** From this many runs on, starting a thread takes less time than others would wait. */
const manyRuns = 3000

interface PackedDataset {
  readonly version: string
  readonly gzipped: Promise<Uint8Array>
}

/** Datasets, made on request and kept until something changes. */
export class Datasets {
  readonly #root: string
  readonly #kept = new Map<string, PackedDataset>()

  constructor(root: string) {
    this.#root = root
  }

  async of(dirs: readonly string[]): Promise<{ readonly version: string; readonly gzipped: Uint8Array }> {
    const key = dirs.join('\n')
    // Before the data are read: should they change meanwhile, the next version is another.
    const looked = dirs.map(dir =>
      readJournal(dir, journal => ({ version: journalVersion(journal), runs: runsEver(journal) })),
    )
    const version = looked.map(one => one.version).join('+')
    const runs = looked.reduce((sum, one) => sum + one.runs, 0)
    const known = this.#kept.get(key)
    const dataset = known?.version === version ? known : { version, gzipped: made(this.#root, dirs, runs) }
    this.#kept.delete(key)
    this.#kept.set(key, dataset)
    for (const old of this.#kept.keys()) if (this.#kept.size > mostKept) this.#kept.delete(old)
    try {
      return { version, gzipped: await dataset.gzipped }
    } catch (error) {
      if (this.#kept.get(key) === dataset) this.#kept.delete(key)
      throw error
    }
  }
}

const made = async (root: string, dirs: readonly string[], runs: number): Promise<Uint8Array> =>
  runs < manyRuns ? gzippedDataset(root, dirs) : inThread('dataset', root, dirs)
