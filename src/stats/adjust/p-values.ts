/**
 * p values adjusted for their number, in the order given and at most 1. A p that is NaN stays NaN and does not count.
 */
export type Adjustment = (p: readonly number[]) => number[]

/** Any dependence; the family's error rate. */
export const bonferroni: Adjustment = p => eachOf(p, (value, m) => value * m)

/** Independent tests (Šidák 1967, JASA 62:626). */
export const sidak: Adjustment = p => eachOf(p, (value, m) => -Math.expm1(m * Math.log1p(-value)))

/** Never weaker than Bonferroni, under the same conditions (Holm 1979, Scand. J. Stat. 6:65). */
export const holm: Adjustment = p => stepDown(p, (value, rank, m) => value * (m - rank + 1))

/** Independent or positively dependent tests (Hochberg 1988, Biometrika 75:800). */
export const hochberg: Adjustment = p => stepUp(p, (value, rank, m) => value * (m - rank + 1))

/** The share of false discoveries, tests independent or positively dependent (Benjamini & Hochberg 1995, JRSS B 57:289). */
export const benjaminiHochberg: Adjustment = p => stepUp(p, (value, rank, m) => (value * m) / rank)

/** The same under any dependence (Benjamini & Yekutieli 2001, Ann. Stat. 29:1165). */
export const benjaminiYekutieli: Adjustment = p => stepUp(p, (value, rank, m) => (value * m * harmonic(m)) / rank)

type Factor = (value: number, rank: number, m: number) => number

function eachOf(p: readonly number[], adjust: (value: number, m: number) => number): number[] {
  const m = ascending(p).length
  return p.map(value => (Number.isNaN(value) ? value : Math.min(1, adjust(value, m))))
}

/** From the smallest p up, no adjusted value below one before it. */
function stepDown(p: readonly number[], factor: Factor): number[] {
  return walk(p, ascending(p), factor, Math.max, 0)
}

/** From the largest p down, no adjusted value above one before it. */
function stepUp(p: readonly number[], factor: Factor): number[] {
  return walk(p, ascending(p).reverse(), factor, Math.min, 1)
}

function walk(
  p: readonly number[],
  order: readonly Ranked[],
  factor: Factor,
  bound: (a: number, b: number) => number,
  start: number,
): number[] {
  const adjusted = p.map(() => Number.NaN)
  let last = start
  for (const { at, value, rank } of order) {
    last = Math.min(1, bound(last, factor(value, rank, order.length)))
    adjusted[at] = last
  }
  return adjusted
}

interface Ranked {
  readonly at: number
  readonly value: number
  readonly rank: number
}

function ascending(p: readonly number[]): Ranked[] {
  return p
    .map((value, at) => ({ at, value }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((a, b) => a.value - b.value)
    .map((item, index) => ({ ...item, rank: index + 1 }))
}

function harmonic(m: number): number {
  let sum = 0
  for (let k = m; k >= 1; k--) sum += 1 / k
  return sum
}
