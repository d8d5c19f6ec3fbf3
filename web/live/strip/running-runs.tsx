import type { Progress } from '../../../src/serve/wire.ts'
import { timeText } from '../parts/words.ts'
import { MiniChart } from './mini-chart.tsx'

interface RunningRunsProps {
  readonly progress: Progress
  readonly now: number
  readonly onOpen: (run: string) => void
}

/** What is under way, with what it has reported up to now. */
export function RunningRuns({ progress, now, onOpen }: RunningRunsProps) {
  const { running, summary } = progress
  if (running.length === 0) return null
  const withSeries = running.filter(({ series }) => series.length > 0)
  return (
    <section class="running" aria-labelledby="running-title">
      <h2 id="running-title">
        Running now
        {summary.running > running.length && (
          <span class="note">
            {' '}
            the first {running.length} of {summary.running}
          </span>
        )}
      </h2>
      <ul class={withSeries.length === 0 ? 'running-list' : 'running-cards'}>
        {running.map(({ run, attempt, started_at, series }) => (
          <li key={`${run} ${attempt}`}>
            <p class="running-head">
              <button type="button" class="link" title={run} onClick={() => onOpen(run)}>
                {run}
              </button>
              <span class="running-time">
                {timeText(now - started_at)}
                {attempt > 1 && `, attempt ${attempt}`}
              </span>
            </p>
            {series.map(one => (
              <MiniChart key={one.metric} series={one} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}
