import { normalQuantile } from '../distributions/normal.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { requireLevel } from '../tests/alternative.ts'

export type Label = string | number | boolean

export interface CohenKappa {
  /** The share of items to which both gave the same label. */
  readonly observed: number
  /** The share on which they would agree by chance, given the frequencies of their labels. */
  readonly expected: number
  /** (observed − expected) / (1 − expected). */
  readonly kappa: Estimate<number>
  /** Large-sample (Fleiss, Cohen & Everitt 1969, Psychol. Bull. 72:323). */
  readonly standardError: Estimate<number>
  readonly interval: Estimate<Interval>
  readonly items: number
}

/**
 * Agreement of two judges beyond chance (Cohen 1960). Low if nearly all items have one label, however often they agree.
 */
export function cohenKappa(
  first: readonly Label[],
  second: readonly Label[],
  { level = 0.95 }: { readonly level?: number } = {},
): Estimate<CohenKappa> {
  requireThat(first.length === second.length, `two labels for each item, got ${first.length} and ${second.length}`)
  requireLevel(level)
  const items = first.length
  if (items === 0) return unavailable('no_data')
  const labels = [...new Set([...first, ...second])]
  const cell = (one: Label, other: Label) =>
    first.filter((label, at) => label === one && second[at] === other).length / items
  const shares = labels.map(one => labels.map(other => cell(one, other)))
  const rows = shares.map(row => row.reduce((sum, share) => sum + share, 0))
  const columns = labels.map((_, at) => shares.reduce((sum, row) => sum + (row[at] ?? 0), 0))
  const observed = shares.reduce((sum, row, at) => sum + (row[at] ?? 0), 0)
  const expected = rows.reduce((sum, share, at) => sum + share * (columns[at] ?? 0), 0)
  // Both judges gave one and the same label throughout: agreement is perfect, but carries no information.
  const alone = unavailable('one_category')
  if (labels.length === 1) return { observed, expected, kappa: alone, standardError: alone, interval: alone, items }
  const kappa = (observed - expected) / (1 - expected)
  const standardError = errorOf({ shares, rows, columns, observed, expected, kappa, items })
  const half = typeof standardError === 'number' ? normalQuantile((1 + level) / 2) * standardError : undefined
  const interval =
    half === undefined ? unavailable('zero_variance') : { level, low: kappa - half, high: Math.min(1, kappa + half) }
  return { observed, expected, kappa, standardError, interval, items }
}

interface Table {
  readonly shares: readonly (readonly number[])[]
  readonly rows: readonly number[]
  readonly columns: readonly number[]
  readonly observed: number
  readonly expected: number
  readonly kappa: number
  readonly items: number
}

function errorOf({ shares, rows, columns, observed, expected, kappa, items }: Table): Estimate<number> {
  let diagonal = 0
  let off = 0
  shares.forEach((row, one) => {
    row.forEach((share, other) => {
      const weight = (rows[other] ?? 0) + (columns[one] ?? 0)
      if (one === other) diagonal += share * (1 - weight * (1 - kappa)) ** 2
      else off += share * weight ** 2
    })
  })
  const spread = diagonal + (1 - kappa) ** 2 * off - (kappa - expected * (1 - kappa)) ** 2
  // Agreement on every item leaves no variation to estimate the error of kappa from.
  return observed === 1 || spread <= 0 ? unavailable('zero_variance') : Math.sqrt(spread / items) / (1 - expected)
}
