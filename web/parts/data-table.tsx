import { useMemo, useState } from 'preact/hooks'
import { type Cell, cellText, type FigureTable } from '../../src/report/figures/figures.ts'

/** More rows at once would make the page slow; the file has them all. */
const shownAtOnce = 100

/** A table that sorts by the column whose head is pressed. */
export function DataTable({ table, label }: { readonly table: FigureTable; readonly label: string }) {
  const [sorted, setSorted] = useState<{ readonly column: number; readonly sign: 1 | -1 } | null>(null)
  const [shown, setShown] = useState(shownAtOnce)
  const rows = useMemo(() => {
    if (sorted === null) return table.rows
    const { column, sign } = sorted
    return table.rows.toSorted((a, b) => compared(a[column] ?? null, b[column] ?? null, sign))
  }, [table, sorted])
  const turn = (column: number): void =>
    setSorted(sorted?.column !== column ? { column, sign: 1 } : sorted.sign === 1 ? { column, sign: -1 } : null)
  return (
    <div class="table-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <section class="table-scroll" tabIndex={0} aria-label={label}>
        <table>
          <thead>
            <tr>
              {table.columns.map(({ name, write }, column) => (
                <th
                  key={name}
                  scope="col"
                  class={write === undefined ? '' : 'number'}
                  aria-sort={sorted?.column !== column ? 'none' : sorted.sign === 1 ? 'ascending' : 'descending'}
                >
                  <button type="button" onClick={() => turn(column)}>
                    {name}
                    <span class="sort-mark" aria-hidden="true">
                      {sorted?.column !== column ? '' : sorted.sign === 1 ? '↑' : '↓'}
                    </span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, at) => (
              <tr key={at}>
                {table.columns.map((column, index) => (
                  <td
                    key={column.name}
                    class={column.write === undefined ? '' : 'number'}
                    data-tone={column.tone?.(row[index] ?? null) ?? undefined}
                  >
                    {cellText(row[index] ?? null, column)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > shown && (
        <button type="button" class="quiet" onClick={() => setShown(shown + 10 * shownAtOnce)}>
          {rows.length - shown} more rows
        </button>
      )}
    </div>
  )
}

/** Numbers by size, texts by letters; missing values come last in both directions. */
export function compared(a: Cell, b: Cell, sign: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b)
  return sign * byLetters.compare(String(a), String(b))
}

const byLetters = new Intl.Collator('en', { numeric: true })
