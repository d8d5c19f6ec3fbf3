import * as z from 'zod'
import type { Experiment, MetricSource, SourceReading } from '../../define/experiment.ts'
import { ownParts } from '../../define/own-modules.ts'
import { csvSource } from './csv.ts'
import { jsonSource } from './json.ts'
import { jsonlSource } from './jsonl.ts'
import { problemReading } from './readings.ts'
import { regexSource } from './regex.ts'
import { reportedSource } from './reported.ts'
import { rewardSource } from './reward.ts'
import { tensorboardSource } from './tensorboard/tensorboard.ts'

/** Every way to read a metric, by the `kind` of its specification. */
export const metricSources: readonly MetricSource[] = [
  reportedSource,
  csvSource,
  jsonSource,
  jsonlSource,
  regexSource,
  rewardSource,
  tensorboardSource,
]

export const metricSourceFor = (kind: string): MetricSource | undefined =>
  metricSources.find(source => source.kind === kind)

/** A source that the experiment brings. Its answers are checked: they come from outside. */
export function ownSourceFor(
  kind: string,
  { metric_sources, folder }: Pick<Experiment, 'metric_sources' | 'folder'>,
): MetricSource | undefined {
  const parts = ownParts('metric_sources', metric_sources, { folder, cwd: process.cwd() })
  const found = parts.find(({ name }) => name === kind)?.exported
  if (found === undefined) return undefined
  const { read } = ownSource.parse(found)
  return {
    kind,
    read(runDir, metric, spec): SourceReading {
      const answer = sourceReading.safeParse(read.call(found, runDir, metric, spec))
      if (answer.success) return answer.data
      const wrong = answer.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
      return problemReading(metric, `the metric source "${kind}" gave no reading: ${wrong}`)
    },
  }
}

const ownSource = z.lazy(() => z.object({ read: z.custom<MetricSource['read']>() }))

const sourceReading = z.lazy(() =>
  z.object({
    readings: z.array(
      z.union([
        z.object({ metric: z.string(), value: z.number() }),
        z.object({ metric: z.string(), problem: z.string() }),
      ]),
    ),
    series: z
      .array(z.object({ metric: z.string(), steps: z.array(z.number()), values: z.array(z.number()) }))
      .default([]),
  }),
)
