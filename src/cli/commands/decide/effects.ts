import { type EffectsQuestion, effectsOf } from '../../../analyze/effects/effects.ts'
import { effectsProvenance } from '../../../analyze/provenance/of-answers.ts'
import { provenanceLine } from '../../../analyze/provenance/provenance.ts'
import { effectsLines } from '../../analysis/effects-view.ts'
import { evidenceArgument } from '../../analysis/evidence-argument.ts'
import { drawingOption, pCorrectionOption, readingOption, seriesWanted } from '../../analysis/question.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'

export async function effectsCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const evidence = evidenceArgument(args, options, io, { series: seriesWanted(options) })
  const question: EffectsQuestion = {
    reading: readingOption(evidence, options),
    isPaired: !options.unpaired,
    missing: options.missing ?? 'failed',
    method: options.method ?? 'auto',
    alpha: options.alpha ?? 0.05,
    alternative: 'two-sided',
    correction: pCorrectionOption(options),
    drawing: drawingOption(options),
  }
  const effects = effectsOf(
    options.control === undefined ? evidence : { ...evidence, baseline: options.control },
    question,
  )
  const provenance = effectsProvenance(evidence, question, effects, options.filter)
  const style = styler(io.stdout)
  if (options.json) writeJson(io.stdout, { kind: 'effects', ...effects, provenance })
  else
    writeLines(io.stdout, [
      ...effectsLines(effects, tableWidth(io.stdout), style),
      style.dim(provenanceLine(provenance)),
    ])
  return 0
}
