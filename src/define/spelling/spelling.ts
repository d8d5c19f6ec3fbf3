import { canonicalJson, type Json } from '../../util/json.ts'
import type { Naming } from '../experiment.ts'

/** A parameter's value as one word on a command line: as the dialect's original would write it. */
export function spell(naming: Naming, parameter: string, value: Json): string {
  if (typeof value === 'string') return value
  if (naming.kind === 'matrix-json') {
    const spelling = naming.spelling[parameter]?.[canonicalJson(value)]
    if (spelling !== undefined) return spelling
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
