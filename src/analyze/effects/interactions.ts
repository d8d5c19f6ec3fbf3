import type { Evidence } from '../../define/observation.ts'
import { isAvailable, valueOrNull } from '../../stats/estimate.ts'
import type { Json } from '../../util/json.ts'
import type { Drawing } from '../choices.ts'
import { type Bounds, boundsOf } from '../compare/comparison.ts'
import { differenceOf, infer, isAtFloor } from '../compare/infer/infer.ts'
import { methodForNumbers } from '../compare/method.ts'
import type { Reading } from '../reading.ts'
import type { Samples } from '../samples.ts'
import { cellsOf, type EffectFactor } from './cells.ts'

/** By how much the effect of one factor's level changes when the other factor leaves its baseline. */
export interface Interaction {
  readonly factors: readonly [string, string]
  readonly levels: readonly [Json, Json]
  readonly estimate: number | null
  readonly ci: (Bounds & { readonly method: string }) | null
  readonly p: number | null
  /** As of a comparison. */
  readonly p_is_bound: boolean
  readonly p_adjusted: number | null
  readonly n: number
}

/** Every pair of factors, every pair of their levels besides the baseline, over units that have all four combinations. */
export function interactionsOf(
  evidence: Evidence,
  factors: readonly EffectFactor[],
  reading: Reading,
  { alpha, drawing }: { readonly alpha: number; readonly drawing: Drawing },
): readonly Interaction[] {
  return pairsOf(factors).flatMap(([first, second]) => {
    const cells = cellsOf(evidence, [first.name, second.name], reading)
    return others(first).flatMap(a =>
      others(second).map(b => {
        const rows = cells.units.flatMap(unit => {
          const corners = [
            [a, b],
            [first.baseline, b],
            [a, second.baseline],
            [first.baseline, second.baseline],
          ]
          const [both = null, onlyB = null, onlyA = null, none = null] = corners.map(levels => cells.at(unit, levels))
          return both === null || onlyB === null || onlyA === null || none === null
            ? []
            : [{ unit, ...tidied(both - onlyB, onlyA - none, Math.max(...[both, onlyB, onlyA, none].map(Math.abs))) }]
        })
        return {
          ...tested(rows, cells.unit, alpha, drawing),
          factors: [first.name, second.name] as const,
          levels: [a, b] as const,
        }
      }),
    )
  })
}

/** The effect of the first factor with the second changed, against the same with the second at its baseline, unit by unit. */
function tested(
  rows: readonly { readonly unit: string; readonly with: number; readonly without: number }[],
  unit: string,
  alpha: number,
  drawing: Drawing,
): Omit<Interaction, 'factors' | 'levels'> {
  const samples: Samples = {
    control: rows.map(row => row.without),
    candidate: rows.map(row => row.with),
    pairedBy: [unit],
    unit,
    keys: rows.map(row => row.unit),
    isCounted: false,
    dropped: { control: [], candidate: [], unmatched: [] },
  }
  // A difference of differences is never a yes or no.
  const method = methodForNumbers(samples)
  const inference = infer(samples, method, { level: 1 - alpha, alternative: 'two-sided', drawing })
  const { interval, p } = inference
  return {
    estimate: valueOrNull(differenceOf(samples)),
    ci: isAvailable(interval) ? { ...boundsOf(interval), method } : null,
    p: valueOrNull(p),
    p_is_bound: isAtFloor(inference),
    p_adjusted: null,
    n: rows.length,
  }
}

/** What two subtractions leave of rounding is no difference. */
function tidied(withIt: number, without: number, size: number): { readonly with: number; readonly without: number } {
  const isSame = Math.abs(withIt - without) <= 1e-12 * size
  return { with: isSame ? without : withIt, without }
}

function pairsOf(factors: readonly EffectFactor[]): readonly (readonly [EffectFactor, EffectFactor])[] {
  return factors.flatMap((first, index) => factors.slice(index + 1).map(second => [first, second] as const))
}

const others = ({ levels, baselineIndex }: EffectFactor): readonly Json[] =>
  levels.filter((_, index) => index !== baselineIndex)
