import type { MetricSpec, SourceReading } from '../define/experiment.ts'
import { metricNameTaken } from '../define/observation.ts'
import type { Reading, Series } from '../define/run.ts'
import { messageOf } from '../util/errors.ts'
import { type OwnSources, readApart } from './metric-reader.ts'
import { problemReading } from './metric-sources/readings.ts'
import { metricSourceFor } from './metric-sources/registry.ts'
import { reportedReading } from './metric-sources/reported.ts'
import type { Reported } from './reporting/reported.ts'

/** All metrics of a run: the declared ones from their declared places, and every other number that it reported. */
export async function readMetrics(
  declared: readonly MetricSpec[],
  reported: Reported,
  runDir: string | null,
  modules: OwnSources = { folder: '.' },
): Promise<{ readonly metrics: readonly Reading[]; readonly series: readonly Series[] }> {
  const metrics = new Map<string, Reading>()
  const series = new Map<string, Series>()
  // Metrics that a run should have reported itself, and did not, may be in a file.
  const unreported = new Set<string>()
  const take = (found: SourceReading) => {
    for (const reading of found.readings)
      if (!metrics.has(reading.metric) || ('value' in reading && unreported.delete(reading.metric)))
        metrics.set(reading.metric, reading)
    for (const one of found.series) if (!series.has(one.metric)) series.set(one.metric, one)
  }
  for (const spec of declared) {
    take(valueThatCounts(spec, await readOne(spec, reported, runDir, modules)))
    if (spec.source.kind === 'reported' && !reported.metrics.includes(spec.name)) unreported.add(spec.name)
  }
  take(underFreeNames(reportedReading(reported, '*')))
  return { metrics: [...metrics.values()], series: [...series.values()] }
}

/** No file names these metrics, so the reserved name could not be reported before the run. */
const underFreeNames = (found: SourceReading): SourceReading => ({
  series: found.series.filter(({ metric }) => metricNameTaken(metric) === null),
  readings: found.readings.map(reading => {
    const problem = metricNameTaken(reading.metric)
    return problem === null ? reading : { metric: reading.metric, problem: `${problem}; report it under another name` }
  }),
})

/** If a metric's best value counts, that one; a final value set by the run is one of its values. */
function valueThatCounts({ value, goal }: MetricSpec, found: SourceReading): SourceReading {
  if (value !== 'best') return found
  const best = goal === 'maximize' ? Math.max : Math.min
  const readings = found.readings.map(reading => {
    if ('problem' in reading) return reading
    const values = found.series.find(({ metric }) => metric === reading.metric)?.values ?? []
    return { ...reading, value: values.reduce((one, other) => best(one, other), reading.value) }
  })
  return { ...found, readings }
}

async function readOne(
  { name, source: spec }: MetricSpec,
  reported: Reported,
  runDir: string | null,
  modules: OwnSources,
): Promise<SourceReading> {
  // Heard already, while the run went on.
  if (spec.kind === 'reported') {
    const found = reportedReading(reported, name)
    return name === '*' ? underFreeNames(found) : found
  }
  const source = metricSourceFor(spec.kind)
  if (runDir === null) return problemReading(name, 'the run made no directory to read it from')
  try {
    return await readApart(source, { runDir, metric: name, spec, modules })
  } catch (error) {
    return problemReading(name, `could not be read: ${messageOf(error)}`)
  }
}
