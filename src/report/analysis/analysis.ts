import { join } from 'node:path'
import type { BatchAnalysis } from '../../analyze/batch/analyze-batch.ts'
import { writeWhole } from '../../util/files.ts'
import {
  associations,
  bestVariation,
  costEfficiency,
  failureModes,
  found,
  head,
  method,
  origin,
  overallMetrics,
  successFactors,
  variationComparison,
} from './sections.ts'

/** Writes the three files, and the report if requested; returns their names. Each is written completely or not at all. */
export function writeAnalysis(
  folder: string,
  analysis: BatchAnalysis,
  { report }: { readonly report: boolean },
): readonly string[] {
  const files = analysisFiles(analysis, { report })
  for (const [name, text] of files) writeWhole(join(folder, name), text)
  return files.map(([name]) => join(folder, name))
}

/** The same as names and texts. */
export function analysisFiles(
  analysis: BatchAnalysis,
  { report }: { readonly report: boolean },
): readonly (readonly [name: string, text: string])[] {
  const { metrics, variations, patterns, provenance } = analysis
  return [
    ['metrics-analysis.json', json(metrics)],
    ['variation-statistics.json', json(variations)],
    ['patterns.json', json({ ...patterns, provenance })],
    ...(report ? [['analysis-report.md', analysisMarkdown(analysis)] as const] : []),
  ]
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** analysis-report.md: the answers first, then the evidence for them. The headings are those of Scenario Lab. */
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
