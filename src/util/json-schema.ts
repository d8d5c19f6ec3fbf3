import { createRequire } from 'node:module'
import { AssayError, messageOf } from './errors.ts'
import { canonicalJson, type Json, type JsonObject } from './json.ts'

/** What is wrong with a value, in words; null: it satisfies the schema. */
export type SchemaCheck = (value: unknown) => string | null

/**
 * A JSON Schema as a check, by ajv: zod's reading of JSON Schema lets `required` without `properties` and everything
 * without a `type` pass. Throws where the schema itself is wrong, or of an unsupported version.
 */
export function schemaCheck(schema: JsonObject): SchemaCheck {
  const key = canonicalJson(schema)
  const known = checks.get(key)
  if (known !== undefined) return known
  if (checks.size >= mostKept) checks.clear()
  const made = compiled(schema)
  checks.set(key, made)
  return made
}

const mostKept = 1000
const checks = new Map<string, SchemaCheck>()

/** The little of ajv that is used. It takes 50 ms to load, so only a schema that has to be checked loads it. */
interface Ajv {
  compile(schema: JsonObject): Validate
}
interface Validate {
  (value: unknown): boolean
  readonly errors?:
    | readonly { readonly instancePath: string; readonly message?: string; readonly params?: Json }[]
    | null
}
type AjvClass = new (options: object) => Ajv

function compiled(schema: JsonObject): SchemaCheck {
  let validate: Validate
  try {
    validate = validatorOf(schema)
  } catch (error) {
    throw error instanceof AssayError ? error : new AssayError('config', `not a JSON Schema: ${messageOf(error)}`)
  }
  return value => {
    if (validate(value)) return null
    const [first] = validate.errors ?? []
    const place = first?.instancePath === '' || first === undefined ? '' : `${first.instancePath.slice(1)}: `
    return `${place}${first?.message ?? 'it does not satisfy the schema'}${namedIn(first?.params)}`
  }
}

/** The name of the forbidden key, which ajv's message omits. */
const namedIn = (params: Json | undefined): string =>
  typeof params === 'object' && params !== null && 'additionalProperty' in params
    ? `: ${JSON.stringify(params.additionalProperty)}`
    : ''

const require = createRequire(import.meta.url)

/** By a substring of `$schema`. */
const versions = { 'draft-07': 'ajv', '2019-09': 'ajv/dist/2019.js', '2020-12': 'ajv/dist/2020.js' } as const

/** Without a version, a schema is read as the newest, unless it is valid only as an older one (`items: [a, b]`). */
function validatorOf(schema: JsonObject): Validate {
  const { $schema } = schema
  if ($schema === undefined)
    try {
      return validator(schema, versions['2020-12'])
    } catch {
      return validator(schema, versions['draft-07'])
    }
  const entry = Object.entries(versions).find(([version]) => String($schema).includes(version))?.[1]
  if (entry !== undefined) return validator(schema, entry)
  throw new AssayError('config', `the JSON Schema version ${String($schema)} is not one that can be checked`, {
    hint: 'use draft-07, 2019-09 or 2020-12, or leave $schema out',
  })
}

function validator(schema: JsonObject, entry: string): Validate {
  const { default: Class } = require(entry) as { readonly default: AjvClass }
  const ajv = new Class({ strict: false, logger: false })
  const formats = require('ajv-formats') as { readonly default: (ajv: Ajv) => void }
  formats.default(ajv)
  return ajv.compile(schema)
}
