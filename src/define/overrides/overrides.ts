import type { HaltRule, Order } from '../experiment.ts'

/** What the command line changes about a configuration. Text is read as if it stood in the file. */
export interface Overrides {
  /** `a.b=1,2`, as given to `--set`. */
  readonly set?: readonly string[] | undefined
  readonly name?: string | undefined
  /** Relative to the working directory. */
  readonly out_root?: string | undefined
  readonly jobs?: number | string | undefined
  readonly seeds?: readonly number[] | string | undefined
  /** `30m`; a plain number is seconds. */
  readonly timeout?: number | string | undefined
  readonly timeout_ms?: number | undefined
  readonly retries?: number | string | undefined
  readonly budget_usd?: number | string | undefined
  readonly run_budget_usd?: number | string | undefined
  readonly halt?: HaltRule | number | string | undefined
  readonly order?: Order | string | undefined
}
