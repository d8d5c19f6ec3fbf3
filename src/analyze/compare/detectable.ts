import { pairedDifferences } from '../../stats/describe/differences.ts'
import { standardDeviation } from '../../stats/describe/moments.ts'
import { type Estimate, isAvailable, whenAvailable } from '../../stats/outcome.ts'
import { minimumDetectableEffect, type PowerOptions } from '../../stats/power/t-test.ts'
import type { Samples } from '../samples.ts'

/** The difference that so many units, spread as these are, would have shown four times out of five. */
export function detectableDifference(
  { control, candidate, pairedBy }: Samples,
  options: PowerOptions,
  power = 0.8,
): { readonly difference: number; readonly power: number } | null {
  const found =
    pairedBy === null ? ofGroups(control, candidate, options, power) : ofPairs(control, candidate, options, power)
  // Values that never differ say nothing about what a difference would look like.
  return isAvailable(found) && found !== 0 ? { difference: Math.abs(found), power } : null
}

function ofPairs(control: readonly number[], candidate: readonly number[], options: PowerOptions, power: number) {
  return whenAvailable(pairedDifferences(candidate, control), ({ values }) =>
    whenAvailable(standardDeviation(values), sd =>
      scaled(minimumDetectableEffect({ kind: 'paired', n: values.length }, power, options), sd),
    ),
  )
}

function ofGroups(control: readonly number[], candidate: readonly number[], options: PowerOptions, power: number) {
  return whenAvailable(standardDeviation(control), sdControl =>
    whenAvailable(standardDeviation(candidate), sdCandidate => {
      const design = { kind: 'independent', n: control.length, ratio: candidate.length / control.length } as const
      const sd = Math.sqrt((sdControl ** 2 + sdCandidate ** 2) / 2)
      return scaled(minimumDetectableEffect(design, power, options), sd)
    }),
  )
}

const scaled = (effect: Estimate<number>, sd: number): Estimate<number> => whenAvailable(effect, value => value * sd)
