import { join } from 'node:path'
import type { BatchAnalysis } from '../../analyze/batch/analyze-batch.ts'
import { writeWhole } from '../../util/write-whole.ts'
import { analysisMarkdown } from './analysis-markdown.ts'

/** Writes the three files, and the report where it is wanted; gives their names. Each is there whole or not at all. */
export function writeAnalysis(
  folder: string,
  analysis: BatchAnalysis,
  { report }: { readonly report: boolean },
): readonly string[] {
  const { metrics, variations, patterns, provenance } = analysis
  const files: (readonly [name: string, text: string])[] = [
    ['metrics-analysis.json', json(metrics)],
    ['variation-statistics.json', json(variations)],
    ['patterns.json', json({ ...patterns, provenance })],
  ]
  if (report) files.push(['analysis-report.md', analysisMarkdown(analysis)])
  for (const [name, text] of files) writeWhole(join(folder, name), text)
  return files.map(([name]) => join(folder, name))
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
