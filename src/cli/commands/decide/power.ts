import { resolve } from 'node:path'
import { answerAsked } from '../../../analyze/power/power-page.ts'
import { provenanceLine } from '../../../analyze/provenance/provenance.ts'
import { evidenceArgument } from '../../analysis/evidence-argument.ts'
import { powerLines } from '../../analysis/power/power-view.ts'
import { askedBy, seriesWanted } from '../../analysis/question.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'

export async function powerCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const pictures = options.output === undefined ? null : await import('../../../report/pictures/write-picture.ts')
  if (options.output !== undefined) pictures?.requirePictureEnding(options.output)
  const pilot = args.length === 0 ? null : () => evidenceArgument(args, options, io, { series: seriesWanted(options) })
  const { page, aim, document, hasPilot } = answerAsked(pilot, askedBy(options))
  const style = styler(io.stdout)
  if (options.json) writeJson(io.stdout, document)
  else
    writeLines(io.stdout, [
      ...powerLines(page, tableWidth(io.stdout), style),
      ...(hasPilot ? [style.dim(provenanceLine(document.provenance))] : []),
    ])
  if (options.output !== undefined) {
    const { powerPicture } = await import('../../analysis/power/power-picture.ts')
    await pictures?.writePicture(resolve(io.cwd, options.output), powerPicture(page, aim))
  }
  return 0
}
