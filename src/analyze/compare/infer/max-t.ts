import { type Estimate, isAvailable } from '../../../stats/estimate.ts'
import {
  type Alternative,
  type Interval,
  type SimultaneousIntervals,
  simultaneousDifferences,
  simultaneousIntervals,
} from '../../../stats/index.ts'
import { smallestOf } from '../../../util/collections.ts'
import { AssayError } from '../../../util/errors.ts'
import { canonicalJson } from '../../../util/json.ts'
import { counted, unitWord } from '../../../util/words.ts'
import type { Drawing } from '../../choices.ts'
import type { Samples } from '../../samples.ts'
import { fewUnits, sourceOf } from '../method.ts'

/**
 * One of several candidates: p for all of them together, and an interval that holds together with those of the others.
 */
export interface Joint {
  readonly p: number | null
  readonly interval: Interval | null
}

/**
 * All candidates at once: their units are resampled together, so that their common part is counted once and not for
 * each.
 */
export function jointly(
  samples: readonly Samples[],
  {
    alpha,
    alternative,
    drawing,
  }: { readonly alpha: number; readonly alternative: Alternative; readonly drawing: Drawing },
): readonly Joint[] {
  if (alternative !== 'two-sided')
    throw new AssayError('usage', `--correction max-t has no one-sided form, and --side ${alternative} asks for one`, {
      hint: '--correction holm works with both',
    })
  if (samples.some(({ across }) => across !== undefined))
    throw new AssayError('usage', '--correction max-t is for means', {
      hint: '--correction holm is for all statistics',
    })
  if (samples.some(({ crossed = [], crossedGroups = [] }) => crossed.length + crossedGroups.length > 0))
    throw new AssayError('usage', '--correction max-t draws units, and here other blocks come back in each of them', {
      hint: '--correction holm allows for both',
    })
  requireSameUnits(samples)
  const [first] = samples
  const options = { random: sourceOf(drawing), resamples: drawing.resamples, level: 1 - alpha }
  const found: Estimate<SimultaneousIntervals> =
    first === undefined || first.pairedBy === null
      ? simultaneousDifferences(
          samples.map(({ candidate }) => candidate),
          first?.control ?? [],
          options,
        )
      : simultaneousIntervals(samples.map(differences), options)
  return samples.map((_, at) => {
    const own = isAvailable(found) ? found.intervals[at] : undefined
    return own === undefined || !isAvailable(own)
      ? { p: null, interval: null }
      : { p: own.p, interval: { level: own.level, low: own.low, high: own.high } }
  })
}

const differences = ({ control, candidate }: Samples): readonly number[] =>
  candidate.map((value, at) => value - (control[at] ?? Number.NaN))

/** Resampled units must have all candidates, and there must be enough of them. */
function requireSameUnits(samples: readonly Samples[]): void {
  const [first, ...others] = samples
  if (first === undefined) return
  const holm = { hint: '--correction holm needs neither' }
  if (
    others.some(({ keys, pairedBy }) => canonicalJson([keys, pairedBy]) !== canonicalJson([first.keys, first.pairedBy]))
  )
    throw new AssayError(
      'usage',
      `--correction max-t draws the same ${unitWord(first.unit)}s for all candidates, and some lack a value of one of them`,
      holm,
    )
  const fewest = smallestOf(samples.flatMap(({ control, candidate }) => [control.length, candidate.length]))
  if (fewest < fewUnits)
    throw new AssayError(
      'usage',
      `--correction max-t: ${counted(fewest, unitWord(first.unit))} ${fewest === 1 ? 'is' : 'are'} too few to be drawn again: it takes ${fewUnits}`,
      holm,
    )
}
