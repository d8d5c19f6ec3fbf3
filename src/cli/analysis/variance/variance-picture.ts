import { extname } from 'node:path'
import { type RunVariation, unitsText, type Variance } from '../../../analyze/variance/variance.ts'
import type { Charts } from '../../../charts/draw-chart.ts'
import { percentText, slugOf } from '../../../util/words.ts'

/** Draws the two panels. The drawing code is large, and only loaded now. */
export async function drawVariance(found: Variance, file: string): Promise<void> {
  const [{ drawChart }, { chartDocument, writePicture }] = await Promise.all([
    import('../../../charts/draw-chart.ts'),
    import('../../../report/pictures/write-picture.ts'),
  ])
  const { metric, variant, threshold, level, statistics, reason } = found
  const [first, slope] = statistics
  const data = {
    metric: variant === null ? metric : `${metric} (${variant})`,
    threshold,
    auc: curveOf(first, 'AUC', reason ?? 'there are no values'),
    slope: curveOf(slope, 'Derivative', reason ?? 'the metric is not a series'),
    band: `${percentText(level)} confidence interval`,
    units: unitsText(found),
  }
  await writePicture(file, drawChart('variance', data, { document: chartDocument() }))
}

function curveOf(statistic: RunVariation | undefined, label: string, missing: string): Charts['variance']['auc'] {
  if (statistic === undefined) return { label, points: [], enough: null, reason: missing }
  const { name, curve, enough, ci } = statistic
  const reason =
    statistic.reason ??
    (ci !== null && ci.high === null ? 'its mean may be 0, so its coefficient of variation has no bound' : null)
  const points = curve.map(({ n, cv, low, high }) => ({
    n,
    cv,
    interval: low === null ? null : { low, high: high ?? Number.POSITIVE_INFINITY },
  }))
  return { label: name, points, enough, reason }
}

/** One picture for each variant: `variance_analysis.png`, or `variance_analysis-trxl.png`. */
export function pictureFile(file: string, variant: string | null): string {
  const ending = extname(file)
  return variant === null ? file : `${file.slice(0, file.length - ending.length)}-${slugOf(variant)}${ending}`
}
