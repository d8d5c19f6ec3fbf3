import { csvSource } from './csv.ts'
import { jsonSource } from './json.ts'
import { jsonlSource } from './jsonl.ts'
import type { MetricSource } from './metric-source.ts'
import { regexSource } from './regex.ts'
import { reportedSource } from './reported.ts'
import { rewardSource } from './reward.ts'

/** Every way to read a metric, by the `kind` of its specification. */
export const metricSources: readonly MetricSource[] = [
  reportedSource,
  csvSource,
  jsonSource,
  jsonlSource,
  regexSource,
  rewardSource,
]

export const metricSourceFor = (kind: string): MetricSource | undefined =>
  metricSources.find(source => source.kind === kind)
