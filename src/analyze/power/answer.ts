import { type Estimate, isAvailable, valueOrNull } from '../../stats/estimate.ts'
import type { Aim, Direction, PowerModel } from './model.ts'

/** The question: the runs for an effect or a half-width, the effect for a number of runs, or the power for both. */
export interface Wish {
  readonly effect?: number | undefined
  readonly runs?: number | undefined
  readonly halfWidth?: number | undefined
  readonly sizes?: readonly number[] | undefined
}

export type PowerQuestion = 'runs' | 'effect' | 'power' | 'half-width' | 'plan'

export interface PowerRow {
  readonly n: number
  /** For the effect in question. */
  readonly power: number | null
  /** At the required power; also null if it would have to be simulated. */
  readonly detectable: number | null
  readonly half_width: number | null
}

/** The answer of `assay power`, as data. */
export interface PowerAnswer {
  readonly kind: 'power'
  readonly question: PowerQuestion
  readonly design: PowerModel['design']
  readonly data: PowerModel['data']
  readonly units: string
  readonly is_standardised: boolean
  readonly alpha: number
  readonly side: Aim['alternative']
  readonly n: number | null
  readonly effect: number | null
  readonly power: number | null
  /** The required power. */
  readonly target_power: number
  readonly half_width: number | null
  /** The range of n, given the uncertainty of the pilot's spread. */
  readonly range: { readonly level: number; readonly low: number; readonly high: number } | null
  /** Why there is no answer. */
  readonly reason: string | null
  readonly curve: readonly PowerRow[]
  readonly assumptions: readonly string[]
  readonly notes: readonly string[]
}

export function answerPower(model: PowerModel, wish: Wish, aim: Aim): PowerAnswer {
  const question = questionOf(wish)
  const found = find(model, question, wish, aim)
  const range = question === 'runs' && wish.effect !== undefined ? model.rangeFor(wish.effect) : null
  // A pilot's power is simulated, which is too slow for every row: rows then show the power for the same effect.
  const isSimulated = model.data === 'pilot'
  const effect = wish.effect ?? (isSimulated ? found.effect : null)
  const direction = directionOf(wish.effect ?? found.effect)
  const sizes = curveSizes(wish.sizes, found.n, model.fewest)
  return {
    kind: 'power',
    question,
    design: model.design,
    data: model.data,
    units: model.units,
    is_standardised: model.isStandardised,
    alpha: aim.alpha,
    side: aim.alternative,
    target_power: aim.power,
    ...found,
    range: range !== null && isAvailable(range) ? { level: 0.95, ...widened(range, found.n) } : null,
    curve: sizes.map(n => ({
      n,
      power: effect === null ? null : valueOrNull(model.powerAt(n, effect)),
      detectable: isSimulated ? null : valueOrNull(model.effectFor(n, direction)),
      half_width: valueOrNull(model.halfWidthAt(n)),
    })),
    assumptions: model.assumptions,
    notes: caveats(model, found.n === null ? sizes : [found.n, ...sizes]),
  }
}

/** A range computed by a formula also includes the simulated result. */
const widened = (range: { readonly low: number; readonly high: number }, n: number | null) => ({
  low: Math.min(range.low, n ?? range.low),
  high: Math.max(range.high, n ?? range.high),
})

function questionOf({ effect, runs, halfWidth }: Wish): PowerQuestion {
  if (halfWidth !== undefined) return 'half-width'
  if (effect === undefined) return 'effect'
  return runs === undefined ? 'runs' : 'power'
}

const directionOf = (effect: number | null): Direction | undefined =>
  effect === null || effect === 0 ? undefined : effect > 0 ? 1 : -1

function caveats(model: PowerModel, sizes: readonly number[]): readonly string[] {
  const caveat = model.caveatFor?.(sizes) ?? null
  return [...(caveat === null ? [] : [caveat]), ...(model.data === 'pilot' ? [whatIsLeftOut] : [])]
}

const whatIsLeftOut =
  'the difference that each number finds is not in the table, as it takes many simulations: assay power --runs, without --effect, finds one'

type Found = Pick<PowerAnswer, 'n' | 'effect' | 'power' | 'half_width' | 'reason'>

function find(model: PowerModel, question: PowerQuestion, wish: Wish, aim: Aim): Found {
  const { effect = 0, runs = model.fewest, halfWidth = 0 } = wish
  switch (question) {
    case 'runs': {
      const n = model.runsFor(effect)
      const power = isAvailable(n) ? model.powerAt(n, effect) : n
      return { n: valueOrNull(n), effect, power: valueOrNull(power), half_width: halfWidthAt(model, n), ...why(n) }
    }
    case 'effect': {
      const found = model.effectFor(runs)
      return {
        n: runs,
        effect: valueOrNull(found),
        power: aim.power,
        half_width: halfWidthAt(model, runs),
        ...why(found),
      }
    }
    case 'power': {
      const power = model.powerAt(runs, effect)
      return { n: runs, effect, power: valueOrNull(power), half_width: halfWidthAt(model, runs), ...why(power) }
    }
    default: {
      const n = model.runsForHalfWidth(halfWidth)
      return { n: valueOrNull(n), effect: null, power: null, half_width: halfWidth, ...why(n) }
    }
  }
}

const halfWidthAt = (model: PowerModel, n: Estimate<number>): number | null =>
  isAvailable(n) ? valueOrNull(model.halfWidthAt(n)) : null

const why = (estimate: Estimate<number>): { readonly reason: string | null } => ({
  reason: isAvailable(estimate) ? null : estimate.unavailable,
})

/** Typical numbers of seeds, and those around the answer. */
function curveSizes(asked: readonly number[] | undefined, n: number | null, fewest: number): readonly number[] {
  if (asked !== undefined) return asked
  const around = n === null ? [] : n > 40 ? [Math.round(n / 2), n, 2 * n] : [n]
  const all = [...new Set([5, 10, 15, 20, 40, ...around])].filter(size => size >= Math.max(2, fewest))
  return all.toSorted((a, b) => a - b)
}
