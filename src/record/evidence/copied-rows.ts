import type { Observation } from '../../define/observation.ts'
import type { Json } from '../../util/json.ts'

type Row = Readonly<Record<string, Json>>

/** A row with the arm that it belongs to. */
export interface ArmRow {
  readonly row: Row
  readonly arm: string
  readonly run: Observation
}

/**
 * The rows without copies. Rows that are equal in every column, including a name of the run or a number of five or more
 * digits, were pasted rather than measured twice; the same holds for a table that is repeated several times.
 */
export function withoutCopies(
  rows: readonly ArmRow[],
  factors: readonly string[],
): { readonly rows: readonly ArmRow[]; readonly notes: readonly string[] } {
  const texts = rows.map(({ row, arm }) => textOf([arm, textOf(row)]))
  const equal = [...Map.groupBy(rows.keys(), at => texts[at]).values()]
  const times = timesOver(rows, texts, equal)
  const perArm = Map.groupBy(equal, ([first = 0]) => rows[first]?.arm)
  const kept = equal.flatMap(own => {
    const first = rows[own[0] ?? 0]
    if (times > 1) return own.slice(0, own.length / times)
    // An arm in which all rows are equal is a deterministic program, not a copy.
    const isCopied =
      first !== undefined && (perArm.get(first.arm)?.length ?? 0) > 1 && isUnmistakable(first.row, factors)
    return isCopied ? own.slice(0, 1) : own
  })
  const copies = rows.length - kept.length
  if (copies === 0) return { rows, notes: [] }
  const what = copies === 1 ? 'is a copy of another' : 'are copies of others'
  return {
    rows: kept.toSorted((a, b) => a - b).flatMap(at => rows[at] ?? []),
    notes: [
      `${copies} of ${rows.length} rows ${what}, equal in every column: each counts once (--pair-by none counts every row)`,
    ],
  }
}

/** By chance the counts of eight different rows have a common factor in fewer than one table of a hundred. */
const fewRows = 8

/** The same order of results again, by chance in one table of a thousand. */
const surprising = Math.log(1000)

/** How many times the table is repeated: judged by the order of its rows, or by how often each row occurs. */
function timesOver(rows: readonly ArmRow[], texts: readonly string[], equal: readonly (readonly number[])[]): number {
  const period = shortestPeriod(texts)
  if (period < texts.length && surpriseOf(rows.slice(0, period), texts) >= surprising) return texts.length / period
  return equal.length < fewRows ? 1 : equal.map(({ length }) => length).reduce(greatestCommon, 0)
}

/** The number of rows after which they repeat, up to the end; all of them if they never do. */
function shortestPeriod(texts: readonly string[]): number {
  // How much of the beginning ends at each row (Knuth, Morris and Pratt 1977).
  const fits = [0]
  for (let at = 1, length = 0; at < texts.length; at++) {
    while (length > 0 && texts[at] !== texts[length]) length = fits[length - 1] ?? 0
    if (texts[at] === texts[length]) length++
    fits[at] = length
  }
  const period = texts.length - (fits.at(-1) ?? 0)
  return texts.length % period === 0 ? period : texts.length
}

/** The logarithm of the number of orders that the results of each arm could have had; 0 if all results are equal. */
function surpriseOf(rows: readonly ArmRow[], texts: readonly string[]): number {
  const arms = Map.groupBy(rows.keys(), at => rows[at]?.arm)
  return [...arms.values()].reduce((sum, own) => {
    const counts = [...Map.groupBy(own, at => texts[at]).values()].map(({ length }) => length)
    return sum + logFactorial(own.length) - counts.reduce((all, count) => all + logFactorial(count), 0)
  }, 0)
}

const logFactorial = (n: number): number => {
  let sum = 0
  for (let factor = 2; factor <= n; factor++) sum += Math.log(factor)
  return sum
}

const greatestCommon = (a: number, b: number): number => (b === 0 ? a : greatestCommon(b, a % b))

const runNames = ['run_id', 'id', 'name', 'run', 'uuid']

function isUnmistakable(row: Row, factors: readonly string[]): boolean {
  return Object.entries(row).some(([name, value]) => {
    if (factors.includes(name) || value === null) return false
    return runNames.includes(name) || (typeof value === 'number' && !Number.isInteger(value) && digitsOf(value) >= 5)
  })
}

const digitsOf = (value: number): number =>
  String(Math.abs(value)).replace(/e.*$/, '').replace('.', '').replace(/^0+/, '').length

/** NaN included, which JSON has no word for. */
export const textOf = (value: Json | Row): string =>
  JSON.stringify(value, (_, one) => (Number.isNaN(one) ? 'NaN' : one))
