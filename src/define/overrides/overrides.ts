import type { HaltRule, Order, Rates } from '../experiment.ts'

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
  readonly budget_usd?: number | string | undefined
  readonly run_budget_usd?: number | string | undefined
  readonly run_calls?: number | string | undefined
  readonly run_tokens?: number | string | undefined
  /** Of the providers named here; the others keep theirs. */
  readonly rate?: Rates | undefined
  readonly fail_on_rate_limit?: boolean | undefined
  readonly halt?: HaltRule | number | string | undefined
  readonly order?: Order | string | undefined
}
