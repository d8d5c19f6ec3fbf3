import * as z from 'zod'
import type { MetricSource } from '../../define/experiment.ts'
import type { Reading } from '../../define/run.ts'
import { isJsonObject } from '../../util/json.ts'
import { isNotFinite, numberOf, parseJson } from '../parsed-values.ts'
import { atPath, nearestTo, numbersIn } from './json-path.ts'
import { withFile } from './read-file.ts'
import { problemReading, valueReading } from './readings.ts'

const jsonSpec = z.lazy(() =>
  z.object({ file: z.string(), path: z.string().optional(), optional: z.boolean().optional() }),
)

/** A JSON file: the number at a path, or every number in it. */
export const jsonSource: MetricSource = {
  kind: 'json',
  read(runDir, metric, given) {
    const spec = jsonSpec.parse(given)
    return withFile(runDir, metric, spec, text => {
      const document = parseJson(text)
      if (document === undefined) return problemReading(metric, `${spec.file} is not JSON`)
      if (spec.path === undefined) return { readings: numbersIn(document).flatMap(asReading), series: [] }
      const value = atPath(document, spec.path)
      if (value === undefined)
        return problemReading(metric, `${spec.file} has nothing at "${spec.path}"${nearestText(document, spec.path)}`)
      const found = numberOf(value)
      return 'value' in found
        ? valueReading(metric, found.value)
        : problemReading(metric, `${spec.file} at "${spec.path}" ${found.problem}`)
    })
  },
}

function asReading([metric, value]: readonly [string, unknown]): readonly Reading[] {
  const found = numberOf(value)
  if ('value' in found) return [{ metric, value: found.value }]
  return typeof value === 'string' && isNotFinite(value) ? [{ metric, problem: `${metric} ${found.problem}` }] : []
}

/** Where the path was still right: there the mistake is. */
function nearestText(document: unknown, wanted: string): string {
  const { path, value } = nearestTo(document, wanted)
  const where = path === '' ? 'it' : `"${path}"`
  if (Array.isArray(value)) return `; ${where} is a list of ${value.length}`
  if (isJsonObject(value)) return `; ${where} has ${Object.keys(value).slice(0, 20).join(', ') || 'nothing'}`
  return path === '' ? '' : `; ${where} is ${JSON.stringify(value).slice(0, 60)}`
}
