import type { StoryView } from '../../src/report/dataset/turns.ts'
import { amountText } from '../../src/util/words.ts'
import { shownValue } from './metrics-beside.tsx'

/** With more columns, the curves are better. */
const mostColumns = 8

/** The whole run in one table: a row per turn, with its metrics and cost. A turn's number links to it. */
export function StoryOverview({ view, onGo }: { readonly view: StoryView; readonly onGo: (turn: number) => void }) {
  const { metrics, overview, branched_from, turn_count } = view
  const names = metrics.slice(0, mostColumns)
  if (overview.length === 0) return null
  return (
    <details class="overview" open={overview.length <= 40}>
      <summary>All turns at a glance</summary>
      <div class="table-scroll">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">turn</th>
              {names.map(name => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
              <th scope="col" class="number">
                calls
              </th>
              <th scope="col" class="number">
                list price
              </th>
            </tr>
          </thead>
          <tbody>
            {overview.map(({ number, values, calls, price_usd }) => (
              <tr key={number} class={branched_from !== null && number <= branched_from.turn ? 'of-trunk' : ''}>
                <th scope="row">
                  <button type="button" class="link" onClick={() => onGo(number)}>
                    {number}
                  </button>
                </th>
                {names.map((name, at) => (
                  <td key={name} class="number">
                    {shownValue(values[at] ?? null)}
                  </td>
                ))}
                <td class="number">{calls}</td>
                <td class="number">{price_usd === null ? '–' : amountText('cost_usd')(price_usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {overview.length < turn_count && (
        <p class="note">
          Of {turn_count.toLocaleString('en')} turns, {overview.length.toLocaleString('en')} are in this table.
        </p>
      )}
      {metrics.length > names.length && <p class="note">Each turn has more metrics beside it.</p>}
    </details>
  )
}
