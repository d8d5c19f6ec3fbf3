import type { CallSums } from '../../src/models/trajectory/trajectory.ts'
import type { TrajectoryView } from '../../src/report/dataset/turns.ts'
import { amountText } from '../../src/util/words.ts'
import { wholeText } from './turn-view.tsx'

const purposes = [
  ['agent', 'agent'],
  ['summary', 'summaries'],
  ['rloop', 'reviews'],
] as const

const columns: readonly (readonly [string, (sums: CallSums) => number | null, (value: number) => string])[] = [
  ['calls', ({ calls }) => calls, wholeText],
  ['tokens in, not cached', sums => sums.raw_input_tokens, wholeText],
  ['cached', sums => sums.cached_input_tokens, wholeText],
  ['out', sums => sums.output_tokens, wholeText],
  ['thinking', sums => sums.reasoning_tokens, wholeText],
  ['cost', sums => sums.cost_usd, amountText('cost_usd')],
  ['at list price', sums => sums.price_usd, amountText('cost_usd')],
]

/** The usage of all calls, by purpose. */
export function TotalsTable({ totals }: Pick<TrajectoryView, 'totals'>) {
  const rows = purposes.filter(([name]) => name === 'agent' || totals[name].calls !== 0)
  return (
    <div class="table-scroll">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">calls for</th>
            {columns.map(([name]) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, label]) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              {columns.map(([column, pick, write]) => {
                const value = pick(totals[name])
                return (
                  <td key={column} class="number">
                    {value === null ? '–' : write(value)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
