import type { Control } from '../record/journal/experiment-row.ts'
import type { JsonObject } from '../util/json.ts'

/** What may be done to an experiment from outside: the same that the command line does. */
export interface Controls {
  /** Asks everyone who works on it, and says who that is. */
  control(dir: string, wanted: Control): readonly { readonly kind: string; readonly pid: number }[]
  /** `jobs=4`, `budget_usd=30`: as `assay set` reads them. */
  setLimits(dir: string, changes: readonly string[]): JsonObject
}
