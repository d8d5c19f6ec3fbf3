import type { MetricSource, SourceReading } from '../../define/experiment.ts'
import type { Reading } from '../../define/run.ts'
import { MetricsFile } from '../metrics-file.ts'
import { Reported } from '../reporting/reported.ts'

/** The values that a run reports itself, in its metrics.jsonl. */
export const reportedSource: MetricSource = {
  kind: 'reported',
  read(runDir, metric) {
    const reported = new Reported()
    new MetricsFile(runDir, {
      report: point => reported.add(point),
      summarise: (metric, value) => reported.summarise(metric, value),
      problem: message => reported.addProblem(message),
    }).readToEnd()
    return reportedReading(reported, metric)
  },
}

/** The same from reports received during the run. */
export function reportedReading(reported: Reported, metric: string): SourceReading {
  const readings: readonly Reading[] =
    metric === '*' ? reported.metrics.map(name => reported.reading(name)) : [reported.reading(metric)]
  return { readings, series: reported.series().filter(series => metric === '*' || series.metric === metric) }
}
