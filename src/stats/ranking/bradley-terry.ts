import { type Estimate, requireThat, unavailable } from '../estimate.ts'

export interface BradleyTerry {
  /** Log strengths, their mean 0: a lead of log 3 wins three of four. */
  readonly strengths: readonly number[]
  readonly standardErrors: readonly number[]
}

/**
 * Strengths from pairwise wins: `wins[a][b]` is how often a beat b, a draw counting half for each (Bradley & Terry
 * 1952). Fitted by the MM iteration of Hunter 2004 (Ann. Stat. 32:384); errors from the inverse of the information,
 * strengths summing to 0. If some never lost to the others, there is no estimate: the reason is `unbounded`.
 */
export function bradleyTerry(wins: readonly (readonly number[])[]): Estimate<BradleyTerry> {
  const count = wins.length
  requireThat(
    wins.every(row => row.length === count && row.every(number => number >= 0)),
    'a square table of wins of at least 0',
  )
  if (count < 2) return unavailable(count === 0 ? 'no_data' : 'too_few_values')
  if (!isConnected(wins)) return unavailable('unbounded')
  const games = wins.map((row, one) => row.map((won, other) => (one === other ? 0 : won + (wins[other]?.[one] ?? 0))))
  const won = wins.map((row, one) => row.reduce((sum, number, other) => sum + (one === other ? 0 : number), 0))
  let strengths = new Array<number>(count).fill(1)
  for (let round = 0; round < 100_000; round++) {
    const next = strengths.map((own, one) => {
      const expected = strengths.reduce((sum, theirs, other) => sum + (games[one]?.[other] ?? 0) / (own + theirs), 0)
      return (won[one] ?? 0) / expected
    })
    const scale = Math.exp(next.reduce((sum, value) => sum + Math.log(value), 0) / count)
    const scaled = next.map(value => value / scale)
    const change = Math.max(...scaled.map((value, at) => Math.abs(Math.log(value / (strengths[at] ?? 1)))))
    strengths = scaled
    if (change < 1e-12) break
  }
  return { strengths: strengths.map(Math.log), standardErrors: errorsOf(strengths, games) }
}

/** Ford's condition: from every system there is a chain of wins to every other. */
function isConnected(wins: readonly (readonly number[])[]): boolean {
  const reached = (beats: (one: number, other: number) => boolean): number => {
    const seen = new Set([0])
    for (const one of seen) for (let other = 0; other < wins.length; other++) if (beats(one, other)) seen.add(other)
    return seen.size
  }
  const hasWon = (one: number, other: number) => one !== other && (wins[one]?.[other] ?? 0) > 0
  return reached(hasWon) === wins.length && reached((one, other) => hasWon(other, one)) === wins.length
}

/**
 * The information matrix is singular along equal shifts; adding 1/n everywhere fixes their sum at 0 without changing
 * the rest.
 */
function errorsOf(strengths: readonly number[], games: readonly (readonly number[])[]): number[] {
  const count = strengths.length
  const share = (one: number, other: number) => {
    const [own, theirs] = [strengths[one] ?? 1, strengths[other] ?? 1]
    return ((games[one]?.[other] ?? 0) * own * theirs) / (own + theirs) ** 2
  }
  const information = strengths.map((_, one) =>
    strengths.map((_, other) => {
      const own = strengths.reduce((sum, _, against) => sum + (against === one ? 0 : share(one, against)), 0)
      return (one === other ? own : -share(one, other)) + 1 / count
    }),
  )
  return inverseDiagonal(information).map(value => Math.sqrt(Math.max(0, value - 1 / count)))
}

/** By Gauss and Jordan; the matrix is positive definite, so no pivoting is needed. */
function inverseDiagonal(matrix: readonly (readonly number[])[]): number[] {
  const size = matrix.length
  const rows = matrix.map((row, at) => [...row, ...row.map((_, column) => Number(column === at))])
  for (let pivot = 0; pivot < size; pivot++) {
    const top = (rows[pivot] ?? []).map(value => value / (rows[pivot]?.[pivot] ?? 1))
    for (let at = 0; at < size; at++) {
      const factor = at === pivot ? 0 : (rows[at]?.[pivot] ?? 0)
      rows[at] = at === pivot ? top : (rows[at] ?? []).map((value, column) => value - factor * (top[column] ?? 0))
    }
  }
  return rows.map((row, at) => row[size + at] ?? Number.NaN)
}
