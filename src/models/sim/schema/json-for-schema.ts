import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import type { Random } from '../../../util/random.ts'
import { SimRefused } from '../sim-refused.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { numberForSchema } from './number-for-schema.ts'
import { referred } from './pointer.ts'
import { textForSchema } from './text-for-schema.ts'
import { itemSchema, propertySchemas, requiredBy, violation } from './violation.ts'

/**
 * Some value that satisfies a whole JSON Schema. It is constructed keyword by keyword and then checked; keywords that
 * can't be constructed (`not`, `oneOf`, `if`) cause another draw. Throws SimRefused, with the reason, if nothing was
 * found.
 */
export function jsonForSchema(schema: Json, random: Random): Json {
  let reason = 'nothing satisfies it'
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const value = drawn(schema, { random, root: schema, attempt, depth: 0 })
      const found = violation(value, schema)
      if (found === null) return value
      reason = found
    } catch (error) {
      if (!(error instanceof SimRefused)) throw error
      reason = error.message
    }
  }
  throw new SimRefused(`no value was found for the schema: ${reason}`)
}

const attempts = 60
/** Below this depth only required parts are made, so that recursive schemas come to an end. */
const deep = 5
const tooDeep = 40

interface Drawing {
  readonly random: Random
  readonly root: Json
  readonly attempt: number
  readonly depth: number
}

function drawn(written: Json, drawing: Drawing): Json {
  if (written === true) return 'simulated'
  if (!isJsonObject(written)) throw new SimRefused('the schema allows nothing here')
  if (drawing.depth > tooDeep) throw new SimRefused('the schema contains itself without end')
  const schema = flattened(written, drawing)
  if (schema.const !== undefined) return schema.const
  const { random, root } = drawing
  if (Array.isArray(schema.enum)) {
    const { enum: choices, ...rest } = schema
    const fitting = choices.filter(choice => violation(choice, rest, root) === null)
    if (fitting.length === 0) throw new SimRefused('its enum has no value that satisfies the rest')
    return pick(fitting, random)
  }
  switch (typeFor(schema, drawing)) {
    case 'object':
      return objectFor(schema, drawing)
    case 'array':
      return listFor(schema, drawing)
    case 'integer':
      return numberForSchema(schema, true, random)
    case 'number':
      return numberForSchema(schema, false, random)
    case 'boolean':
      return random.next() < 0.5
    case 'null':
      return null
    default:
      return textForSchema(schema, random)
  }
}

/** References followed, `allOf` merged, one way of `anyOf`, `oneOf` and `if` chosen. */
function flattened(schema: JsonObject, drawing: Drawing, follows = 0): JsonObject {
  if (follows > 100) throw new SimRefused('the schema refers to itself without end')
  const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...rest } = schema
  const more: Json[] = []
  if (typeof $ref === 'string') more.push(referred($ref, drawing.root))
  if (Array.isArray(allOf)) more.push(...allOf)
  if (Array.isArray(anyOf)) more.push(chosen(anyOf, drawing))
  if (Array.isArray(oneOf)) more.push(chosen(oneOf, drawing))
  if (condition !== undefined)
    more.push(...(drawing.random.next() < 0.5 ? [condition, then ?? true] : [otherwise ?? true]))
  if (more.length === 0) return rest
  const merged = more.reduce<JsonObject>((sum, part) => {
    if (part === true) return sum
    if (!isJsonObject(part)) throw new SimRefused('the schema allows nothing here')
    return mergeSchemas(sum, part)
  }, rest)
  return flattened(merged, drawing, follows + 1)
}

function chosen(ways: readonly Json[], { random, depth }: Drawing): Json {
  const ending = ways.filter(way => !JSON.stringify(way).includes('"$ref"'))
  return pick(depth >= deep && ending.length > 0 ? ending : ways, random)
}

function typeFor(schema: JsonObject, { random, attempt, depth }: Drawing): Json {
  if (!Array.isArray(schema.type)) return schema.type ?? typeOfKeywords(schema)
  if (depth >= deep && schema.type.includes('null')) return 'null'
  return attempt === 0 ? (schema.type[0] ?? 'null') : pick(schema.type, random)
}

const keywordsOf: readonly (readonly [string, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'propertyNames']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'contains', 'uniqueItems']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

const typeOfKeywords = (schema: JsonObject): string =>
  keywordsOf.find(([, keywords]) => keywords.some(keyword => keyword in schema))?.[0] ?? 'string'

function objectFor(schema: JsonObject, drawing: Drawing): JsonObject {
  const value: Record<string, Json> = {}
  const add = (name: string): void => {
    // `__proto__` would otherwise not become a property.
    Object.defineProperty(value, name, {
      value: drawn(propertySchema(schema, name), { ...drawing, depth: drawing.depth + 1 }),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  for (const name of requiredBy(schema, [])) add(name)
  const most = typeof schema.maxProperties === 'number' ? schema.maxProperties : Number.POSITIVE_INFINITY
  const possible = Object.entries(isJsonObject(schema.properties) ? schema.properties : {})
  for (const [name, part] of possible) {
    const isWanted = drawing.depth < deep && drawing.attempt < attempts / 2 && part !== false
    if (isWanted && !Object.hasOwn(value, name) && Object.keys(value).length < most) add(name)
  }
  for (const name of requiredBy(schema, Object.keys(value))) if (!Object.hasOwn(value, name)) add(name)
  const least = typeof schema.minProperties === 'number' ? schema.minProperties : 0
  for (let extra = 1; Object.keys(value).length < least && extra <= least * 4 + possible.length; extra++) {
    const name = possible[extra - 1]?.[0] ?? extraName(schema, extra, drawing)
    if (!Object.hasOwn(value, name)) add(name)
  }
  return value
}

const propertySchema = (schema: JsonObject, name: string): Json => {
  const parts = propertySchemas(schema, name)
  return parts.length === 1 ? (parts[0] ?? true) : { allOf: parts }
}

/** A name for an additional property. */
function extraName(schema: JsonObject, extra: number, { random }: Drawing): string {
  const [pattern] = Object.keys(isJsonObject(schema.patternProperties) ? schema.patternProperties : {})
  if (pattern !== undefined) return textForSchema({ pattern }, random)
  return isJsonObject(schema.propertyNames) ? textForSchema(schema.propertyNames, random) : `extra_${extra}`
}

function listFor(schema: JsonObject, drawing: Drawing): readonly Json[] {
  const { random } = drawing
  const wanted = schema.contains === undefined ? 0 : typeof schema.minContains === 'number' ? schema.minContains : 1
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : Number.POSITIVE_INFINITY
  const given = typeof schema.minItems === 'number' ? schema.minItems : null
  const least = Math.max(given ?? (drawing.depth >= deep ? 0 : 1), wanted)
  const fixed = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0
  const isClosed = itemSchema(schema, fixed) === false
  const usual = isClosed ? Math.max(fixed, wanted) : Math.max(least, drawing.depth >= deep ? least : 3)
  const size = Math.min(most, isClosed ? usual : random.integer(Math.min(least, most), Math.min(usual, most)))
  const items: Json[] = []
  const deeper = { ...drawing, depth: drawing.depth + 1 }
  for (let index = 0; index < size; index++) {
    const part = itemSchema(schema, index)
    const isToContain = schema.contains !== undefined && index >= size - wanted
    items.push(another(isToContain ? { allOf: [part, schema.contains ?? true] } : part, items, schema, deeper))
  }
  return items
}

/** The next item: different from those before, if they must differ. */
function another(part: Json, before: readonly Json[], { uniqueItems }: JsonObject, drawing: Drawing): Json {
  const seen = new Set(uniqueItems === true ? before.map(canonicalJson) : [])
  for (let attempt = 0; attempt < attempts; attempt++) {
    const item = drawn(part, { ...drawing, attempt: drawing.attempt + attempt })
    if (!seen.has(canonicalJson(item))) return item
    // Texts of no special form are always the same, so they are numbered.
    const numbered = `${item}_${before.length}`
    if (
      typeof item === 'string' &&
      violation(numbered, part, drawing.root) === null &&
      !seen.has(JSON.stringify(numbered))
    )
      return numbered
  }
  throw new SimRefused(`uniqueItems: only ${before.length} different items were found`)
}

const pick = (choices: readonly Json[], random: Random): Json => choices[random.integer(0, choices.length - 1)] ?? null
