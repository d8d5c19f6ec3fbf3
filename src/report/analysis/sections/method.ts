import type { Patterns } from '../../../analyze/batch/patterns/patterns.ts'
import { percentText } from '../../../analyze/numbers.ts'
import type { Section } from './section.ts'

export function method({ alpha, correction, seed }: Patterns): Section {
  return [
    '## How this was computed',
    '',
    `Intervals hold ${percentText(1 - alpha)} of the time. Rates: Wilson. Means: Student's t below 7 independent values, then the wider of t and studentised bootstrap, as in compare; the runs of a block are averaged first. p is corrected by ${correction}. Seed ${seed}: the same journal gives the same page. Runs cut off by a limit are counted, never scored; a missing metric is counted, never 0.`,
  ]
}
