import * as Plot from '@observablehq/plot'
import { tickText } from './numbers.ts'
import { nodesToText, type SvgNode, tag } from './svg-text.ts'
import { shortened } from './text-width.ts'
import { fontSize, ink } from './theme.ts'

/** What makes elements: a browser's `document`, or linkedom's. Charts never reach for a global one. */
export interface ChartDocument {
  createElementNS(namespace: string, name: string): unknown
}

/** One pair of axes with its marks, drawn and ready to be put somewhere in a frame. */
export interface Panel {
  readonly width: number
  readonly height: number
  readonly content: string
}

export type PanelOptions = Plot.PlotOptions & {
  readonly document: ChartDocument
  readonly width: number
  readonly height: number
}

export function panel(options: PanelOptions): Panel {
  const { width, height } = options
  const root = Plot.plot({ marginTop: 12, ...options, className: 'chart' } as Plot.PlotOptions) as unknown as SvgNode
  return { width, height, content: nodesToText(root.childNodes) }
}

/** Where a panel goes. Plot's marks rely on these inherited attributes. */
export function placed({ width, height, content }: Panel, x: number, y: number): string {
  const inherited = { fill: 'currentColor', 'font-size': fontSize.text, 'text-anchor': 'middle' }
  return tag('svg', { x, y, width, height, viewBox: `0 0 ${width} ${height}`, ...inherited }, content)
}

/** A value axis with its name in the middle and quiet grid lines behind the marks. */
export const axisX = (label: string, options: Plot.AxisXOptions = {}): Plot.Markish[] => [
  Plot.gridX({ stroke: ink.grid, strokeOpacity: 1, ...pick(options) }),
  Plot.axisX({
    ...axisStyle,
    label: shortened(label, fontSize.text, 420),
    labelAnchor: 'center',
    labelArrow: 'none',
    tickFormat: tickText,
    ...options,
  }),
]

export const axisY = (label: string, options: Plot.AxisYOptions = {}): Plot.Markish[] => [
  Plot.gridY({ stroke: ink.grid, strokeOpacity: 1, ...pick(options) }),
  Plot.axisY({
    ...axisStyle,
    label: shortened(label, fontSize.text, 280),
    labelAnchor: 'center',
    labelArrow: 'none',
    tickFormat: tickText,
    ...options,
  }),
]

const axisStyle = { color: ink.axis, fill: ink.text, tickSize: 4 } as const

/** The grid has a line where the axis has a tick. */
const pick = ({ ticks }: { ticks?: Plot.AxisXOptions['ticks'] }) => (ticks === undefined ? {} : { ticks })
