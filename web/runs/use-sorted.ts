import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Cell } from '../../src/report/figures/figures.ts'
import { compared } from '../parts/data-table.tsx'
import type { RunColumn } from './run-columns.ts'
import type { KnownRun } from './run-index.ts'
import type { Sorting } from './runs-table.tsx'

/** This many are sorted at once; more in slices. */
const few = 5000
const sliceMs = 12
const chunkLength = 2048

interface Keyed {
  readonly run: KnownRun
  readonly key: Cell
}

type Rows = readonly KnownRun[]

/** The rows in order. While many are being sorted, the page stays responsive and shows the previous order. */
export function useSorted(rows: Rows, columns: readonly RunColumn[], sorting: Sorting | null): Rows {
  const column = columns.find(({ name }) => name === sorting?.column)
  const sign = sorting?.sign ?? 1
  const isMany = column !== undefined && rows.length > few
  const [slow, setSlow] = useState<{ readonly of: Rows; readonly rows: Rows } | null>(null)
  const quick = useMemo(
    () => (column === undefined || isMany ? rows : inOrder(rows, column, sign)),
    [rows, column, sign, isMany],
  )
  useEffect(() => {
    if (!isMany || column === undefined) return
    let isWanted = true
    void inSlices(rows, column, sign, () => isWanted).then(
      found => found !== null && setSlow({ of: rows, rows: found }),
    )
    return () => {
      isWanted = false
    }
  }, [rows, column, sign, isMany])
  if (!isMany) return quick
  // Rows of another selection would be wrong; another order of the same ones is only outdated.
  return slow?.of === rows ? slow.rows : rows
}

function inOrder(rows: Rows, column: RunColumn, sign: 1 | -1): Rows {
  const keyed = rows.map(run => ({ run, key: column.cell(run) }))
  return keyed.sort((one, other) => compared(one.key, other.key, sign)).map(({ run }) => run)
}

/** The same by merging sorted chunks, with a pause after every time slice; null: it is no longer needed. */
async function inSlices(rows: Rows, column: RunColumn, sign: 1 | -1, isWanted: () => boolean): Promise<Rows | null> {
  const compare = (one: Keyed, other: Keyed): number => comparedKeys(one.key, other.key, sign)
  let started = performance.now()
  const breathe = async (): Promise<boolean> => {
    if (performance.now() - started < sliceMs) return true
    await new Promise(resolve => setTimeout(resolve))
    started = performance.now()
    return isWanted()
  }
  let chunks: Keyed[][] = []
  for (let from = 0; from < rows.length; from += chunkLength) {
    const chunk = rows.slice(from, from + chunkLength).map(run => ({ run, key: keyOf(column.cell(run)) }))
    chunks.push(chunk.sort(compare))
    if (!(await breathe())) return null
  }
  while (chunks.length > 1) {
    const merged: Keyed[][] = []
    for (let at = 0; at < chunks.length; at += 2) {
      const [left = [], right = []] = [chunks[at], chunks[at + 1]]
      const both: Keyed[] = []
      for (let [i, j] = [0, 0]; i < left.length || j < right.length; ) {
        const [one, other] = [left[i], right[j]]
        const next = other === undefined || (one !== undefined && compare(one, other) <= 0) ? left[i++] : right[j++]
        if (next !== undefined) both.push(next)
        if (both.length % chunkLength === 0 && !(await breathe())) return null
      }
      merged.push(both)
    }
    chunks = merged
  }
  return (chunks[0] ?? []).map(({ run }) => run)
}

/** Numbers inside a text count by size: with leading zeros, plain letter order sorts them, a hundred times as fast. */
const keyOf = (cell: Cell): Cell =>
  typeof cell === 'string' ? cell.toLowerCase().replace(/\d+/g, digits => digits.padStart(12, '0')) : cell

function comparedKeys(a: Cell, b: Cell, sign: 1 | -1): number {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? 0 : a < b ? -sign : sign
  return compared(a, b, sign)
}
