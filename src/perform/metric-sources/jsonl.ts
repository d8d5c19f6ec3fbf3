import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { MetricSource } from '../../define/experiment.ts'
import type { Series } from '../../define/run.ts'
import { messageOf } from '../../util/errors.ts'
import { numberOf, parseJson } from '../parsed-values.ts'
import { LineReader } from '../reporting/line-reader.ts'
import { Track } from '../reporting/track.ts'
import { atPath } from './json-path.ts'
import { noReading, problemReading } from './readings.ts'

const jsonlSpec = z.lazy(() =>
  z.object({
    file: z.string(),
    field: z.string(),
    step: z.string().optional(),
    optional: z.boolean().optional(),
  }),
)

type JsonlSpec = z.infer<typeof jsonlSpec>

/** One JSON object per line: a field over steps makes a series, and its last value is the metric. */
export const jsonlSource: MetricSource = {
  kind: 'jsonl',
  read(runDir, metric, given) {
    const spec = jsonlSpec.parse(given)
    const path = join(runDir, spec.file)
    try {
      if (!existsSync(path))
        return spec.optional === true ? noReading : problemReading(metric, `${spec.file} was not written`)
      const series = readSeries(runDir, metric, spec)
      const value = series.values.at(-1)
      if (value === undefined) return problemReading(metric, `no line of ${spec.file} has the field "${spec.field}"`)
      return { readings: [{ metric, value }], series: [series] }
    } catch (error) {
      const message = messageOf(error)
      // A line's problem begins with its number.
      return problemReading(metric, `${spec.file}${message.startsWith(':') ? '' : ' '}${message}`)
    }
  },
}

function readSeries(runDir: string, metric: string, spec: JsonlSpec): Series {
  const track = new Track()
  const reader = new LineReader(join(runDir, spec.file), runDir)
  const take = (line: unknown, number: number) => {
    const value = atPath(line, spec.field)
    if (value === undefined || value === null) return
    const found = numberOf(value)
    if ('problem' in found) throw new Error(`:${number} "${spec.field}" ${found.problem}`)
    const step = spec.step === undefined ? number : numberOf(atPath(line, spec.step))
    if (typeof step === 'object' && 'problem' in step) throw new Error(`:${number} "${spec.step}" ${step.problem}`)
    track.add(typeof step === 'number' ? step : step.value, found.value)
  }
  reader.read((text, number) => {
    if (text.trim() === '') return
    const line = parseJson(text)
    if (line === undefined) throw new Error(`:${number} is not JSON: ${text.slice(0, 60)}`)
    take(line, number)
  })
  // A last line without its end that is not JSON was cut off by a crash: the lines before it count.
  reader.readRest((text, number) => take(parseJson(text), number))
  return { metric, ...track.series() }
}
