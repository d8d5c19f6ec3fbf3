import * as Plot from '@observablehq/plot'
import type { ChartOptions } from './chart.ts'
import { type Axis, logAxis, valueAxis, wideAxis } from './drawing/axis.ts'
import { frame, gapBetweenPanels, innerWidth, nothingToDraw } from './drawing/frame.ts'
import { extentOf, padded } from './drawing/interval.ts'
import { axisLabel, isDrawable } from './drawing/numbers.ts'
import { type Panel, xyPanel } from './drawing/panel.ts'
import { shortened } from './drawing/text-width.ts'
import { colors, fontSize, ink } from './drawing/theme.ts'
import { bestRow, type ParallelAxis, type ParallelData } from './search.ts'

export interface SlicesData extends Pick<ParallelData, 'goal' | 'rows' | 'best'> {
  readonly unit?: string
  /** The parameters, the most important first; the last is the objective. */
  readonly axes: readonly ParallelAxis[]
}

/** With more small pictures there is no overview. */
const mostPanels = 12
const leastWidth = 210

/** The result of every variant against each of its parameters, on the scale that the search used. */
export function searchSlices(data: SlicesData, options: ChartOptions): string {
  const width = options.width ?? 960
  const objective = data.axes.at(-1)
  const metric = objective?.name ?? 'objective'
  const title = `${metric} against each parameter`
  const resultOf = (row: SlicesData['rows'][number]): number => Number(row.values[data.axes.length - 1] ?? Number.NaN)
  const rows = data.rows.filter(row => isDrawable(resultOf(row)))
  const spread = extentOf(rows.map(resultOf))
  const parameters = data.axes.slice(0, -1)
  if (spread === null || parameters.length === 0)
    return nothingToDraw(title, 'There are no parameters that vary, or no variant has a value.', { ...options, width })
  const y = wideAxis(axisLabel(metric, data.unit), spread)
  const best = bestRow(data)
  const inner = innerWidth(width)
  const shown = parameters.slice(0, mostPanels)
  const fitting = Math.max(1, Math.floor((inner + gapBetweenPanels) / (leastWidth + gapBetweenPanels)))
  const columns = Math.min(fitting, shown.length, 4)
  const each = (inner - gapBetweenPanels * (columns - 1)) / columns
  const panels = shown.map((axis, at): Panel => {
    const points = rows.flatMap((row, number) => {
      const x = placeOf(axis, row.values[at] ?? null, number)
      return x === null ? [] : [{ x, y: resultOf(row), label: row.label, isBest: row === best }]
    })
    const others = points.filter(({ isBest }) => !isBest)
    return xyPanel({
      document: options.document,
      width: each,
      height: 220,
      x: parameterAxis(axis, each),
      y,
      marks: [
        Plot.dot(others, {
          ...{ x: 'x', y: 'y', r: 3, stroke: colors.blue, strokeOpacity: 0.75, fill: colors.blue, fillOpacity: 0.2 },
          title: 'label',
        }),
        Plot.dot(
          points.filter(({ isBest }) => isBest),
          { x: 'x', y: 'y', r: 5, fill: colors.orange, stroke: ink.paper, symbol: 'diamond', title: 'label' },
        ),
      ],
    })
  })
  const left = parameters.length - shown.length
  return frame(
    {
      title,
      description: `${rows.length} variants against ${shown.map(({ name }) => name).join(', ')}. Best: ${best?.label}.`,
      legend: [
        { label: 'a variant', color: colors.blue, sample: 'dot', symbol: 'circle', isHollow: true },
        { label: `best: ${best?.label}`, color: colors.orange, sample: 'dot', symbol: 'diamond' },
      ],
      panels: Array.from({ length: Math.ceil(panels.length / columns) }, (_, row) =>
        panels.slice(row * columns, (row + 1) * columns),
      ),
      notes: left > 0 ? [`${left} more parameters are not drawn.`] : [],
    },
    { ...options, width },
  )
}

/** null: the parameter does not apply. Variants with the same level are spread a little, so that all are visible. */
function placeOf(axis: ParallelAxis, value: number | string | null, number: number): number | null {
  if (value === null) return null
  if (axis.kind === 'number') return Number(value)
  const at = axis.levels.indexOf(String(value))
  return at < 0 ? null : at + (((number * 0.618) % 1) - 0.5) * 0.4
}

function parameterAxis(axis: ParallelAxis, width: number): Axis {
  if (axis.kind === 'choice') {
    const step = Math.ceil(axis.levels.length / 6)
    const ticks = axis.levels.map((_, at) => at).filter(at => at % step === 0)
    const room = (width - 90) / Math.max(1, ticks.length) - 4
    return {
      label: axis.name,
      domain: [-0.6, axis.levels.length - 0.4],
      ticks,
      texts: ticks.map(at => shortened(axis.levels[at] ?? '', fontSize.text, room)),
    }
  }
  const extent = { low: axis.min, high: axis.max }
  if (axis.isLog && axis.max > axis.min) return logAxis(axis.name, [axis.min * 0.9, axis.max * 1.1], 3)
  return valueAxis(axis.name, padded(extent), 3)
}
