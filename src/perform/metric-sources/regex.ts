import { readSync } from 'node:fs'
import * as z from 'zod'
import type { MetricSource } from '../../define/experiment.ts'
import { linearRegExp } from '../../util/linear-regexp.ts'
import { numberInText } from '../parsed-values.ts'
import { withDescriptor } from './read-file.ts'
import { problemReading, valueReading } from './readings.ts'

const regexSpec = z.lazy(() =>
  z.object({
    file: z.string().default('stdout.txt'),
    pattern: z.string(),
    group: z.union([z.number(), z.string()]).default(1),
    optional: z.boolean().optional(),
  }),
)

/** The last place in a text file, such as stdout.txt, where a regular expression matches. */
export const regexSource: MetricSource = {
  kind: 'regex',
  read(runDir, metric, given) {
    const spec = regexSpec.parse(given)
    return withDescriptor(runDir, metric, spec, (descriptor, size) => {
      const match = lastMatch(readEnd(descriptor, size), spec.pattern)
      if (match === undefined) return problemReading(metric, `nothing in ${spec.file} matches ${spec.pattern}`)
      const text = typeof spec.group === 'number' ? match[spec.group] : match.groups?.[spec.group]
      const found = numberInText(text ?? '')
      return 'value' in found
        ? valueReading(metric, found.value)
        : problemReading(metric, `what ${spec.pattern} found in ${spec.file} ${found.problem}`)
    })
  },
}

function lastMatch(text: string, pattern: string): RegExpExecArray | undefined {
  let last: RegExpExecArray | undefined
  for (const match of text.matchAll(linearRegExp(pattern, 'gm'))) last = match
  return last
}

/** The last match is wanted, so of a huge file its end is enough. Bytes that are not UTF-8 become a replacement mark. */
function readEnd(descriptor: number, size: number): string {
  const length = Math.min(size, mostBytes)
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(descriptor, bytes, filled, length - filled, size - length + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.toString('utf8', 0, filled)
}

const mostBytes = 32_000_000
