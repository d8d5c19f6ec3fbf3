import * as Plot from '@observablehq/plot'
import type { ChartOptions } from './chart.ts'
import { countAxis, valueAxis } from './drawing/axis.ts'
import { frame, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { extentOf, padded } from './drawing/interval.ts'
import { axisLabel, isDrawable, withUnit } from './drawing/numbers.ts'
import { xyPanel } from './drawing/panel.ts'
import { colors, ink } from './drawing/theme.ts'

export interface SearchHistoryPoint {
  /** The how-many-th variant that was tried. */
  readonly number: number
  readonly value: number | null
  /** The best of all up to this one. */
  readonly best: number | null
  readonly label?: string
}

export interface SearchHistoryData {
  readonly metric: string
  readonly unit?: string
  readonly goal: 'maximize' | 'minimize'
  readonly points: readonly SearchHistoryPoint[]
}

/** What each variant that a search tried came to, and the best so far. */
export function searchHistory(data: SearchHistoryData, options: ChartOptions): string {
  const width = options.width ?? 720
  const title = `${data.metric} of every variant tried`
  const tried = data.points.filter((point): point is Tried => isDrawable(point.value))
  const spread = extentOf(tried.map(point => point.value))
  if (spread === null) return nothingToDraw(title, 'No variant that was tried has a value.', { ...options, width })
  const numbers = extentOf(data.points.map(point => point.number)) ?? { low: 1, high: 1 }
  const best = data.points.filter((point): point is Best => isDrawable(point.best))
  const found = best.filter((point, at) => point.best !== best[at - 1]?.best)
  const last = found.at(-1)
  const chart = xyPanel({
    document: options.document,
    width: innerWidth(width),
    height: 320,
    x: countAxis(
      'variant, in the order tried',
      numbers.low < numbers.high ? [numbers.low, numbers.high] : padded(numbers),
      8,
    ),
    y: valueAxis(axisLabel(data.metric, data.unit), padded(spread)),
    marks: [
      Plot.line(best, { x: 'number', y: 'best', stroke: colors.orange, strokeWidth: 2, curve: 'step-after' }),
      Plot.dot(tried, {
        x: 'number',
        y: 'value',
        r: 3.2,
        stroke: colors.blue,
        fill: colors.blue,
        fillOpacity: 0.25,
        title: point => point.label ?? `${point.number}: ${withUnit(point.value, data.unit)}`,
      }),
      Plot.dot(found, { x: 'number', y: 'best', r: 4.4, fill: colors.orange, stroke: ink.paper, symbol: 'diamond' }),
    ],
  })
  const failed = data.points.length - tried.length
  return frame(
    {
      title,
      description: `${tried.length} variants with a value. The best, ${withUnit(last?.best ?? spread.low, data.unit)}, was number ${last?.number} of ${data.points.length}; ${data.goal === 'minimize' ? 'less' : 'more'} is better.`,
      legend: [
        { label: 'a variant', color: colors.blue, sample: 'dot', symbol: 'circle', isHollow: true },
        {
          label: `best so far (${data.goal === 'minimize' ? 'less' : 'more'} is better)`,
          color: colors.orange,
          sample: 'line',
        },
        { label: 'better than all before', color: colors.orange, sample: 'dot', symbol: 'diamond' },
      ],
      panels: [[chart]],
      notes:
        failed > 0
          ? [
              `${failed} of ${data.points.length} variants ${failed === 1 ? 'has no value and is' : 'have no value and are'} not drawn.`,
            ]
          : [],
    },
    { ...options, width },
  )
}

type Tried = SearchHistoryPoint & { readonly value: number }
type Best = SearchHistoryPoint & { readonly best: number }
