import { gzipSync } from 'node:zlib'
import { datasetVersion } from './dataset-version.ts'
import { liveDataset } from './live-dataset.ts'
import { readJournal } from './read-journal.ts'

/** Several readers of a few experiments; more would only fill the memory. */
const mostKept = 4

export interface PackedDataset {
  readonly version: string
  readonly gzipped: Uint8Array
}

/** Datasets, made when they are asked for and kept as long as nothing changes. */
export class Datasets {
  readonly #root: string
  readonly #kept = new Map<string, PackedDataset>()

  constructor(root: string) {
    this.#root = root
  }

  /** Which one it would be now: cheap. */
  version(dirs: readonly string[]): string {
    return dirs.map(dir => readJournal(dir, datasetVersion)).join('+')
  }

  of(dirs: readonly string[]): PackedDataset {
    const key = dirs.join('\n')
    // Before the data are read: should they change meanwhile, the next version is another.
    const version = this.version(dirs)
    const known = this.#kept.get(key)
    const dataset = known?.version === version ? known : this.#make(dirs, version)
    this.#kept.delete(key)
    this.#kept.set(key, dataset)
    for (const old of this.#kept.keys()) if (this.#kept.size > mostKept) this.#kept.delete(old)
    return dataset
  }

  #make(dirs: readonly string[], version: string): PackedDataset {
    return { version, gzipped: gzipSync(liveDataset(this.#root, dirs), { level: 1 }) }
  }
}
