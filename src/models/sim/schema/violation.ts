import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import { linearRegExp } from '../../../util/linear-regexp.ts'
import { SimRefused } from '../sim-refused.ts'
import { referred } from './pointer.ts'

/**
 * How a value violates a JSON Schema (2020-12, and the lists of draft 7): `/answers/0: expected at least 3`; null: it
 * does not. `format` is taken as a note, as the specification has it.
 */
export function violation(value: Json, schema: Json, root: Json = schema, path = ''): string | null {
  if (schema === true) return null
  if (!isJsonObject(schema)) return said(path, 'nothing is allowed here')
  const unknown = notUnderstood.find(keyword => keyword in schema)
  if (unknown !== undefined) throw new SimRefused(`${unknown}: simulated models do not understand this keyword`)
  for (const check of checks) {
    const found = check(value, schema, root, path)
    if (found !== null) return found
  }
  return null
}

const notUnderstood = ['unevaluatedProperties', 'unevaluatedItems', '$dynamicRef', '$recursiveRef']

type Check = (value: Json, schema: JsonObject, root: Json, path: string) => string | null

const said = (path: string, what: string): string => `${path === '' ? 'the value' : path}: ${what}`

const ofAny: Check = (value, schema, root, path) => {
  if (typeof schema.$ref === 'string') {
    const found = violation(value, referred(schema.$ref, root), root, path)
    if (found !== null) return found
  }
  const types = schema.type === undefined ? null : [schema.type].flat()
  if (types !== null && !types.some(type => isOfType(value, type))) return said(path, `expected ${types.join(' or ')}`)
  if (Array.isArray(schema.enum) && !schema.enum.some(one => isSame(one, value))) return said(path, 'not in its enum')
  if (schema.const !== undefined && !isSame(schema.const, value)) return said(path, 'not its const')
  return null
}

export function isOfType(value: Json, type: Json): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

const isSame = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b)

const ofNumbers: Check = (value, schema, _root, path) => {
  if (typeof value !== 'number') return null
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (typeof minimum === 'number' && value < minimum) return said(path, `expected at least ${minimum}`)
  if (typeof maximum === 'number' && value > maximum) return said(path, `expected at most ${maximum}`)
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    return said(path, `expected more than ${exclusiveMinimum}`)
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    return said(path, `expected less than ${exclusiveMaximum}`)
  if (typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf))
    return said(path, `expected a multiple of ${multipleOf}`)
  return null
}

const ofTexts: Check = (value, schema, _root, path) => {
  if (typeof value !== 'string') return null
  const length = [...value].length
  if (typeof schema.minLength === 'number' && length < schema.minLength)
    return said(path, `expected at least ${schema.minLength} characters`)
  if (typeof schema.maxLength === 'number' && length > schema.maxLength)
    return said(path, `expected at most ${schema.maxLength} characters`)
  if (typeof schema.pattern === 'string' && !expression(schema.pattern).test(value))
    return said(path, `does not match its pattern ${schema.pattern}`)
  return null
}

/** A schema's pattern; an invalid one is refused by name. */
export function expression(pattern: string): RegExp {
  for (const flags of ['u', '']) {
    try {
      return linearRegExp(pattern, flags)
    } catch {}
  }
  throw new SimRefused(`pattern ${JSON.stringify(pattern)} is not a regular expression`)
}

const ofLists: Check = (value, schema, root, path) => {
  if (!Array.isArray(value)) return null
  const { minItems, maxItems, contains } = schema
  if (typeof minItems === 'number' && value.length < minItems) return said(path, `expected at least ${minItems} items`)
  if (typeof maxItems === 'number' && value.length > maxItems) return said(path, `expected at most ${maxItems} items`)
  if (schema.uniqueItems === true && new Set(value.map(canonicalJson)).size < value.length)
    return said(path, 'expected different items')
  for (const [index, item] of value.entries()) {
    const found = violation(item, itemSchema(schema, index), root, `${path}/${index}`)
    if (found !== null) return found
  }
  if (contains === undefined) return null
  const fitting = value.filter(item => violation(item, contains, root) === null).length
  const least = typeof schema.minContains === 'number' ? schema.minContains : 1
  const most = typeof schema.maxContains === 'number' ? schema.maxContains : value.length
  return fitting < least || fitting > most ? said(path, `${fitting} items are as contains wants them`) : null
}

/** The schema of the item at a place in a list. */
export function itemSchema(schema: JsonObject, index: number): Json {
  const first = Array.isArray(schema.items) ? schema.items : schema.prefixItems
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items
  return (Array.isArray(first) ? first[index] : undefined) ?? rest ?? true
}

const ofObjects: Check = (value, schema, root, path) => {
  if (!isJsonObject(value)) return null
  const names = Object.keys(value)
  const missing = requiredBy(schema, names).find(name => !Object.hasOwn(value, name))
  if (missing !== undefined) return said(path, `${missing} is missing`)
  const { minProperties, maxProperties } = schema
  if (typeof minProperties === 'number' && names.length < minProperties)
    return said(path, `expected at least ${minProperties} properties`)
  if (typeof maxProperties === 'number' && names.length > maxProperties)
    return said(path, `expected at most ${maxProperties} properties`)
  for (const name of names) {
    const ofName = schema.propertyNames === undefined ? null : violation(name, schema.propertyNames, root, path)
    if (ofName !== null) return ofName
    for (const part of propertySchemas(schema, name)) {
      const found = violation(value[name] ?? null, part, root, `${path}/${name}`)
      if (found !== null) return found
    }
  }
  for (const [name, part] of Object.entries(isJsonObject(schema.dependentSchemas) ? schema.dependentSchemas : {})) {
    const found = Object.hasOwn(value, name) ? violation(value, part, root, path) : null
    if (found !== null) return found
  }
  return null
}

/** The names that are required, given those that exist. */
export function requiredBy(schema: JsonObject, names: readonly string[]): readonly string[] {
  const depending = isJsonObject(schema.dependentRequired) ? schema.dependentRequired : {}
  const more = names.flatMap(name => (Object.hasOwn(depending, name) ? textsOf(depending[name]) : []))
  return [...new Set([...textsOf(schema.required), ...more])]
}

const textsOf = (list: Json | undefined): readonly string[] =>
  Array.isArray(list) ? list.filter(item => typeof item === 'string') : []

/** Every schema that applies to a property of this name. */
export function propertySchemas(schema: JsonObject, name: string): readonly Json[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const patterns = isJsonObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : []
  const own = Object.hasOwn(properties, name) ? [properties[name] ?? true] : []
  const fitting = patterns.filter(([pattern]) => expression(pattern).test(name)).map(([, part]) => part)
  const all = [...own, ...fitting]
  return all.length > 0 ? all : [schema.additionalProperties ?? true]
}

const ofParts: Check = (value, schema, root, path) => {
  const fails = (part: Json): string | null => violation(value, part, root, path)
  for (const part of Array.isArray(schema.allOf) ? schema.allOf : []) {
    const found = fails(part)
    if (found !== null) return found
  }
  if (Array.isArray(schema.anyOf) && schema.anyOf.every(part => fails(part) !== null))
    return said(path, 'fits none of anyOf')
  if (Array.isArray(schema.oneOf)) {
    const fitting = schema.oneOf.filter(part => fails(part) === null).length
    if (fitting !== 1) return said(path, `fits ${fitting} of oneOf, expected one`)
  }
  if (schema.not !== undefined && fails(schema.not) === null) return said(path, 'is what not excludes')
  if (schema.if === undefined) return null
  return fails((fails(schema.if) === null ? schema.then : schema.else) ?? true)
}

const checks: readonly Check[] = [ofAny, ofNumbers, ofTexts, ofLists, ofObjects, ofParts]
