import { canonicalJson, type Json } from '../../util/json.ts'
import { slugOf } from '../../util/words.ts'

/** A level with the data that every run needs from it, computed once. */
export interface Level {
  readonly value: Json
  readonly json: string
  readonly slug: string
}

export const levelOf = (value: Json): Level => ({ value, json: canonicalJson(value), slug: slugOf(value) })
