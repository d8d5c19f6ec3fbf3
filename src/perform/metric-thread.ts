import { parentPort } from 'node:worker_threads'
import type { SourceReading } from '../define/experiment.ts'
import { messageOf } from '../util/errors.ts'
import type { MetricRequest } from './metric-reader.ts'
import { problemReading } from './metric-sources/readings.ts'
import { metricSourceFor, ownSourceFor } from './metric-sources/registry.ts'

// The other side of metric-reader.ts: one request after the other.
parentPort?.on('message', (request: MetricRequest) => parentPort?.postMessage(read(request)))

function read({ runDir, metric, spec, modules }: MetricRequest): SourceReading {
  try {
    return (
      (metricSourceFor(spec.kind) ?? ownSourceFor(spec.kind, modules))?.read(runDir, metric, spec) ??
      problemReading(metric, `there is no metric source "${spec.kind}"`)
    )
  } catch (error) {
    return problemReading(metric, `could not be read: ${messageOf(error)}`)
  }
}
