import type { Cell } from '../../src/report/figures/figure.ts'

export interface DifferenceRow {
  readonly name: string
  readonly a: Cell
  readonly b: Cell
  readonly write: (value: number) => string
}

interface DifferenceTableProps {
  readonly title: string
  readonly labels: readonly [string, string]
  readonly rows: readonly DifferenceRow[]
}

/** Two columns; what differs is marked, and numbers are subtracted. */
export function DifferenceTable({ title, labels, rows }: DifferenceTableProps) {
  if (rows.length === 0) return null
  const hasNumbers = rows.some(({ a, b }) => typeof a === 'number' && typeof b === 'number' && a !== b)
  return (
    <>
      <h3>{title}</h3>
      <div class="table-scroll">
        <table class="plain pair">
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">Name</span>
              </th>
              <th scope="col">{labels[0]}</th>
              <th scope="col">{labels[1]}</th>
              {hasNumbers && <th scope="col">difference</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, a, b, write }) => {
              const differs = a !== b
              const text = (cell: Cell) => (cell === null ? '–' : typeof cell === 'number' ? write(cell) : cell)
              return (
                <tr key={name} class={differs ? 'differs' : ''}>
                  <th scope="row">
                    {differs && (
                      <span class="differs-mark" title="differs">
                        ≠
                      </span>
                    )}
                    {name}
                  </th>
                  <td>{text(a)}</td>
                  <td>{text(b)}</td>
                  {hasNumbers && (
                    <td class="number">
                      {typeof a === 'number' && typeof b === 'number' && differs ? write(b - a) : ''}
                    </td>
                  )}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}
