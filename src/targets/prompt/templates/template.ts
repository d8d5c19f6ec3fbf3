import { isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import { compileTemplate } from './nunjucks.ts'

const placeholder = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}/gu

/**
 * `{{question}}` and `{{user.name}}` are replaced; values other than text are written as JSON. A template with filters,
 * `{% %}` or `{# #}` is rendered by Nunjucks.
 */
export function fillPrompt(template: string, vars: JsonObject): string {
  if (isNunjucks(template))
    return compileTemplate(template).fill(vars, expression => {
      throw new UnknownVariable(expression)
    })
  return template.replaceAll(placeholder, (_, name: string) => {
    const value = valueAt(vars, name)
    if (value === undefined) throw new UnknownVariable(name)
    return textOf(value)
  })
}

/** Whether there is more in a template than names in double braces. Braces that are not closed are text. */
export const isNunjucks = (template: string): boolean =>
  /\{%|\{#[\s\S]*?#\}|\{\{[\s\S]*?\}\}/.test(template.replaceAll(placeholder, ''))

/** Checked before anything runs; a case may still lack variables that others have. */
export class UnknownVariable extends Error {
  readonly variable: string

  constructor(variable: string) {
    super(`{{${variable}}} has no value in this case`)
    this.name = 'UnknownVariable'
    this.variable = variable
  }
}

/** The required variables of a template. Throws a TemplateMistake if it can't be parsed. */
export const variablesIn = (template: string): readonly string[] =>
  isNunjucks(template) ? compileTemplate(template).needs : placeholdersIn(template)

export const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(placeholder)].map(([, name = '']) => name)

/** A name with dots takes precedence; then the path into a map or list. */
export function valueAt(vars: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(vars, name)) return vars[name]
  let value: Json | undefined = vars
  for (const step of name.split('.')) {
    if (Array.isArray(value)) value = value[Number(step)]
    else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[step]
    else return undefined
  }
  return value
}

export const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Texts inside a value are filled, everything else stays. */
export function fillJson(value: Json, vars: JsonObject): Json {
  if (typeof value === 'string') return fillPrompt(value, vars)
  if (Array.isArray(value)) return value.map(item => fillJson(item, vars))
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillJson(item, vars)]))
  return value
}
