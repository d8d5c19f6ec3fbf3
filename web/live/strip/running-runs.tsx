import { useMemo, useRef } from 'preact/hooks'
import type { Progress } from '../../../src/serve/wire.ts'
import { plainNumber } from '../../../src/util/words.ts'
import { timeText } from '../parts/words.ts'
import { SeriesChart } from './series-chart.tsx'

interface RunningRunsProps {
  readonly progress: Progress
  readonly now: number
  readonly onOpen: (run: string) => void
}

/** Also distinguishable for red-blind readers (Okabe and Ito 2008). */
const palette = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#8c6bb1', '#999999'] as const

const mostCharts = 4

/** Running runs, with their reports so far. */
export function RunningRuns({ progress, now, onOpen }: RunningRunsProps) {
  const { running, summary, workers } = progress
  // The page must not jump whenever a run ends: space is kept during the experiment.
  const most = useRef(0)
  const known = useRef<readonly string[]>([])
  const colors = useRef(new Map<string, string>())
  most.current = Math.max(most.current, running.length)
  const colored = useMemo(() => {
    for (const { run } of running)
      if (!colors.current.has(run)) colors.current.set(run, palette[colors.current.size % palette.length] ?? '#0072b2')
    return running.map(one => ({ ...one, color: colors.current.get(one.run) ?? '#0072b2' }))
  }, [running])
  const reported = colored.flatMap(({ series }) => series.map(({ metric }) => metric))
  known.current = [...new Set([...known.current, ...reported])]
  if (running.length === 0 && (most.current === 0 || workers.length === 0)) return null
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
      <ul class="running-list" style={{ minHeight: `${1.75 * most.current}rem` }}>
        {colored.map(({ run, attempt, started_at, series, color }) => (
          <li key={`${run} ${attempt}`} class="running-head">
            <span class="swatch" style={{ background: known.current.length === 0 ? 'none' : color }} />
            <button type="button" class="link" title={run} onClick={() => onOpen(run)}>
              {run}
            </button>
            <span class="running-time">
              {timeText(now - started_at)}
              {attempt > 1 && `, attempt ${attempt}`}
              {series.slice(0, 3).map(({ metric, values }) => (
                <span key={metric} class="running-value">
                  {metric} {values.length === 0 ? '–' : plainNumber(values.at(-1) ?? 0)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <div class="running-charts">
        {known.current.slice(0, mostCharts).map(metric => (
          <SeriesChart
            key={metric}
            metric={metric}
            runs={colored.flatMap(({ run, color, series }) => {
              const own = series.find(one => one.metric === metric)
              return own === undefined || own.values.length === 0 ? [] : [{ run, color, series: own }]
            })}
          />
        ))}
      </div>
    </section>
  )
}
