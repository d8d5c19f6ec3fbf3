import * as Plot from '@observablehq/plot'
import { sortedQuantile } from '../stats/index.ts'
import type { ChartOptions, Range } from './chart.ts'
import { countAxis, valueAxis } from './drawing/axis.ts'
import { frame, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { clamped, drawableRange, extentOf, padded } from './drawing/interval.ts'
import type { LegendItem } from './drawing/legend.ts'
import { axisLabel, isDrawable, withUnit } from './drawing/numbers.ts'
import { xyPanel } from './drawing/panel.ts'
import { colors, ink } from './drawing/theme.ts'

export interface BootstrapDistributionData {
  readonly metric: string
  readonly unit?: string
  /** What was subtracted from what, e.g. “hybrid − raw”. */
  readonly label: string
  /** The statistic of every resample. */
  readonly resampled: readonly number[]
  readonly estimate: number | null
  readonly interval?: Range | null
  /** e.g. “95% BCa interval”. */
  readonly intervalLabel?: string
}

const intervalColor = colors.blue

/** How the difference varies from resample to resample, with the estimate, its interval and 0. */
export function bootstrapDistribution(data: BootstrapDistributionData, options: ChartOptions): string {
  const width = options.width ?? 640
  const title = `Bootstrap distribution of ${data.label}`
  const values = data.resampled.filter(isDrawable)
  const spread = extentOf(values)
  if (spread === null) return nothingToDraw(title, 'There are no resampled differences to draw.', { ...options, width })
  const range = drawableRange(data.interval)
  const estimate = isDrawable(data.estimate) ? [data.estimate] : []
  const domain = padded(extentOf([spread.low, spread.high, 0, ...estimate, range?.low, range?.high]) ?? spread, 0.04)
  const lost = data.resampled.length - values.length
  const bins = binned(values, spread)
  const chart = xyPanel({
    document: options.document,
    width: innerWidth(width),
    height: 300,
    x: valueAxis(axisLabel(`difference in ${data.metric}`, data.unit), domain, 7),
    y: countAxis('resamples', [0, 1.06 * Math.max(...bins.map(bin => bin.count))], 5),
    marks: [
      Plot.rectX(range === null ? [] : [clamped(range, domain)], {
        x1: 'low',
        x2: 'high',
        fill: intervalColor,
        fillOpacity: 0.13,
      }),
      Plot.rectY(bins, { x1: 'from', x2: 'to', y1: 0, y2: 'count', fill: '#9aa5b1', insetLeft: 0.5, insetRight: 0.5 }),
      Plot.ruleX([range?.low, range?.high].filter(isDrawable), {
        stroke: intervalColor,
        strokeWidth: 1.5,
        strokeDasharray: '7 3',
      }),
      Plot.ruleX([0], { stroke: ink.text, strokeWidth: 1.5, strokeDasharray: '2 3' }),
      Plot.ruleX(estimate, { stroke: colors.red, strokeWidth: 2.2 }),
      Plot.ruleY([0], { stroke: ink.axis }),
    ],
  })
  const items = legendOf(data, range)
  const description = `Histogram of ${values.length} resampled differences; ${items.map(item => item.label).join('; ')}.`
  const notes = lost > 0 ? [`${lost} of ${data.resampled.length} resamples gave no number and are not drawn.`] : []
  const subtitle = `${values.length.toLocaleString('en-US')} resamples`
  return frame({ title, subtitle, description, legend: items, panels: [[chart]], notes }, { ...options, width })
}

function legendOf({ estimate, unit, intervalLabel }: BootstrapDistributionData, range: Range | null): LegendItem[] {
  const found: LegendItem[] = []
  if (isDrawable(estimate))
    found.push({ label: `estimate ${withUnit(estimate, unit)}`, color: colors.red, sample: 'line' })
  if (range !== null) {
    const label = `${intervalLabel ?? 'interval'} ${withUnit(range.low, unit)} to ${withUnit(range.high, unit)}`
    found.push({ label, color: intervalColor, sample: 'line', dash: '7 3', withBand: true })
  }
  return [...found, { label: 'no difference (0)', color: ink.text, sample: 'line', dash: '2 3' }]
}

interface Bin {
  readonly from: number
  readonly to: number
  readonly count: number
}

/** Freedman and Diaconis' width, between 8 and 60 bins; one bin around values that are all equal. */
function binned(values: readonly number[], { low, high }: Range): readonly Bin[] {
  const room = Math.abs(low) * 0.01 || 0.01
  if (low === high) return [{ from: low - room, to: high + room, count: values.length }]
  const ordered = Float64Array.from(values).sort()
  const middleHalf = sortedQuantile(ordered, 0.75) - sortedQuantile(ordered, 0.25)
  const ideal = (2 * middleHalf) / Math.cbrt(values.length)
  const bins = Math.min(60, Math.max(8, Math.ceil((high - low) / (ideal || high - low))))
  const counts = new Array<number>(bins).fill(0)
  for (const value of values) {
    const at = Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins))
    counts[at] = (counts[at] ?? 0) + 1
  }
  const edge = (index: number) => low + ((high - low) * index) / bins
  return counts.map((count, index) => ({ from: edge(index), to: edge(index + 1), count }))
}
