import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { Random } from '../../util/random.ts'

/** Some value that satisfies a JSON Schema of the kind that models are given: objects, lists, enumerations, numbers, text. */
export function jsonForSchema(schema: Json, random: Random, root: Json = schema): Json {
  if (!isJsonObject(schema)) return null
  if ('const' in schema) return schema.const ?? null
  if (Array.isArray(schema.enum)) return pick(schema.enum, random)
  if (typeof schema.$ref === 'string') return jsonForSchema(referred(schema.$ref, root), random, root)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return jsonForSchema(pick(choices, random), random, root)
  if (Array.isArray(schema.allOf)) return jsonForSchema(merged(schema.allOf), random, root)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type ?? ('properties' in schema ? 'object' : 'string')) {
    case 'object':
      return objectFor(schema, random, root)
    case 'array':
      return listFor(schema, random, root)
    case 'integer':
      return random.integer(Math.ceil(limit(schema, 'low')), Math.floor(limit(schema, 'high')))
    case 'number':
      return Number((limit(schema, 'low') + random.next() * (limit(schema, 'high') - limit(schema, 'low'))).toFixed(3))
    case 'boolean':
      return random.next() < 0.5
    case 'null':
      return null
    default:
      return textFor(schema)
  }
}

function objectFor(schema: JsonObject, random: Random, root: Json): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, jsonForSchema(part, random, root)]))
}

function listFor(schema: JsonObject, random: Random, root: Json): readonly Json[] {
  const least = typeof schema.minItems === 'number' ? schema.minItems : 1
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : Math.max(least, 3)
  const size = random.integer(least, Math.max(least, most))
  return Array.from({ length: size }, () => jsonForSchema(schema.items ?? {}, random, root))
}

function limit(schema: JsonObject, side: 'low' | 'high'): number {
  const [at, beyond] = side === 'low' ? ['minimum', 'exclusiveMinimum'] : ['maximum', 'exclusiveMaximum']
  const step = schema.type === 'integer' ? 1 : 0.001
  const given = schema[at]
  if (typeof given === 'number') return given
  const past = schema[beyond]
  if (typeof past === 'number') return side === 'low' ? past + step : past - step
  return side === 'low' ? 0 : Math.max(10, limit(schema, 'low') + 10)
}

function textFor(schema: JsonObject): string {
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Number.POSITIVE_INFINITY
  return 'simulated'.padEnd(least, '.').slice(0, most)
}

function referred(reference: string, root: Json): Json {
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean)
  return steps.reduce<Json>((here, step) => (isJsonObject(here) ? (here[step] ?? null) : null), root)
}

const merged = (parts: readonly Json[]): JsonObject => Object.assign({}, ...parts.filter(isJsonObject))

const pick = (choices: readonly Json[], random: Random): Json => choices[random.integer(0, choices.length - 1)] ?? null
