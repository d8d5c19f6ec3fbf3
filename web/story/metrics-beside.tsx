import type { MetricValue, StoryTurn } from '../../src/report/dataset/turns.ts'
import { plainNumber } from '../../src/util/words.ts'
import { valueText } from './story-divergence.ts'

interface MetricsBesideProps {
  readonly metrics: StoryTurn['metrics']
  /** The last known value of each before this turn. */
  readonly before: ReadonlyMap<string, MetricValue>
}

/** The metrics after a turn, and their changes in it. */
export function MetricsBeside({ metrics, before }: MetricsBesideProps) {
  if (metrics.length === 0) return null
  return (
    <aside class="story-metrics" aria-label="Metrics">
      <h4>Metrics</h4>
      <dl>
        {metrics.map(({ name, value, problem }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {shownValue(value)}
              <Change value={value} before={before.get(name) ?? null} />
              {problem !== null && <span class="mark-warning">not read: {problem}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </aside>
  )
}

function Change({ value, before }: { readonly value: MetricValue; readonly before: MetricValue }) {
  if (value === null || before === null || value === before) return null
  if (typeof value === 'number' && typeof before === 'number')
    return <span class="change">{`${value > before ? '+' : '−'}${numberText(Math.abs(value - before))}`}</span>
  return <span class="change">was {valueText(before)}</span>
}

export const shownValue = (value: MetricValue): string =>
  value === null ? '–' : typeof value === 'number' ? numberText(value) : valueText(value)

/** Most metrics are small whole numbers, which have no decimals. */
const numberText = (value: number): string =>
  Number.isSafeInteger(value) ? value.toLocaleString('en') : plainNumber(value)
