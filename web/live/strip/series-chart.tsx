import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Series } from '../../../src/define/run.ts'
import { plainNumber } from '../../../src/util/words.ts'
import { useWidth } from '../../state/use-width.ts'

const height = 150

/** A running run, as it is drawn. */
export interface DrawnRun {
  readonly run: string
  readonly color: string
  readonly series: Series
}

/** One metric of all running runs on one pair of axes, so that they can be compared. */
export function SeriesChart({ metric, runs }: { readonly metric: string; readonly runs: readonly DrawnRun[] }) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const width = useWidth(place, 4)
  const which = runs.map(({ run, color }) => `${run} ${color}`).join('\n')
  useEffect(() => {
    const { current: element } = place
    if (element === null || width === 0) return
    chart.current = new uPlot(optionsFor(element, width, runs), dataOf(runs), element)
    return () => chart.current?.destroy()
    // The data follow below: a chart is only recreated for another width, or other runs.
  }, [width, which])
  useEffect(() => chart.current?.setData(dataOf(runs)), [runs])
  return (
    <figure class="mini">
      <figcaption>{metric}</figcaption>
      <div ref={place} class="mini-plot" aria-hidden="true" />
    </figure>
  )
}

/** Without redundant zeros. */
const tickText = (tick: number): string =>
  plainNumber(tick)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')

/** On the union of their steps; a run has no point at a step of another. */
const dataOf = (runs: readonly DrawnRun[]): uPlot.AlignedData =>
  runs.length === 0 ? [[]] : uPlot.join(runs.map(({ series }) => [[...series.steps], [...series.values]]))

/** Colours are read at each drawing: the reader may switch to dark mode. */
function optionsFor(element: HTMLElement, width: number, runs: readonly DrawnRun[]): uPlot.Options {
  const quiet = (): string => getComputedStyle(element.parentElement ?? element).color
  const axis: uPlot.Axis = {
    stroke: quiet,
    font: '11px system-ui',
    grid: { show: false },
    ticks: { show: false },
    gap: 2,
  }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false } },
    padding: [6, 14, 0, 0],
    axes: [
      { ...axis, size: 16, space: 60, values: (_, ticks) => ticks.map(String) },
      { ...axis, size: 44, space: 28, values: (_, ticks) => ticks.map(tickText) },
    ],
    series: [
      {},
      ...runs.map(({ color, series }) => ({
        stroke: color,
        width: 1.5,
        spanGaps: true,
        // A line needs two points.
        points: { show: series.values.length === 1 },
      })),
    ],
  }
}
