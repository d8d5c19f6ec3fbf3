import { stacked } from '../../../charts/chart.ts'
import { learningCurves } from '../../../charts/learning-curves.ts'
import { radialChart } from '../../../charts/radial.ts'
import { bootstrapDistribution, qqPlot } from '../../../charts/shapes.ts'
import { chartDocument } from '../../../report/pictures/write-picture.ts'
import type { ComparisonFigures } from './comparison-figures.ts'

/** Curves where the metric is a series, the profile where there are several metrics; then chance and shape, per candidate. */
export function comparisonPicture({ learning_curves, profile, comparisons }: ComparisonFigures): string {
  const options = { document: chartDocument(), width: 720 }
  return stacked([
    ...(learning_curves === null ? [] : [learningCurves(learning_curves, options)]),
    ...(profile === null ? [] : [radialChart(profile, options)]),
    ...comparisons.flatMap(({ bootstrap_distribution, quantiles }) => [
      bootstrapDistribution(bootstrap_distribution, options),
      ...quantiles.map(data => qqPlot(data, { ...options, width: 480 })),
    ]),
  ])
}
