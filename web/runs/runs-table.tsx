import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { counted } from '../../src/util/words.ts'
import { useHeight } from '../state/use-height.ts'
import { usePrinted } from '../state/use-printed.ts'
import type { RunColumn } from './run-columns.ts'
import type { KnownRun } from './run-index.ts'

export interface Sorting {
  readonly column: string
  readonly sign: 1 | -1
}

interface RunsTableProps {
  readonly columns: readonly RunColumn[]
  readonly rows: readonly KnownRun[]
  readonly sorting: Sorting | null
  /**
   * Identifies the selection of rows: another one is shown from its top, the same with more runs from the present
   * position.
   */
  readonly choice: string
  readonly chosen: readonly string[]
  readonly onSort: (sorting: Sorting | null) => void
  readonly onChoose: (id: string) => void
  readonly onOpen: (id: string) => void
}

const rowHeight = 32
/** Rows made above and below those in sight, so that scrolling shows no gap. */
const spare = 12
const longestName = 36
/** On a phone the metric must fit beside it. */
const longestNarrow = 18
/** About a dozen printed pages; the file has all of them. */
const mostPrinted = 500

/** Any number of rows: only the visible ones are rendered. */
export function RunsTable({ columns, rows, sorting, choice, chosen, onSort, onChoose, onOpen }: RunsTableProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [current, setCurrent] = useState(0)
  const [isMoved, setMoved] = useState(false)
  const height = useHeight(frame) || 560
  const isPrinted = usePrinted()
  const first = isPrinted ? 0 : Math.max(0, Math.floor(top / rowHeight) - spare)
  const last = Math.min(rows.length, isPrinted ? mostPrinted : Math.ceil((top + height) / rowHeight) + spare)
  const longest = isNarrow() ? longestNarrow : longestName
  const widths = useMemo(() => columns.map(column => widthOf(column, rows, longest)), [columns, rows, longest])
  useEffect(() => {
    setCurrent(0)
    frame.current?.scrollTo({ top: 0 })
  }, [choice])
  useEffect(() => {
    if (!isMoved) return
    frame.current?.querySelector<HTMLElement>(`[data-row="${current}"]`)?.focus({ preventScroll: true })
    setMoved(false)
  }, [current, isMoved])
  const move = (to: number): void => {
    const row = Math.max(0, Math.min(rows.length - 1, to))
    const { current: box } = frame
    if (box === null) return
    const [above, below] = [row * rowHeight, (row + 2) * rowHeight]
    if (above < box.scrollTop) box.scrollTop = above
    else if (below > box.scrollTop + box.clientHeight) box.scrollTop = below - box.clientHeight
    setTop(box.scrollTop)
    setCurrent(row)
    setMoved(true)
  }
  const onKey = (event: KeyboardEvent, row: KnownRun): void => {
    const page = Math.floor(height / rowHeight) - 2
    const target = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: rows.length - 1,
    }[event.key]
    if (target !== undefined) move(target)
    else if (event.key === 'Enter') onOpen(row.id)
    else if (event.key === ' ') onChoose(row.id)
    else return
    event.preventDefault()
  }
  const turn = (column: string): void =>
    onSort(sorting?.column !== column ? { column, sign: 1 } : sorting.sign === 1 ? { column, sign: -1 } : null)
  return (
    <div
      class="runs-frame"
      ref={frame}
      style={{ '--rows': rows.length + 2 }}
      onScroll={event => setTop(event.currentTarget.scrollTop)}
    >
      <table
        class="runs-table"
        aria-label="Runs"
        aria-rowcount={rows.length + 1}
        style={isPrinted ? {} : { width: `max(100%, ${widths.reduce((sum, width) => sum + width, 40)}px)` }}
      >
        {!isPrinted && (
          <colgroup>
            <col style={{ width: '40px' }} />
            {columns.map(({ name }, at) => (
              <col key={name} style={{ width: `${widths[at]}px` }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">
              <span class="unseen">Choose</span>
            </th>
            {columns.map(({ name, isNumber }) => (
              <th
                key={name}
                scope="col"
                class={isNumber ? 'number' : ''}
                aria-sort={sorting?.column !== name ? 'none' : sorting.sign === 1 ? 'ascending' : 'descending'}
              >
                <button type="button" title={name} onClick={() => turn(name)}>
                  {name}
                  <span class="sort-mark" aria-hidden="true">
                    {sorting?.column !== name ? '' : sorting.sign === 1 ? '↑' : '↓'}
                  </span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <tr style={{ height: `${first * rowHeight}px` }} />}
          {rows.slice(first, last).map((row, index) => {
            const at = first + index
            return (
              <tr
                key={row.id}
                data-row={at}
                aria-rowindex={at + 2}
                tabIndex={at === current ? 0 : -1}
                class={row.run.state === 'completed' ? '' : 'not-completed'}
                onClick={() => onOpen(row.id)}
                onFocus={() => setCurrent(at)}
                onKeyDown={event => onKey(event, row)}
              >
                <td>
                  <input
                    type="checkbox"
                    tabIndex={-1}
                    aria-label={`Choose ${row.run.name}`}
                    checked={chosen.includes(row.id)}
                    onClick={event => event.stopPropagation()}
                    onChange={() => onChoose(row.id)}
                  />
                </td>
                {columns.map(column => (
                  <td
                    key={column.name}
                    class={column.isNumber ? 'number' : ''}
                    title={column.name === 'run' ? row.run.name : column.text(row)}
                  >
                    {column.name === 'run' ? middleCut(column.text(row), longest) : column.text(row)}
                  </td>
                ))}
              </tr>
            )
          })}
          {last < rows.length && <tr style={{ height: `${(rows.length - last) * rowHeight}px` }} />}
        </tbody>
      </table>
      {isPrinted && last < rows.length && (
        <p class="note">
          The other {counted(rows.length - last, 'run')} are not printed: the page, and the files it gives, have them.
        </p>
      )}
    </div>
  )
}

/** Names of runs differ at either end. */
function middleCut(text: string, longest: number): string {
  const characters = [...text]
  return characters.length <= longest
    ? text
    : `${characters.slice(0, longest / 2).join('')}…${characters.slice(1 - longest / 2).join('')}`
}

const isNarrow = (): boolean => window.innerWidth < 600

/** From the heading and a sample of the cells: widths must not change while scrolling. */
function widthOf({ name, text }: RunColumn, rows: readonly KnownRun[], most: number): number {
  const step = Math.max(1, Math.floor(rows.length / 60))
  let longest = 0
  const cells = name === 'run' ? most : longestName
  for (let at = 0; at < rows.length; at += step) {
    const row = rows[at]
    if (row !== undefined) longest = Math.max(longest, text(row).length)
  }
  const head = 8.2 * name.length + 16
  return Math.round(24 + Math.max(Math.min(220, head), 7.7 * Math.min(cells, longest)))
}
