import { useRef } from 'preact/hooks'
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
  // Once there were charts there is room for them: the page must not jump whenever a run ends.
  const hadSeries = useRef(false)
  hadSeries.current ||= running.some(({ series }) => series.length > 0)
  if (running.length === 0) return null
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
      <ul class={hadSeries.current ? 'running-cards' : 'running-list'}>
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
            {hadSeries.current && series.length === 0 && <p class="mini-none">nothing reported yet</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
