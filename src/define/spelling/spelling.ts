import { canonicalJson, type Json } from '../../util/json.ts'
import type { Naming, Spelling } from '../experiment.ts'

/** A parameter's value as one word on a command line: as the program that the dialect comes from would write it. */
export function spell(naming: Naming, parameter: string, value: Json): string {
  if (typeof value === 'string') return value
  const spelt = spellingOf(naming)[parameter]?.[canonicalJson(value)]
  return spelt ?? (typeof value === 'object' ? JSON.stringify(value) : String(value))
}

export const spellingOf = (naming: Naming): Spelling => ('spelling' in naming ? naming.spelling : {})
