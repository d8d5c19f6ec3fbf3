import type { JsonObject } from '../../util/json.ts'

/** One choice of level for every factor that applies. */
export interface Variant {
  readonly params: JsonObject
  readonly ablation: string | null
  readonly flags: readonly string[]
  /** The canonical JSON of `params`. */
  readonly paramsJson: string
  /** The levels that vary, as part of a name. */
  readonly slug: string
}
