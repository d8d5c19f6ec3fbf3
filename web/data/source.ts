import type { Dataset } from '../../src/report/dataset/dataset.ts'
import type { RunStory, RunTrajectory } from '../../src/report/dataset/turns.ts'
import type { Found } from '../../src/report/findings/findings.ts'
import type { View } from '../../src/report/findings/view.ts'
import type { OrReason } from '../../src/util/errors.ts'
import type { KnownRun } from '../runs/run-index.ts'

/** Where the app gets its data: from the page itself, or from a server. */
export interface Source {
  load(): Promise<Loaded>
}

export interface Loaded {
  readonly dataset: Dataset
  /** The same, still packed: for a worker. */
  readonly bytes: Uint8Array
  /** The script of the page, to start a worker with. */
  readonly script: string
  /** Findings of the default view, computed when the report was made. */
  readonly first: FirstFindings | null
  /** Where the runs' files are, as seen from the page; null: unknown. */
  readonly runsFolder: string | null
  /** Requests a run's output and model calls; null: the dataset is complete. */
  readonly wholeRun: ((known: KnownRun) => Promise<KnownRun>) | null
  /** Requests the turns of a run's agent from one on; null: likewise. */
  readonly moreTurns: ((known: KnownRun, from: number) => Promise<RunTrajectory>) | null
  /** The same for a run of a scenario. */
  readonly moreStory: ((known: KnownRun, from: number) => Promise<RunStory>) | null
}

export interface FirstFindings {
  readonly view: View
  readonly comparisons: OrReason<Found<'comparisons'>>
}
