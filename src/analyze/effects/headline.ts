import { listed, percentText, plural, writingOf } from '../../util/words.ts'
import type { Comparison } from '../compare/comparison.ts'

type Effect = Comparison & { readonly factor: string }

/** An effect that holds after the correction. */
export const isShown = ({ verdict }: Effect): boolean => verdict === 'better' || verdict === 'worse'

/** The largest first, whichever way it goes. */
export const bySize = <T extends Effect>(effects: readonly T[]): readonly T[] =>
  effects.toSorted((a, b) => sizeOf(b) - sizeOf(a))

const sizeOf = ({ estimate }: Effect): number => (estimate === null ? -1 : Math.abs(estimate))

/** The largest effect that is shown, and the factors whose effect may be as large, shown or not; or that none is shown. */
export function headlineOf(effects: readonly Effect[], metric: string): string {
  const [largest] = bySize(effects.filter(isShown))
  if (largest === undefined) return nothingShown(effects, metric)
  // An effect that is not shown may be the largest all the same.
  const rivals = bySize(effects).filter(
    other => other.factor !== largest.factor && other.estimate !== null && !isSurelyLarger(largest, other),
  )
  const unsure = [...new Set(rivals.map(({ factor }) => factor))]
  const doubt = unsure.length === 0 ? '' : `; that of ${listed(unsure, 4, 'or')} may be as large`
  return `the largest effect shown on ${metric} is that of ${largest.factor}: ${largest.sentence}${doubt}`
}

/** The largest effect that is shown, if it is not one of these factors; null: there is none. */
export function largerEffect(effects: readonly Effect[], factors: readonly string[], metric: string): string | null {
  const isOwn = ({ factor }: Effect): boolean => factors.includes(factor)
  const [largest] = bySize(effects.filter(isShown))
  if (largest === undefined || isOwn(largest)) return null
  const isSure = effects.filter(isOwn).every(own => isSurelyLarger(largest, own))
  return `${largest.factor} ${isSure ? 'has' : 'may have'} a larger effect on ${metric}: ${largest.sentence}.`
}

function nothingShown(effects: readonly Effect[], metric: string): string {
  const [largest] = bySize(effects)
  const tested = `${effects.length} ${effects.length === 1 ? 'level' : plural('level')} tested`
  if (largest === undefined || largest.estimate === null) return `no effect on ${metric} can be estimated (${tested})`
  if (largest.estimate === 0) return `no effect on ${metric} is shown (${tested}); every difference is 0`
  const { spoken, bound } = writingOf(largest)
  const { ci, candidate, control, estimate } = largest
  const range =
    ci === null || ci.low === null || ci.high === null
      ? 'no interval'
      : `${percentText(ci.level)} CI ${bound(ci.low)} to ${bound(ci.high)}`
  return `no effect on ${metric} is shown (${tested}); the largest difference, ${candidate} against ${control}, is ${spoken(estimate)} (${range}) and may be chance`
}

/** Their intervals, by size, do not overlap. */
function isSurelyLarger(one: Effect, other: Effect): boolean {
  const [least, most] = [sizesWithin(one)?.[0], sizesWithin(other)?.[1]]
  return least !== undefined && most !== undefined && least > most
}

function sizesWithin({ ci }: Effect): readonly [least: number, most: number] | null {
  if (ci === null || ci.low === null || ci.high === null) return null
  const [a, b] = [Math.abs(ci.low), Math.abs(ci.high)]
  return [ci.low <= 0 && ci.high >= 0 ? 0 : Math.min(a, b), Math.max(a, b)]
}
