import type { Evidence } from '../../define/observation.ts'
import { isAvailable, valueOrNull } from '../../stats/estimate.ts'
import type { Json } from '../../util/json.ts'
import type { Drawing } from '../choices.ts'
import { type Bounds, boundsOf } from '../compare/comparison.ts'
import { differenceOf, infer, isAtFloor } from '../compare/infer/infer.ts'
import { methodForNumbers } from '../compare/method.ts'
import type { Reading } from '../reading.ts'
import type { Samples } from '../samples.ts'
import { type Crossing, innerOf } from '../units/crossing.ts'
import { type Cells, cellsOf, type EffectFactor } from './cells.ts'

/** By how much the effect of one factor's level changes when the other factor leaves its baseline. */
export interface Interaction {
  readonly factors: readonly [string, string]
  readonly levels: readonly [Json, Json]
  readonly estimate: number | null
  readonly ci: (Bounds & { readonly method: string }) | null
  readonly p: number | null
  /** As in a comparison. */
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
        const corners = [
          [a, b],
          [first.baseline, b],
          [a, second.baseline],
          [first.baseline, second.baseline],
        ]
        const rows = cells.units.flatMap(unit => {
          const effects = effectsAt(corners.map(levels => cells.at(unit, levels)))
          return effects === null ? [] : [{ unit, ...effects }]
        })
        return {
          ...tested(rows, { unit: cells.unit, crossed: crossingsOf(cells, rows, corners) }, alpha, drawing),
          factors: [first.name, second.name] as const,
          levels: [a, b] as const,
        }
      }),
    )
  })
}

/**
 * The effect of the first factor with the second changed, and with the second at its baseline; null if a corner has no
 * value.
 */
function effectsAt(corners: readonly (number | null)[]): { readonly with: number; readonly without: number } | null {
  const [both = null, onlyB = null, onlyA = null, none = null] = corners
  return both === null || onlyB === null || onlyA === null || none === null
    ? null
    : tidied(both - onlyB, onlyA - none, Math.max(...[both, onlyB, onlyA, none].map(Math.abs)))
}

/** If all tasks use the same seeds, these may shift an interaction as they shift a difference. */
function crossingsOf(
  cells: Cells,
  rows: readonly { readonly unit: string }[],
  corners: readonly (readonly Json[])[],
): readonly Crossing[] {
  if (cells.inner.length === 0) return []
  const units = rows.map(({ unit }) => unit)
  const parts = units.flatMap(unit =>
    cells.partsOf(unit).flatMap(part => {
      const effects = effectsAt(corners.map(levels => part.at(levels)))
      return effects === null ? [] : [{ unit, run: part.run, ...effects }]
    }),
  )
  const arm = (side: 'with' | 'without') =>
    parts.map(({ unit, run, [side]: value }) => ({ unit, where: '', values: [value], runs: [run], missing: 0 }))
  return innerOf({ control: arm('without'), candidate: arm('with') }, units, cells.inner).crossed
}

/** The effect of the first factor with the second changed, against the same with the second at its baseline, unit by unit. */
function tested(
  rows: readonly { readonly unit: string; readonly with: number; readonly without: number }[],
  { unit, crossed }: { readonly unit: string; readonly crossed: readonly Crossing[] },
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
    crossed,
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

/** A rounding error of two subtractions is not a difference. */
function tidied(withIt: number, without: number, size: number): { readonly with: number; readonly without: number } {
  const isSame = Math.abs(withIt - without) <= 1e-12 * size
  return { with: isSame ? without : withIt, without }
}

function pairsOf(factors: readonly EffectFactor[]): readonly (readonly [EffectFactor, EffectFactor])[] {
  return factors.flatMap((first, index) => factors.slice(index + 1).map(second => [first, second] as const))
}

const others = ({ levels, baselineIndex }: EffectFactor): readonly Json[] =>
  levels.filter((_, index) => index !== baselineIndex)
