import type { BatchAnalysis } from '../../analyze/batch/analyze-batch.ts'
import { associations } from './sections/associations.ts'
import { bestVariation } from './sections/best-variation.ts'
import { costEfficiency } from './sections/cost-efficiency.ts'
import { failureModes } from './sections/failure-modes.ts'
import { found } from './sections/found.ts'
import { head } from './sections/head.ts'
import { method } from './sections/method.ts'
import { origin } from './sections/origin.ts'
import { overallMetrics } from './sections/overall-metrics.ts'
import { successFactors } from './sections/success-factors.ts'
import { variationComparison } from './sections/variation-comparison.ts'

/** analysis-report.md: the answers first, then what they rest on. The headings are the original's. */
export function analysisMarkdown(analysis: BatchAnalysis): string {
  const sections = [
    head(analysis),
    found(analysis.patterns.findings),
    overallMetrics(analysis),
    variationComparison(analysis),
    bestVariation(analysis.patterns),
    successFactors(analysis.patterns),
    failureModes(analysis.patterns),
    costEfficiency(analysis),
    associations(analysis.patterns),
    method(analysis.patterns),
    origin(analysis.provenance),
  ]
  return `${sections
    .filter(section => section.length > 0)
    .map(section => section.join('\n'))
    .join('\n\n')}\n`
}
