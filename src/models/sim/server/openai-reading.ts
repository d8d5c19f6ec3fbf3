import * as z from 'zod'
import type { Json } from '../../../util/json.ts'
import { firstIssue } from './first-issue.ts'
import { Refused } from './refusal.ts'

/** A parsed body; otherwise refused in OpenAI's words. */
export function readOpenai<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = firstIssue(parsed.error)
  const param = place(issue?.path ?? [])
  const refused = (message: string, code: string): Refused => new Refused({ status: 400, message, param, code })
  if (issue === undefined) throw refused('The request is not understood.', 'invalid_value')
  if (issue.message.endsWith('received undefined'))
    throw refused(`Missing required parameter: '${param}'.`, 'missing_required_parameter')
  if (issue.code === 'too_small' && issue.origin === 'array')
    throw refused(
      `Invalid '${param}': empty array. Expected an array with minimum length ${issue.minimum}, but got an empty array instead.`,
      'empty_array',
    )
  if (issue.code === 'too_big' && issue.origin === 'array')
    throw refused(
      `Invalid '${param}': array too long. Expected an array with maximum length ${issue.maximum}.`,
      'array_above_max_length',
    )
  if (issue.code === 'too_small')
    throw refused(
      `Invalid '${param}': integer below minimum value. Expected a value >= ${issue.minimum}.`,
      'integer_below_min_value',
    )
  if (issue.code === 'too_big')
    throw refused(
      `Invalid '${param}': integer above maximum value. Expected a value <= ${issue.maximum}.`,
      'integer_above_max_value',
    )
  if (issue.code === 'invalid_value')
    throw refused(`Invalid value for '${param}'. Supported values are: ${listed(issue.values)}.`, 'invalid_value')
  throw refused(`Invalid type for '${param}': ${issue.message.replace(/^Invalid input: /, '')}.`, 'invalid_type')
}

const place = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (sum, step) =>
      typeof step === 'number' ? `${sum}[${step}]` : sum === '' ? String(step) : `${sum}.${String(step)}`,
    '',
  )

/** `'a', 'b', and 'c'` */
export const listed = (values: readonly unknown[]): string => {
  const quoted = values.map(value => `'${value}'`)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`
}

export const bad = (message: string, param: string | null, code: string | null = null): Refused =>
  new Refused({ status: 400, message, param, code })

/** Parameters of OpenAI's that a simulated model can't honour: refused, since ignoring them would mislead. */
export function refuseUnsupported(body: object, names: readonly string[]): void {
  for (const [name, value] of Object.entries(body)) {
    if (!names.includes(name) || value === null || value === false) continue
    throw bad(`Unsupported parameter: '${name}' is not supported with this model.`, name, 'unsupported_parameter')
  }
}

export const plainObject = z.lazy(() =>
  z.record(
    z.string(),
    z.custom<Json>(() => true),
  ),
)

/** Models that think before they answer, by the names that OpenAI gives them. */
export const isReasoningName = (model: string): boolean => /^(o\d|gpt-5(?!.*chat))/.test(model)

/** Settings that thinking models refuse. */
export function refuseSampling(
  model: string,
  { temperature }: { readonly temperature?: number | null | undefined },
): void {
  if (!/^(o\d|gpt-5(-|$))/.test(model) || temperature === undefined || temperature === null || temperature === 1) return
  throw bad(
    `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
    'temperature',
    'unsupported_value',
  )
}

/** Structured outputs require every object to be closed and every property to be required. */
export function refuseLooseSchema(schema: Json, where: { readonly what: string; readonly param: string }): void {
  const fault = looseness(schema, [])
  if (fault !== null) throw bad(`Invalid schema for ${where.what}: ${fault}`, where.param, 'invalid_json_schema')
}

function looseness(schema: Json, path: readonly string[]): string | null {
  if (Array.isArray(schema)) {
    for (const [index, part] of schema.entries()) {
      const found = looseness(part, [...path, String(index)])
      if (found !== null) return found
    }
    return null
  }
  if (typeof schema !== 'object' || schema === null) return null
  const parts = schema as { readonly [key: string]: Json }
  const context = `In context=(${path.map(step => `'${step}'`).join(', ')})`
  if (parts.type === 'object' || (Array.isArray(parts.type) && parts.type.includes('object'))) {
    if (parts.additionalProperties !== false)
      return `${context}, 'additionalProperties' is required to be supplied and to be false.`
    const required = Array.isArray(parts.required) ? parts.required : []
    const missing = Object.keys(parts.properties ?? {}).find(name => !required.includes(name))
    if (missing !== undefined)
      return `${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
  }
  for (const keyword of ['properties', '$defs', 'definitions']) {
    for (const [name, part] of Object.entries((parts[keyword] as object | undefined) ?? {})) {
      const found = looseness(part as Json, [...path, keyword, name])
      if (found !== null) return found
    }
  }
  for (const keyword of ['items', 'anyOf']) {
    const found = looseness(parts[keyword] ?? null, [...path, keyword])
    if (found !== null) return found
  }
  return null
}
