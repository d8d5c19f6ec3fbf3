import type { Cell } from '../../src/report/figures/figures.ts'
import type { DifferenceRow } from './value-rows.ts'

interface DifferenceTableProps {
  readonly title: string
  readonly rows: readonly DifferenceRow[]
}

/** Which is A and which is B: complete names are too long for column headings. */
export function PairKey({ labels }: { readonly labels: readonly [string, string] }) {
  return (
    <dl class="pair-key">
      {labels.map((label, at) => (
        <div key={at}>
          <dt>{pairNames[at]}</dt>
          <dd>{label}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Short names of the two in tables. */
export const pairNames = ['A', 'B'] as const

/** Two columns; differences are marked, and numbers are subtracted. */
export function DifferenceTable({ title, rows }: DifferenceTableProps) {
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
              {pairNames.map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              {hasNumbers && (
                <th scope="col" class="number">
                  B − A
                </th>
              )}
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
                  {[a, b].map((cell, at) => (
                    <td key={at} class={typeof cell === 'number' ? 'whole' : ''}>
                      {text(cell)}
                    </td>
                  ))}
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
