import type { Json } from '../../util/json.ts'

/** Something that varies, and what its levels are compared with. */
export interface EffectFactor {
  readonly name: string
  readonly levels: readonly Json[]
  readonly baseline: Json
  readonly baselineIndex: number
}
