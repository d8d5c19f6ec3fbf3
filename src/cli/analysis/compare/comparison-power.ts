import type { Compared } from '../../../analyze/compare/compare.ts'
import { answerPower, type PowerAnswer } from '../../../analyze/power/answer.ts'
import { aimOf } from '../../../analyze/power/asked.ts'
import { pilotModel } from '../../../analyze/power/pilot.ts'
import { powerSentence } from '../../../analyze/power/sentence.ts'
import { wordsFor } from '../../../analyze/reading.ts'
import type { Options } from '../../options.ts'
import type { Style } from '../../views/style.ts'
import { powerLines } from '../power/power-view.ts'
import { askedBy, seedOption } from '../question.ts'

/** These runs taken as a pilot: what more of them would find. Defaults are those of the pipeline that compare takes over from. */
export function powerOf({ samples }: Compared, options: Options): PowerAnswer | { readonly reason: string } {
  const { effect = 0.2, sizes = [5, 10, 15, 20, 40], trials = 1000, method = 'auto' } = options
  const aim = aimOf(askedBy(options))
  if (samples.across !== undefined) return { reason: `it is planned for means, not for the ${samples.across}` }
  const model = pilotModel(samples, aim, { method, trials, resamples: 499, seed: seedOption(options) })
  if ('unavailable' in model) return { reason: wordsFor(model.unavailable) }
  return answerPower(model, { effect, sizes, runs: undefined, halfWidth: undefined }, aim)
}

export function powerLinesOf(
  { comparison, samples }: Compared,
  answer: ReturnType<typeof powerOf>,
  columns: number,
  style: Style,
): readonly string[] {
  if (!('kind' in answer)) return [`no power: ${answer.reason}`]
  const { metric } = comparison
  const units = Math.min(samples.control.length, samples.candidate.length)
  const sentence = powerSentence(answer, metric, units)
  return powerLines({ sentence, answer, metric, plans: [], warnings: [] }, columns, style)
}
