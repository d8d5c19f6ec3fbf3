import type { Experiment } from '../../define/experiment.ts'
import type { RunRecord } from '../../define/observation.ts'
import type { Summary } from '../../define/outcome.ts'
import type { RunPlace } from '../../define/target.ts'

/**
 * The files of another program, as a projection of the journal: pure, so that the same journal gives the same bytes,
 * whichever process writes them and however often.
 */
export interface Layout {
  /** Files of a run that has ended; their paths start in its folder. */
  ofRun?(run: RunRecord, place: RunPlace): readonly FileText[]
  /** Files of the experiment; their paths start in its directory. */
  ofExperiment(view: ExperimentView): readonly FileText[]
}

export interface FileText {
  readonly path: string
  readonly text: string
}

/** An experiment as its journal has it at one moment. */
export interface ExperimentView {
  readonly experiment: Experiment
  readonly dir: string
  readonly summary: Summary
  /** All that were ever planned, whether or not they belong to the present plan; in the order they were planned. */
  readonly runs: readonly RunRecord[]
}
