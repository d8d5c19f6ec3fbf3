import { studentTUpperQuantile } from '../distributions/student-t.ts'

/** The known costs of one kind of run, and how many of that kind are still to come. */
export interface Stratum {
  readonly n: number
  readonly sum: number
  readonly sumOfSquares: number
  readonly toCome: number
}

export interface Forecast {
  readonly estimate: number
  readonly low: number
  readonly high: number
}

/**
 * The total cost of the remaining runs, with a prediction interval: each kind of run by its own mean, with a spread
 * from a coefficient of variation common to all kinds, since larger costs vary more. The variance of a predicted total
 * is N s² for the runs to come and N² s²/n for the mean used to predict them (Cochran 1977, ch. 2 and 5). Kinds without
 * data are predicted by all runs together. null: fewer than two runs are known.
 */
export function remainingTotal(strata: readonly Stratum[], unseen: number, level: number): Forecast | null {
  const all = pooled(strata)
  if (all.n < 2) return null
  const seen = strata.filter(({ n }) => n > 0)
  const within = relativeSpread(seen)
  const isByKind = within.df >= leastFreedom
  const overall = { mean: all.sum / all.n, variance: varianceOf(all), n: all.n }
  const isUnknown = ({ n }: Stratum) => !isByKind || n === 0
  const unknown = strata.filter(isUnknown).reduce((sum, { toCome }) => sum + toCome, unseen)
  const parts: readonly Part[] = [
    // Kinds predicted by the same mean share its error, so they form one part.
    { ...overall, toCome: unknown },
    ...strata
      .filter(stratum => !isUnknown(stratum))
      .map(({ n, sum, toCome }) => ({ mean: sum / n, variance: within.cv2 * (sum / n) ** 2, n, toCome })),
  ]
  const estimate = parts.reduce((sum, { mean, toCome: count }) => sum + count * mean, 0)
  const variance = parts.reduce((sum, part) => sum + part.variance * part.toCome * (1 + part.toCome / part.n), 0)
  const df = isByKind ? within.df : all.n - 1
  const half = studentTUpperQuantile((1 - level) / 2, df) * Math.sqrt(variance)
  return { estimate, low: Math.max(0, estimate - half), high: estimate + half }
}

/** With fewer degrees of freedom the spread within each kind of run is too uncertain. */
const leastFreedom = 3

interface Part {
  readonly mean: number
  readonly variance: number
  readonly n: number
  readonly toCome: number
}

const pooled = (strata: readonly Stratum[]): Stratum =>
  strata.reduce(
    (sum, { n, sum: total, sumOfSquares }) => ({
      n: sum.n + n,
      sum: sum.sum + total,
      sumOfSquares: sum.sumOfSquares + sumOfSquares,
      toCome: 0,
    }),
    { n: 0, sum: 0, sumOfSquares: 0, toCome: 0 },
  )

const varianceOf = ({ n, sum, sumOfSquares }: Stratum): number =>
  Math.max(0, (sumOfSquares - (sum * sum) / n) / (n - 1))

function relativeSpread(strata: readonly Stratum[]): { readonly df: number; readonly cv2: number } {
  let df = 0
  let total = 0
  for (const stratum of strata) {
    if (stratum.n < 2 || stratum.sum <= 0) continue
    const mean = stratum.sum / stratum.n
    df += stratum.n - 1
    total += ((stratum.n - 1) * varianceOf(stratum)) / (mean * mean)
  }
  return { df, cv2: df === 0 ? 0 : total / df }
}
