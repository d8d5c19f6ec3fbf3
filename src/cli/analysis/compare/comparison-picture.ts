import { drawChart, stacked } from '../../../charts/draw-chart.ts'
import { chartDocument } from '../../../report/pictures/write-picture.ts'
import type { ComparisonFigures } from './comparison-figures.ts'

/**
 * Curves if the metric is a series, the profile if there are several metrics; then chance and distribution, per
 * candidate.
 */
export function comparisonPicture({ learning_curves, profile, comparisons }: ComparisonFigures): string {
  const options = { document: chartDocument(), width: 720 }
  return stacked([
    ...(learning_curves === null ? [] : [drawChart('learningCurves', learning_curves, options)]),
    ...(profile === null ? [] : [drawChart('radial', profile, options)]),
    ...comparisons.flatMap(({ bootstrap_distribution, quantiles }) => [
      drawChart('bootstrap', bootstrap_distribution, options),
      ...quantiles.map(data => drawChart('qq', data, { ...options, width: 480 })),
    ]),
  ])
}
