import { type Bar, barsChart } from './bars.ts'
import type { ChartOptions } from './drawing/frame.ts'
import { isDrawable } from './drawing/numbers.ts'

export interface RatiosData {
  readonly title?: string
  readonly metric: string
  /** What the ratios are relative to. */
  readonly baseline: string
  readonly intervalLabel?: string
  readonly ratios: readonly Bar[]
}

/** Each ablation's metric divided by the baseline's in the same block, largest first, with a line at 1. */
export function ratiosChart(data: RatiosData, options: ChartOptions): string {
  const rank = (bar: Bar) => (isDrawable(bar.value) ? bar.value : Number.NEGATIVE_INFINITY)
  const bars = [...data.ratios].sort((a, b) => rank(b) - rank(a) || 0)
  return barsChart(
    {
      title: data.title ?? `${data.metric} relative to ${data.baseline}`,
      metric: `${data.metric}, ratio to ${data.baseline}`,
      panels: [[{ bars }]],
      reference: { value: 1, label: `${data.baseline} (1)` },
      ...(data.intervalLabel === undefined ? {} : { intervalLabel: data.intervalLabel }),
    },
    options,
  )
}
