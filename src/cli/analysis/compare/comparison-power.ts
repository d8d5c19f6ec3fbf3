import type { Compared } from '../../../analyze/compare/compare.ts'
import { powerOfPilot } from '../../../analyze/power/power-page.ts'
import type { Options } from '../../options.ts'
import type { Style } from '../../views/style.ts'
import { powerLines } from '../power/power-view.ts'
import { askedBy } from '../question.ts'

/** What more runs like these would detect. Defaults are those of Metta's benchmark pipeline. */
export function powerOf({ samples }: Compared, options: Options): ReturnType<typeof powerOfPilot> {
  const { effect = 0.2, sizes = [5, 10, 15, 20, 40], trials = 1000 } = options
  return powerOfPilot(samples, askedBy(options), { effect, sizes, trials })
}

/** As `--json` prints it. */
export const answerOf = (power: ReturnType<typeof powerOf> | undefined) =>
  power !== undefined && 'answer' in power ? power.answer : power

export function powerLinesOf(
  { comparison: { metric } }: Compared,
  power: ReturnType<typeof powerOf>,
  columns: number,
  style: Style,
): readonly string[] {
  if (!('answer' in power)) return [`no power: ${power.reason}`]
  const { answer, sentence } = power
  return powerLines({ sentence: sentence(metric), answer, metric, plans: [], warnings: [] }, columns, style)
}
