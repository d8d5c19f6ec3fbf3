import { relative, resolve } from 'node:path'
import { provenanceLine } from '../../../analyze/provenance/provenance.ts'
import { parseWindow, summaryOption } from '../../../analyze/reading.ts'
import { type Variance, varianceAnswer } from '../../../analyze/variance/variance.ts'
import { requirePictureEnding } from '../../../report/pictures/write-picture.ts'
import { askedBy, seriesWanted } from '../../analysis/question.ts'
import { runsOrSources } from '../../analysis/runs-or-sources.ts'
import { drawVariance, pictureFile } from '../../analysis/variance/variance-picture.ts'
import { varianceLines } from '../../analysis/variance/variance-view.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'

const defaultPicture = 'variance_analysis.png'

export async function varianceCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { output = defaultPicture, threshold, slopeWindow } = options
  if (output !== 'none') requirePictureEnding(output)
  const evidence = runsOrSources(args, options, io, { series: seriesWanted(options) })
  const { all, answer } = varianceAnswer(evidence, {
    ...askedBy(options),
    summary: summaryOption(options),
    slopeWindow: slopeWindow === undefined ? undefined : parseWindow(slopeWindow),
    threshold,
  })
  const pictures = output === 'none' ? [] : await draw(all.slice(0, mostVariants), resolve(io.cwd, output))
  if (options.json) writeJson(io.stdout, answer)
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
      style.dim(provenanceLine(answer.provenance)),
    ])
  }
  return 0
}

/** Nobody would read a page and a picture for each of thousands, and they take minutes. */
const mostVariants = 60

async function draw(all: readonly Variance[], file: string): Promise<readonly string[]> {
  const drawn = all
    .filter(({ statistics }) => statistics.length > 0)
    .map(found => ({ found, file: pictureFile(file, found.variant) }))
  for (const { found, file: own } of drawn) await drawVariance(found, own)
  return drawn.map(({ file: own }) => own)
}
