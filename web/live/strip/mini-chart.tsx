import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Series } from '../../../src/define/run.ts'
import { plainNumber } from '../../../src/util/words.ts'
import { useWidth } from '../../state/use-width.ts'

const height = 92

/** A series as it grows. */
export function MiniChart({ series }: { readonly series: Series }) {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot | null>(null)
  const width = useWidth(place, 4)
  useEffect(() => {
    const { current: element } = place
    if (element === null || width === 0) return
    chart.current = new uPlot(optionsFor(element, width), dataOf(series), element)
    return () => chart.current?.destroy()
    // The data follow below: a chart is made anew only for another width.
  }, [width])
  useEffect(() => chart.current?.setData(dataOf(series)), [series])
  const last = series.values.at(-1)
  return (
    <figure class="mini">
      <figcaption>
        <span>{series.metric}</span>
        <strong>{last === undefined ? '–' : plainNumber(last)}</strong>
      </figcaption>
      <div ref={place} class="mini-plot" aria-hidden="true" />
    </figure>
  )
}

/** Without zeros that say nothing. */
const tickText = (tick: number): string =>
  plainNumber(tick)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')

const dataOf = ({ steps, values }: Series): uPlot.AlignedData => [[...steps], [...values]]

/** Colours are asked for at each drawing: the reader may turn the lights off. */
function optionsFor(element: HTMLElement, width: number): uPlot.Options {
  const ink = (): string => getComputedStyle(element).color
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
    series: [{}, { stroke: ink, width: 1.5, points: { show: false } }],
  }
}
