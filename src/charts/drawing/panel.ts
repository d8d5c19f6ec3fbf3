import * as Plot from '@observablehq/plot'
import type { ChartDocument } from '../chart.ts'
import { type Axis, axisX, axisY, leftMargin, nameRoom } from './axis.ts'
import { nodesToText, type SvgNode, tag } from './svg-text.ts'
import { fontSize } from './theme.ts'

/** One pair of axes with its marks, drawn and ready to be put somewhere in a frame. */
export interface Panel {
  readonly width: number
  readonly height: number
  readonly content: string
}

interface PanelSize {
  readonly document: ChartDocument
  readonly width: number
  readonly height: number
}

export function panel(options: Omit<Plot.PlotOptions, 'document'> & PanelSize): Panel {
  const { width, height } = options
  const root = Plot.plot({ ...options, className: 'chart' } as Plot.PlotOptions) as unknown as SvgNode
  return { width, height, content: nodesToText(root.childNodes) }
}

/** Marks between two axes of values. */
export function xyPanel(
  options: PanelSize & {
    readonly x: Axis
    readonly y: Axis
    readonly marks: Plot.Markish[]
    readonly marginTop?: number
  },
): Panel {
  const { x, y, marks, width } = options
  const margins = xyMargins(y, options.marginTop)
  return panel({
    ...options,
    ...margins,
    x: scaleOf(x),
    y: scaleOf(y),
    marks: [...axisX(x, nameRoom(width, margins.marginLeft, margins.marginRight)), ...axisY(y), ...marks],
  })
}

const scaleOf = ({ domain, isLog }: Axis): Plot.ScaleOptions => ({ domain: [...domain], ...(isLog && { type: 'log' }) })

export function xyMargins(y: Axis, marginTop = 12) {
  return { marginLeft: leftMargin(y), marginRight: 18, marginTop, marginBottom: 44 }
}

/** Where a panel goes. Plot's marks rely on these inherited attributes; the tails of letters at the rim are not cut off. */
export function placed({ width, height, content }: Panel, x: number, y: number): string {
  const inherited = { fill: 'currentColor', 'font-size': fontSize.text, 'text-anchor': 'middle', overflow: 'visible' }
  return tag('svg', { x, y, width, height, viewBox: `0 0 ${width} ${height}`, ...inherited }, content)
}
