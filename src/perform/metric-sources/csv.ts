import * as z from 'zod'
import type { MetricSource, SourceReading } from '../../define/experiment.ts'
import type { Reading } from '../../define/run.ts'
import { parseCsv } from '../../util/csv.ts'
import { isNotFinite, numberInText } from '../parsed-values.ts'
import { withFile } from './read-file.ts'
import { problemReading, valueReading } from './readings.ts'

const csvSpec = z.lazy(() =>
  z.object({
    file: z.string(),
    column: z.string().optional(),
    row_name: z.string().optional(),
    optional: z.boolean().optional(),
  }),
)

/** A table with one row; with `row_name` of many rows, each of which names its numbers. */
export const csvSource: MetricSource = {
  kind: 'csv',
  read(runDir, metric, given) {
    const spec = csvSpec.parse(given)
    return withFile(runDir, metric, spec, text => {
      const [header = [], ...rows] = parseCsv(text)
      const problem = (message: string) => problemReading(metric, `${spec.file} ${message}`)
      if (rows.length === 0) return problem('has no row under its header')
      if (spec.row_name !== undefined) return namedRows(header, rows, spec.row_name, problem)
      const [row = []] = rows
      if (rows.length > 1)
        return problem(`has ${rows.length} rows; with more than one, "row_name" must distinguish them`)
      if (spec.column === undefined) return { readings: numbersOf(header, row, ''), series: [] }
      const index = header.indexOf(spec.column)
      if (index < 0 && spec.optional) return { readings: [], series: [] }
      if (index < 0) return problem(`has no column "${spec.column}"; it has ${header.join(', ')}`)
      const found = numberInText(row[index] ?? '')
      return 'value' in found ? valueReading(metric, found.value) : problem(`column "${spec.column}" ${found.problem}`)
    })
  },
}

/** `{provider}_tier{tier_id}` and the column `latency` make the metric `openai_tier1_latency`. */
function namedRows(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  rowName: string,
  problem: (message: string) => SourceReading,
): SourceReading {
  const used = [...rowName.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const missing = used.find(name => !header.includes(name))
  if (missing !== undefined) return problem(`has no column "${missing}" for "row_name"; it has ${header.join(', ')}`)
  const readings = rows.flatMap(row => {
    const name = rowName.replace(/\{([^{}]+)\}/g, (_, column: string) => row[header.indexOf(column)] ?? '')
    const others = header.map(column => (used.includes(column) ? '' : column))
    return numbersOf(others, row, `${name}_`)
  })
  const twice = readings.find((reading, index) => readings.findIndex(other => other.metric === reading.metric) < index)
  return twice === undefined
    ? { readings, series: [] }
    : problem(`has two rows with the same name "${twice.metric}": "row_name" must distinguish them`)
}

function numbersOf(header: readonly string[], row: readonly string[], prefix: string): readonly Reading[] {
  return header.flatMap((column, index): readonly Reading[] => {
    const text = row[index] ?? ''
    const metric = `${prefix}${column}`
    if (column === '') return []
    const found = numberInText(text)
    if ('value' in found) return [{ metric, value: found.value }]
    return isNotFinite(text) ? [{ metric, problem: `column "${column}" ${found.problem}` }] : []
  })
}
