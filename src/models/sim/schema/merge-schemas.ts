import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import { SimRefused } from '../sim-refused.ts'

/** A schema for values that satisfy both; parts that can't be combined stay next to each other in `allOf`. */
export function mergeSchemas(a: JsonObject, b: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...a }
  const aside: Json[] = []
  for (const [keyword, second] of Object.entries(b)) {
    const first = merged[keyword]
    if (first === undefined || canonicalJson(first) === canonicalJson(second)) merged[keyword] = second
    else {
      const both = mergers[keyword]?.(first, second) ?? null
      if (both === null) aside.push({ [keyword]: second })
      else merged[keyword] = both
    }
  }
  if (aside.length === 0) return merged
  return { ...merged, allOf: [...(Array.isArray(merged.allOf) ? merged.allOf : []), ...aside] }
}

type Merger = (a: Json, b: Json) => Json | null

const larger: Merger = (a, b) => Math.max(Number(a), Number(b))
const smaller: Merger = (a, b) => Math.min(Number(a), Number(b))
const union: Merger = (a, b) => [...new Set([a, b].flat())]
const first: Merger = a => a

const mergers: { readonly [keyword: string]: Merger } = {
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  required: union,
  title: first,
  description: first,
  default: first,
  examples: first,
  $schema: first,
  $id: first,
  $comment: first,
  type: bothTypes,
  enum: (a, b) => {
    const second = new Set([b].flat().map(canonicalJson))
    return [a].flat().filter(one => second.has(canonicalJson(one)))
  },
  items: bothSchemas,
  propertyNames: bothSchemas,
  additionalProperties: bothSchemas,
  properties: (a, b) => {
    if (!isJsonObject(a) || !isJsonObject(b)) return null
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    return Object.fromEntries(names.map(name => [name, bothSchemas(a[name] ?? true, b[name] ?? true)]))
  },
}

function bothTypes(a: Json, b: Json): Json {
  const [left, right] = [[a].flat(), [b].flat()]
  const common = left.filter(type => right.includes(type))
  if (left.includes('integer') && right.includes('number')) common.push('integer')
  if (left.includes('number') && right.includes('integer')) common.push('integer')
  if (common.length === 0) throw new SimRefused(`no value is both ${left.join(' or ')} and ${right.join(' or ')}`)
  return [...new Set(common)]
}

function bothSchemas(a: Json, b: Json): Json {
  if (a === true) return b
  if (b === true) return a
  return isJsonObject(a) && isJsonObject(b) ? mergeSchemas(a, b) : false
}
