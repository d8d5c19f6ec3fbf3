import type { Order } from '../experiment.ts'
import type { GivenLimits } from '../limits.ts'

/** What the command line changes in a configuration. Text is read as if it were in the file. */
export interface Overrides {
  /** `a.b=1,2`, as given to `--set`. */
  readonly set?: readonly string[] | undefined
  readonly name?: string | undefined
  /** Relative to the working directory. */
  readonly out_root?: string | undefined
  readonly seeds?: readonly number[] | string | undefined
  readonly limits?: GivenLimits | undefined
  readonly order?: Order | string | undefined
  /** A file with settings of models, relative to the working directory. */
  readonly models?: string | undefined
  /** Task folders or a file of instances, relative to the working directory. */
  readonly instances?: string | undefined
  /** `RUN:TURN`: continues from this turn of a run. */
  readonly branch_from?: string | undefined
}
