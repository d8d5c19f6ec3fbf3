import type { Counts } from '../../../src/serve/wire.ts'
import { countText } from './words.ts'

interface Part {
  readonly name: string
  readonly kind: 'done' | 'bad' | 'cut' | 'running'
  readonly count: number
}

/** The shares of completed, failed and running runs, also given as text. */
export function ProgressBar({ summary }: { readonly summary: Counts }) {
  const parts = partsOf(summary)
  const planned = Math.max(1, summary.planned)
  const over = summary.planned - summary.pending - summary.running
  return (
    <div
      class="progress"
      role="progressbar"
      aria-label="Runs that are over"
      aria-valuemin={0}
      aria-valuemax={summary.planned}
      aria-valuenow={over}
      aria-valuetext={countsText(summary)}
    >
      {parts.map(({ name, kind, count }) => (
        <div key={name} class={`progress-${kind}`} style={{ width: `${(100 * count) / planned}%` }} />
      ))}
    </div>
  )
}

/** `12 of 40 completed · 2 failed · 3 running · 23 to come`. */
export function countsText(summary: Counts): string {
  const others = partsOf(summary)
    .slice(1)
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${countText(count)} ${name}`)
  const rest = summary.pending > 0 ? [`${countText(summary.pending)} to come`] : []
  return [`${countText(summary.completed)} of ${countText(summary.planned)} completed`, ...others, ...rest].join(' · ')
}

const partsOf = (summary: Counts): readonly Part[] => [
  { name: 'completed', kind: 'done', count: summary.completed },
  { name: 'failed', kind: 'bad', count: summary.failed + summary.quarantined },
  { name: 'timed out', kind: 'bad', count: summary.timed_out },
  { name: 'infrastructure errors', kind: 'bad', count: summary.infra_error },
  { name: 'stopped early', kind: 'cut', count: summary.stopped_early },
  { name: 'cut by a limit', kind: 'cut', count: summary.cost_limited + summary.rate_limited },
  { name: 'cancelled', kind: 'cut', count: summary.cancelled },
  { name: 'stale', kind: 'cut', count: summary.stale },
  { name: 'running', kind: 'running', count: summary.running },
]
