import { sha256 } from '../../../util/hash.ts'
import type { JsonObject } from '../../../util/json.ts'
import { lineEnd } from '../prompts/quoted.ts'
import type { Metric } from '../scenario.ts'

/**
 * The beginning of the narrator's line of values. Only the narrator's prompt contains it, and it is removed from what
 * others read, so no actor can write such a line.
 */
export const markerOf = (seed: number, scenarioName: string): string =>
  `METRICS#${sha256(`narrator ${seed} ${scenarioName}`).slice(0, 10)}`

/** The values of the last such line, by name in lower case; null: there is none. */
export function markedLine(text: string, marker: string): { readonly [metric: string]: string } | null {
  const line = linesIn(text).findLast(one => startsWith(one, marker))
  if (line === undefined) return null
  const values = line.slice(line.indexOf(marker) + marker.length).replace(/^\s*[*_`]*\s*:?\s*[*_`]*/, '')
  return Object.fromEntries(
    values.split(';').flatMap(part => {
      const [, name = '', value = ''] =
        /^\s*[*_`]*([\p{L}_][\p{L}\p{N}_]*)[*_`]*\s*[=:]\s*(.*?)[\s*_`]*$/su.exec(part) ?? []
      return name === '' || value === '' ? [] : [[name.toLowerCase(), value]]
    }),
  )
}

/** A text without such lines, and without their marker. */
export const withoutMarker = (text: string, marker: string): string =>
  linesIn(text)
    .filter(line => !startsWith(line, marker))
    .join('\n')
    .replaceAll(marker, 'METRICS')
    .trim()

/** Lines that look like one, by any author: an actor's line is not a value. */
export const withoutClaims = (text: string): string =>
  linesIn(text)
    .filter(line => !isClaim(line))
    .join('\n')

/** Also after other words, in letters of another width, and with invisible characters in between. */
function isClaim(line: string): boolean {
  const seen = line.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  return /^[\s>*_`#-]*METRICS\b[^:]*:/i.test(seen) || /\bMETRICS\b[^:]*:.*[\p{L}\p{N}_]\s*=/iu.test(seen)
}

const linesIn = (text: string): readonly string[] => text.split(lineEnd)

const startsWith = (line: string, marker: string): boolean => line.replace(/^[\s*_`]+/, '').startsWith(marker)

/** A JSON Schema of the values, for answers with a schema. */
export const declaredSchema = (metrics: readonly Metric[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(metrics.map(metric => [metric.name, valueSchema(metric)])),
  required: metrics.map(({ name }) => name),
  additionalProperties: false,
})

function valueSchema({ type, categories, description }: Metric): JsonObject {
  const about: JsonObject = description === '' ? {} : { description }
  if (type === 'categorical') return { type: 'string', enum: [...categories], ...about }
  return { type: type === 'float' ? 'number' : type, ...about }
}
