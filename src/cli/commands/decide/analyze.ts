import { join, relative, resolve } from 'node:path'
import { analyzeBatch } from '../../../analyze/batch/analyze-batch.ts'
import { correctionOfP, drawingOf } from '../../../analyze/choices.ts'
import { provenanceLine } from '../../../analyze/provenance/provenance.ts'
import { summaryOption } from '../../../analyze/reading.ts'
import type { Evidence } from '../../../define/observation.ts'
import { isBatchFolder, lastLines } from '../../../record/evidence/evidence.ts'
import { asExperimentDirectory } from '../../../record/places.ts'
import { analysisMarkdown, writeAnalysis } from '../../../report/analysis/analysis.ts'
import { analysisLines } from '../../analysis/analysis-view.ts'
import { evidenceArgument } from '../../analysis/evidence-argument.ts'
import { askedBy } from '../../analysis/question.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'

export async function analyzeCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { metric, report = false } = options
  // Series are large, and most metrics of a batch are numbers: only a requested one is read.
  const series = metric === undefined || options.summary === undefined ? [] : [metric]
  const evidence = withoutPlan(evidenceArgument(args, options, io, { series, attempts: true }), options)
  const analysis = analyzeBatch(evidence, {
    success: options.success ?? null,
    metric,
    goal: options.goal,
    summary: summaryOption(options),
    alpha: options.alpha ?? 0.05,
    correction: correctionOfP(options.correction),
    drawing: drawingOf(askedBy(options)),
    lastLineOf: lastLines(evidence),
    filter: options.filter,
  })
  const folder = folderFor(evidence, options, io)
  const files = writeAnalysis(folder, analysis, { report })
  if (options.json) writeJson(io.stdout, { kind: 'analysis', ...analysis, files })
  else if (report) io.stdout.write(analysisMarkdown(analysis))
  else {
    const style = styler(io.stdout)
    writeLines(io.stdout, [
      ...analysisLines(analysis, tableWidth(io.stdout), style),
      '',
      ...files.map(file => `wrote: ${relative(io.cwd, file) || file}`),
      style.dim(provenanceLine(analysis.provenance)),
    ])
  }
  return 0
}

/** The runs that pass a filter are not all planned runs. */
const withoutPlan = (evidence: Evidence, { filter = [] }: Options): Evidence =>
  filter.length === 0
    ? evidence
    : { ...evidence, sources: evidence.sources.map(source => ({ ...source, planned: null })) }

/** Next to the results; results from several places, or from a table, have no such place. */
function folderFor({ sources }: Evidence, { to }: Options, { cwd }: Io): string {
  if (to !== undefined) return resolve(cwd, to)
  const [only] = sources
  const dir = only !== undefined && sources.length === 1 ? asExperimentDirectory(only.path) : undefined
  return join(dir ?? (only !== undefined && isBatchFolder(only.path) ? only.path : cwd), 'analysis')
}
