import { relative, resolve } from 'node:path'
import { varianceProvenance } from '../../../analyze/provenance/of-answers.ts'
import { provenanceLine } from '../../../analyze/provenance/provenance.ts'
import {
  type Variance,
  type VarianceQuestion,
  varianceReadings,
  variances,
} from '../../../analyze/variance/variance.ts'
import { requirePictureEnding } from '../../../report/pictures/write-picture.ts'
import { AssayError } from '../../../util/errors.ts'
import { drawingOption, seriesWanted } from '../../analysis/question.ts'
import { runsOrSources } from '../../analysis/runs-or-sources.ts'
import { parseWindow, summaryOption } from '../../analysis/summary-option.ts'
import { drawVariance, pictureFile } from '../../analysis/variance/variance-picture.ts'
import { varianceLines } from '../../analysis/variance/variance-view.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'

const usualPicture = 'variance_analysis.png'

export async function varianceCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { output = usualPicture, threshold = 0.05, alpha = 0.05, slopeWindow } = options
  if (output !== 'none') requirePictureEnding(output)
  const evidence = runsOrSources(args, options, io, { series: seriesWanted(options) })
  const question: VarianceQuestion = {
    readings: varianceReadings(evidence, {
      metric: options.metric,
      summary: summaryOption(options),
      slopeWindow: slopeWindow === undefined ? undefined : parseWindow(slopeWindow),
    }),
    threshold,
    level: 1 - alpha,
    drawing: drawingOption(options),
  }
  const all = variances(evidence, question)
  if (all.every(({ statistics }) => statistics.length === 0)) throw tooFew(all)
  const pictures = output === 'none' ? [] : await draw(all.slice(0, mostVariants), resolve(io.cwd, output))
  const provenance = varianceProvenance(evidence, question, all, options.filter)
  if (options.json)
    writeJson(io.stdout, { ...(all.length === 1 ? all[0] : { kind: 'variances', variances: all }), provenance })
  else {
    const style = styler(io.stdout)
    const left = all.length - mostVariants
    const blocks = all.slice(0, mostVariants).map(found => varianceLines(found, tableWidth(io.stdout), style))
    writeLines(io.stdout, [
      ...blocks.flatMap(lines => [...lines, '']),
      ...pictures.map(file => `Plot: ${relative(io.cwd, file)}`),
      ...(left > 0
        ? [
            `the first ${mostVariants} of ${all.length} variants: --json has the numbers of all, --filter chooses others`,
          ]
        : []),
      style.dim(provenanceLine(provenance)),
    ])
  }
  return 0
}

/** A page and a picture of each of thousands would be read by nobody, and take minutes. */
const mostVariants = 60

async function draw(all: readonly Variance[], file: string): Promise<readonly string[]> {
  const drawn = all
    .filter(({ statistics }) => statistics.length > 0)
    .map(found => ({ found, file: pictureFile(file, found.variant) }))
  for (const { found, file: own } of drawn) await drawVariance(found, own)
  return drawn.map(({ file: own }) => own)
}

function tooFew(all: readonly Variance[]): AssayError {
  const reasons = all.flatMap(({ left_out }) => left_out.map(({ run, reason }) => `${run}: ${reason}`))
  const variants = all.length === 1 ? '' : ` in any of ${all.length} variants`
  const hint =
    reasons.length > 0
      ? `left out: ${reasons.slice(0, 5).join('; ')}${reasons.length > 5 ? `; and ${reasons.length - 5} more` : ''}`
      : all.length > 1
        ? 'runs that differ in a factor are no repetitions of each other; give several seeds or replicates of one variant'
        : 'variation shows between runs: run more seeds'
  return new AssayError('usage', `it takes two usable runs to see how they differ, and there are not${variants}`, {
    hint,
  })
}
