import type { Evidence } from '../../plan/evidence.ts'
import type { Window } from '../../stats/curves/window.ts'
import { defaultSummary, type Reading, readingOf } from '../reading.ts'
import type { VarianceQuestion } from './variance.ts'

/** What training runs are judged by unless something else is said. */
const usualMetric = 'overview/reward'

/**
 * The statistics of a run: of a series, its area (or the summary asked for) and its slope, over the same window unless
 * the slope is given another; of a plain number, that number.
 */
export function varianceReadings(
  evidence: Evidence,
  wish: {
    readonly metric?: string | undefined
    readonly summary?: NonNullable<Reading['summary']> | undefined
    readonly slopeWindow?: Window | undefined
  },
): VarianceQuestion['readings'] {
  const metric = wish.metric ?? (has(evidence, usualMetric) ? usualMetric : undefined)
  const reading = readingOf(evidence, { metric, summary: wish.summary ?? defaultSummary })
  const { summary } = reading
  if (summary === null) return [{ name: 'Value', reading }]
  const slope = { ...summary, reduction: { kind: 'slope' } as const, window: wish.slopeWindow ?? summary.window }
  return [
    { name: names[summary.reduction.kind], reading },
    ...(summary.reduction.kind === 'slope' ? [] : [{ name: names.slope, reading: { ...reading, summary: slope } }]),
  ]
}

const has = ({ runs }: Evidence, metric: string): boolean =>
  runs.some(run => run.metrics[metric] !== undefined || run.series.some(series => series.metric === metric))

/** As the sections of the report are called. */
const names = {
  auc: 'AUC',
  slope: 'Derivative',
  last: 'Last',
  mean: 'Mean',
  best: 'Best',
  'eval-last': 'Last points',
  'time-to': 'Time to',
} as const
