import { isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import type { Unpriced } from './api.ts'

/** Arguments written by a model; invalid JSON is kept as it is. */
export function argumentsIn(text: string): JsonObject {
  if (text.trim() === '') return {}
  try {
    const parsed: Json = JSON.parse(text)
    return isJsonObject(parsed) ? parsed : { value: parsed }
  } catch {
    return { malformed: text }
  }
}

/** Faster and slower service have prices of their own, which no price table here knows. */
export function unpricedTier({ service_tier: tier }: JsonObject): Unpriced | null {
  if (tier === undefined || tier === null || listPrice.includes(String(tier))) return null
  return { param: 'service_tier', why: `"${tier}" is billed at another price than the list price` }
}

const listPrice = ['auto', 'default', 'standard', 'standard_only']
