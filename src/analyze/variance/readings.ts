import type { Evidence } from '../../define/observation.ts'
import type { Window } from '../../stats/index.ts'
import { defaultSummary, type Reading, readingOf, rewardMetric } from '../reading.ts'

/** The statistics of a run, each with its name on the page; the first is the subject of the sentence. */
export type NamedReadings = readonly { readonly name: string; readonly reading: Reading }[]

/**
 * The statistics of a run: for a series, its area (or the requested summary) and its slope, over the same window unless
 * another is given for the slope; for a plain number, and for a series too short for an area, the number itself.
 */
export function varianceReadings(
  evidence: Evidence,
  wish: {
    readonly metric?: string | undefined
    readonly summary?: NonNullable<Reading['summary']> | undefined
    readonly slopeWindow?: Window | undefined
  },
): NamedReadings {
  const metric = wish.metric ?? (has(evidence, rewardMetric) ? rewardMetric : undefined)
  const plain = readingOf(evidence, { metric })
  const isShort = wish.summary === undefined && plain.summary === null && areShort(evidence, plain.metric)
  const reading = isShort ? plain : readingOf(evidence, { metric, summary: wish.summary ?? defaultSummary })
  const { summary } = reading
  if (summary === null) return [{ name: 'Value', reading }]
  const slope = { ...summary, reduction: { kind: 'slope' } as const, window: wish.slopeWindow ?? summary.window }
  return [
    { name: names[summary.reduction.kind], reading },
    ...(summary.reduction.kind === 'slope' ? [] : [{ name: names.slope, reading: { ...reading, summary: slope } }]),
  ]
}

/**
 * Whether no series has enough points for an area, such as those of a scenario with a few turns: the final value
 * counts.
 */
const areShort = ({ runs }: Evidence, metric: string): boolean =>
  runs.every(run => run.series.every(one => one.metric !== metric || one.values.length < defaultSummary.minPoints))

const has = ({ runs }: Evidence, metric: string): boolean =>
  runs.some(run => run.metrics[metric] !== undefined || run.series.some(series => series.metric === metric))

/** As the sections of the report are named. */
const names = {
  auc: 'AUC',
  slope: 'Derivative',
  last: 'Last',
  mean: 'Mean',
  best: 'Best',
  'eval-last': 'Last points',
  'time-to': 'Time to',
} as const
