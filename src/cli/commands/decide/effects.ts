import { effectsAnswer } from '../../../analyze/effects/effects.ts'
import { provenanceLine } from '../../../analyze/provenance/provenance.ts'
import { effectsLines } from '../../analysis/effects-view.ts'
import { evidenceArgument } from '../../analysis/evidence-argument.ts'
import { askedBy, seriesWanted } from '../../analysis/question.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'

export async function effectsCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const evidence = evidenceArgument(args, options, io, { series: seriesWanted(options) })
  const answer = effectsAnswer(evidence, askedBy(options))
  const style = styler(io.stdout)
  if (options.json) writeJson(io.stdout, answer)
  else
    writeLines(io.stdout, [
      ...effectsLines(answer, tableWidth(io.stdout), style),
      style.dim(provenanceLine(answer.provenance)),
    ])
  return 0
}
