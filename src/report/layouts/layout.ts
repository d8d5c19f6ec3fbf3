import type { Experiment } from '../../define/experiment.ts'
import type { RunRecord } from '../../define/observation.ts'
import type { Summary } from '../../define/outcome.ts'
import type { RunPlace } from '../../define/target.ts'
import type { LoggedEvent } from '../../record/journal/experiment-row.ts'

/**
 * The files of another program, as a projection of the journal: pure, so that the same journal gives the same bytes,
 * whichever process writes them and however often.
 */
export interface Layout {
  /** Files of a run that has ended; their paths start in its folder. */
  ofRun?(run: RunRecord, place: RunPlace): readonly FileText[]
  /** Files of the experiment; their paths start in its directory, or in one of `roots`. */
  ofExperiment(view: ExperimentView): readonly FileText[]
  /** Files that are only written when an engine has ended its work: those that take long to make. */
  atEnd?(view: ExperimentView): readonly FileText[]
  /** Runs whose folders are deleted, because all that is wanted of them is in the journal. */
  unwanted?(view: ExperimentView): readonly RunRecord[]
  /** Folders outside the experiment's directory, absolute, by a name for each: nothing else outside is ever written. */
  roots?(view: ExperimentView): Roots
  /** Names under which folders of runs are found elsewhere. */
  links?(view: ExperimentView): readonly FolderLink[]
  /** Experiments of the dialect that have such files; without it all have. */
  isFor?(experiment: Experiment): boolean
  /** Whether runs that have begun are shown, and not only those that have ended. */
  readonly showsRunning?: true
}

export interface Roots {
  readonly [name: string]: string
}

export interface FileText {
  readonly path: string
  readonly text: string
  /** One of `roots`; without it the experiment's directory, or the run's folder. */
  readonly root?: string
}

export interface FolderLink {
  /** One of `roots`, and the link's name there. */
  readonly root: string
  readonly path: string
  /** The folder it leads to, absolute; without that folder there is no link. */
  readonly to: string
}

/** An experiment as its journal has it at one moment. */
export interface ExperimentView {
  readonly experiment: Experiment
  readonly dir: string
  readonly summary: Summary
  /** All that were ever planned, whether or not they belong to the present plan; in the order they were planned. */
  readonly runs: readonly RunRecord[]
  /** What was decided when providers said that it was too much: `rate_cut`, `rate_wait`, `rate_regrown`. */
  readonly rates: readonly LoggedEvent[]
  /** Why the last call stopped before everything was done; null: it did not, or something was started since. */
  readonly stopped_by: string | null
}
