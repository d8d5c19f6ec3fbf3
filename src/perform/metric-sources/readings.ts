import type { MetricSourceSpec } from '../../define/experiment.ts'
import type { Reading, Series } from '../../define/run.ts'

/** A way to read metrics out of a run's directory. One file each, one registry. */
export interface MetricSource {
  readonly kind: string
  /**
   * The readings of a declared metric (for `*`: of every number there is). What can't be read is a reading with a
   * problem, never 0; only what is marked `optional` and isn't there gives no reading at all. Never throws.
   */
  read(runDir: string, metric: string, spec: MetricSourceSpec): SourceReading
}

export interface SourceReading {
  readonly readings: readonly Reading[]
  readonly series: readonly Series[]
}

export const noReading: SourceReading = { readings: [], series: [] }

export const valueReading = (metric: string, value: number): SourceReading => ({
  readings: [{ metric, value }],
  series: [],
})

export const problemReading = (metric: string, problem: string): SourceReading => ({
  readings: [{ metric, problem }],
  series: [],
})
