import type { Level } from './level.ts'

/** One axis: a factor, factors zipped together, or the ablations. Row by row, a level for each column. */
export interface Axis {
  readonly columns: readonly Column[]
  readonly size: number
  /** The first row with the same levels in the columns that matter (a sum of {@link weightOf}). */
  firstRow(row: number, matters: number): number
  /** The first row with these levels in the columns that matter; null if there is none. */
  find(levels: readonly Level[], matters: number): number | null
}

export interface Column {
  readonly name: string
  readonly levels: readonly Level[]
}

/** The bit of a column in a set of columns. */
export const weightOf = (column: number): number => 2 ** column

export function makeAxis(columns: readonly Column[]): Axis {
  const size = columns[0]?.levels.length ?? 0
  const indexes = new Map<number, Index>()
  const indexFor = (matters: number): Index => {
    const known = indexes.get(matters)
    if (known !== undefined) return known
    const made = makeIndex(columns, size, matters)
    indexes.set(matters, made)
    return made
  }
  return {
    columns,
    size,
    firstRow: (row, matters) => indexFor(matters).first[row] ?? 0,
    find: (levels, matters) => indexFor(matters).rows.get(signature(levels, matters)) ?? null,
  }
}

interface Index {
  readonly first: Uint32Array
  readonly rows: ReadonlyMap<string, number>
}

function makeIndex(columns: readonly Column[], size: number, matters: number): Index {
  const first = new Uint32Array(size)
  const rows = new Map<string, number>()
  for (let row = 0; row < size; row++) {
    const levels = columns.map(column => column.levels[row])
    const text = signature(levels, matters)
    const earlier = rows.get(text)
    if (earlier === undefined) rows.set(text, row)
    first[row] = earlier ?? row
  }
  return { first, rows }
}

const signature = (levels: readonly (Level | undefined)[], matters: number): string =>
  levels.map((level, column) => (Math.floor(matters / weightOf(column)) % 2 === 1 ? level?.json : '')).join('\n')
