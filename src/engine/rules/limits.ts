import type { Limits } from '../../define/experiment.ts'
import type { JsonObject } from '../../util/json.ts'

/** The limits in force: those of the configuration, with what `assay set` laid over them. */
export function limitsInForce(configured: Limits, set: JsonObject): Limits {
  return { ...configured, ...set }
}
