import { meanOf, sumOfSquares } from '../describe/moments.ts'
import { unusable } from '../describe/usable.ts'
import { fisherFSurvival } from '../distributions/fisher-f.ts'
import { type Estimate, isAvailable, unavailable } from '../estimate.ts'
import { sdInterval } from '../power/half-width.ts'

/** A value in one row (a task) and one column (a seed). */
export interface CrossedCell {
  readonly row: number
  readonly column: number
  readonly value: number
}

/** The mean over rows if rows and columns are both samples of many, and its standard error. */
export interface CrossedMean {
  readonly estimate: number
  readonly standardError: number
  readonly df: number
  /** The parts of the variance of the mean from the mean squares of rows, columns and noise. */
  readonly parts: { readonly rows: number; readonly columns: number; readonly error: number }
  /** The estimate of the mean from each column alone, with its rows' own effects removed. */
  readonly columns: readonly number[]
  /** Of the columns' effects; 0 if they vary no more than by the noise of their cells. */
  readonly columnSd: number
  /** Its upper limit with 95% confidence. */
  readonly mostColumnSd: number
  /** Of the F test that columns differ only by noise. */
  readonly columnP: number
}

/** Rows with different weights, and the variance of their weighted mean if columns had no effect. */
export interface WeightedRows {
  readonly weightOf: (row: number) => number
  readonly variance: number
  readonly df: number
}

/**
 * Two-way random effects, one value per cell and cells may be missing: variance components by fitting constants
 * (Henderson 1953, Biometrics 9:226, method 3; Searle, Casella & McCulloch 1992, ch. 5), degrees of freedom by
 * Satterthwaite (1946, Biometrics Bull. 2:110). With two or three columns it is anti-conservative by itself, because a
 * small spread between them may be luck: use the most cautious of it and of the tests with rows, and with columns, as
 * units.
 */
export function crossedMean(cells: readonly CrossedCell[], weighted?: WeightedRows): Estimate<CrossedMean> {
  const values = cells.map(({ value }) => value)
  const reason = unusable(values, 2)
  if (reason !== undefined) return reason
  const rows = groupsOf(cells, ({ row }) => row)
  const columns = groupsOf(cells, ({ column }) => column)
  const [n, many, few] = [cells.length, rows.size, columns.size]
  const dfError = n - many - few + 1
  if (many < 2 || few < 2 || dfError < 1) return unavailable('too_few_values')
  const rowMeans = new Map([...rows].map(([row, own]) => [row, meanOf(own.map(({ value }) => value))]))
  const weightOf = weighted?.weightOf ?? (() => 1)
  const whole = [...rowMeans.keys()].reduce((sum, row) => sum + weightOf(row), 0)
  const shareOf = (row: number): number => weightOf(row) / whole
  const estimate = [...rowMeans].reduce((sum, [row, mean]) => sum + shareOf(row) * mean, 0)
  const effects = columnEffects(cells, rows, columns)
  const withoutColumns = residuals(cells, rows, new Map())
  const error = squares(residuals(cells, rows, effects)) / dfError
  const ofColumns = Math.max(0, squares(withoutColumns) - error * dfError) / (few - 1)
  // The coefficient of a column's variance in the columns' mean square.
  const times = (n - many) / (few - 1)
  const weight = [...columns.values()].reduce(
    (sum, own) => sum + own.reduce((part, { row }) => part + shareOf(row) / (rows.get(row)?.length ?? 1), 0) ** 2,
    0,
  )
  const share = weight / times
  const rowVariance = weighted?.variance ?? sumOfSquares([...rowMeans.values()]) / (many - 1) / many
  const rowDf = weighted?.df ?? many - 1
  const excess = Math.max(0, ofColumns - error)
  const variance = Math.max(rowVariance + excess * share, ofColumns * share)
  if (!(variance > 0)) return unavailable('zero_variance')
  const spread = rowVariance ** 2 / rowDf + (ofColumns * share) ** 2 / (few - 1) + (error * share) ** 2 / dfError
  const most = sdInterval(Math.sqrt(ofColumns), few, 0.9)
  const centre = meanOf([...effects.values()])
  return {
    estimate,
    standardError: Math.sqrt(variance),
    parts: { rows: rowVariance, columns: ofColumns * share, error: error * share },
    df: Math.max(1, Math.min(Math.max(rowDf, few - 1), variance ** 2 / spread)),
    columns: [...columns.keys()]
      .toSorted((a, b) => a - b)
      .map(column => estimate + (effects.get(column) ?? 0) - centre),
    columnSd: Math.sqrt(excess / times),
    mostColumnSd: Math.sqrt(Math.max(0, (isAvailable(most) ? most.high ** 2 : ofColumns) - error) / times),
    columnP: error > 0 ? fisherFSurvival(ofColumns / error, few - 1, dfError) : 0,
  }
}

type Group = readonly CrossedCell[]

const groupsOf = (cells: readonly CrossedCell[], key: (cell: CrossedCell) => number): ReadonlyMap<number, Group> =>
  Map.groupBy(cells, key)

/** Least squares by alternation: rows given columns, columns given rows. Without missing cells, one step is enough. */
function columnEffects(
  cells: readonly CrossedCell[],
  rows: ReadonlyMap<number, Group>,
  columns: ReadonlyMap<number, Group>,
): ReadonlyMap<number, number> {
  const effects = new Map([...columns.keys()].map(column => [column, 0]))
  const isWhole = cells.length === rows.size * columns.size
  for (let turn = 0; turn < 500; turn++) {
    const rowLevels = levelsOf(rows, effects)
    let moved = 0
    for (const [column, own] of columns) {
      const effect = meanOf(own.map(({ row, value }) => value - (rowLevels.get(row) ?? 0)))
      moved = Math.max(moved, Math.abs(effect - (effects.get(column) ?? 0)))
      effects.set(column, effect)
    }
    const scale = Math.max(...[...effects.values()].map(Math.abs))
    if (isWhole || moved <= 1e-10 * scale) break
  }
  return effects
}

const levelsOf = (
  rows: ReadonlyMap<number, Group>,
  effects: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> =>
  new Map([...rows].map(([row, own]) => [row, meanOf(own.map(cell => cell.value - (effects.get(cell.column) ?? 0)))]))

function residuals(
  cells: readonly CrossedCell[],
  rows: ReadonlyMap<number, Group>,
  effects: ReadonlyMap<number, number>,
): readonly number[] {
  const levels = levelsOf(rows, effects)
  return cells.map(({ row, column, value }) => value - (levels.get(row) ?? 0) - (effects.get(column) ?? 0))
}

const squares = (values: readonly number[]): number => values.reduce((sum, value) => sum + value * value, 0)
