import type { Domain } from './experiment.ts'

/** More than these are not listed: nobody runs all of them. */
const most = 10_000

/** Every number of a range that has steps; none where there are too many to list, or no end of them. */
export function levelsOf(domain: Domain): readonly number[] {
  const ends = domain.step === null ? null : stepEnds(domain)
  if (domain.step === null || ends === null || ends.last - ends.first >= most) return []
  const { step } = domain
  return Array.from({ length: ends.last - ends.first + 1 }, (_, index) => stepValue(step, ends.first + index))
}

/** The first and the last step of a domain, or null where there is no end. */
export function stepEnds(domain: Domain): { readonly first: number; readonly last: number } | null {
  if (domain.step === null || domain.kind === 'normal') return null
  const { size, from } = domain.step
  if (domain.kind === 'beta') return { first: roundHalfEven(-from / size), last: roundHalfEven((1 - from) / size) }
  const { min, max } = domain
  if (isCountedFromMinimum(domain)) return { first: 0, last: Math.floor((max - min) / size + 1e-9) }
  return { first: roundHalfEven((min - from) / size), last: roundHalfEven((max - from) / size) }
}

/** Whether all steps of a range are equally likely. */
export const isCountedFromMinimum = ({ step, min }: Domain & { readonly kind: 'uniform' }): boolean =>
  step?.from === min && step.rounded === undefined

/** Without the noise of binary fractions: 0.1 + 2 × 0.1 is 0.3. */
export const stepValue = ({ size, from }: { readonly size: number; readonly from: number }, index: number): number =>
  Number((from + index * size).toPrecision(12))

/** As numpy rounds, and so the tools whose files we read. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}
