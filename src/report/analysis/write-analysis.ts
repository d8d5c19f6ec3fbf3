import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BatchAnalysis } from '../../analyze/batch/analyze-batch.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { makeFolders } from '../../util/make-folders.ts'
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
  try {
    makeFolders(folder)
    for (const [name, text] of files) {
      writeFileSync(join(folder, `${name}.tmp`), text)
      renameSync(join(folder, `${name}.tmp`), join(folder, name))
    }
  } catch (error) {
    throw new AssayError('cannot_write', `can't write to ${folder}: ${messageOf(error)}`, { cause: error })
  }
  return files.map(([name]) => join(folder, name))
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
