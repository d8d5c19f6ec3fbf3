import type { Reading } from '../reading.ts'
import { metricOf, type Variant, type VariantMetric } from '../variants.ts'
import type { Batch } from './batch.ts'

const known = new WeakMap<Batch, Map<string, VariantMetric>>()

/** A variant's runs on one metric. Cached: the table and the ranking need the same, and resampling takes time. */
export function variantMetric(batch: Batch, { id, runs }: Variant, reading: Reading): VariantMetric {
  const ofBatch = known.get(batch) ?? new Map<string, VariantMetric>()
  known.set(batch, ofBatch)
  // Only the batch's own readings: another reading may read the same metric differently.
  if (!batch.readings.includes(reading)) return metricOf(runs, reading, batch.units, batch.estimatesOf(reading.metric))
  const key = `${id} ${reading.metric}`
  const found = ofBatch.get(key) ?? metricOf(runs, reading, batch.units, batch.estimatesOf(reading.metric))
  ofBatch.set(key, found)
  return found
}
