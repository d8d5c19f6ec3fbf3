import type { Experiment } from '../../define/experiment.ts'
import type { RunRecord } from '../../define/observation.ts'
import type { Summary } from '../../define/outcome.ts'
import type { RunPlace } from '../../define/target.ts'
import type { LoggedEvent } from '../../record/journal/experiment-row.ts'

/**
 * The files of another program, as a projection of the journal: pure, so the same journal gives the same bytes,
 * whichever process writes them and however often.
 */
export interface Layout {
  /** Files of an ended run; their paths start in its folder. */
  ofRun?(run: RunRecord, place: RunPlace): readonly FileText[]
  /** Files of the experiment; their paths start in its directory, or in one of `roots`. */
  ofExperiment(view: ExperimentView): readonly FileText[]
  /** Files that take long to make, so they are only written when an engine has ended its work. */
  atEnd?(view: ExperimentView): readonly FileText[]
  /** Runs whose folders are deleted, because everything needed from them is in the journal. */
  unwanted?(view: ExperimentView): readonly RunRecord[]
  /** Named absolute folders outside the experiment's directory: nothing else outside is ever written. */
  roots?(view: ExperimentView): Roots
  /** Links to folders of runs, under other names elsewhere. */
  links?(view: ExperimentView): readonly FolderLink[]
  /** Which experiments of the dialect have such files; default: all. */
  isFor?(experiment: Experiment): boolean
  /** Whether running runs are shown too, not only ended ones. */
  readonly showsRunning?: true
}

export interface Roots {
  readonly [name: string]: string
}

export interface FileText {
  readonly path: string
  readonly text: string
  /** One of `roots`; default: the experiment's directory, or the run's folder. */
  readonly root?: string
}

export interface FolderLink {
  /** One of `roots`, with the link's name there. */
  readonly root: string
  readonly path: string
  /** The target folder, absolute; if it does not exist there is no link. */
  readonly to: string
}

/** An experiment as recorded in its journal at one moment. */
export interface ExperimentView {
  readonly experiment: Experiment
  readonly dir: string
  readonly summary: Summary
  /** All runs that were ever planned, whether or not they belong to the present plan; in the order of planning. */
  readonly runs: readonly RunRecord[]
  /** Decisions after complaints of providers: `rate_cut`, `rate_wait`, `rate_regrown`. */
  readonly rates: readonly LoggedEvent[]
  /** Why the last call stopped before everything was done; null: it did not, or something was started since. */
  readonly stopped_by: string | null
}
