import { escapedXml } from '../../util/words.ts'
import { shortLabels } from './short-labels.ts'
import { tag } from './svg-text.ts'
import { textWidth } from './text-width.ts'
import { fontSize, ink, type SeriesStyle } from './theme.ts'

/** An entry of a legend: the sample, then the words. */
export interface LegendItem {
  readonly label: string
  readonly color: string
  readonly sample: 'line' | 'band' | 'dot' | 'interval'
  readonly dash?: string | undefined
  readonly symbol?: SeriesStyle['symbol'] | undefined
  readonly isHollow?: boolean
  /** A band around a line is explained by one sample of both. */
  readonly withBand?: boolean
}

const sampleWidth = 24
const dotWidth = 10
const rowHeight = 18

/** Items from left to right, in as many rows as they need. */
export function legend(
  items: readonly LegendItem[],
  width: number,
): { readonly height: number; readonly content: string } {
  let x = 0
  let y = 0
  const drawn: string[] = []
  const labels = shortLabels(
    items.map(item => item.label),
    fontSize.text,
    width - sampleWidth - 6,
  )
  for (const [at, item] of items.entries()) {
    const sampleRoom = item.sample === 'dot' ? dotWidth : sampleWidth
    const label = labels[at] ?? ''
    const room = sampleRoom + 6 + textWidth(label, fontSize.text)
    if (x > 0 && x + room > width) {
      x = 0
      y += rowHeight
    }
    const text = tag('text', { x: sampleRoom + 6, y: 4, 'font-size': fontSize.text, fill: ink.text }, escapedXml(label))
    drawn.push(tag('g', { transform: `translate(${x},${y + rowHeight / 2})` }, [...sampleOf(item), text]))
    x += room + 18
  }
  return { height: items.length === 0 ? 0 : y + rowHeight, content: drawn.join('\n') }
}

function sampleOf({ sample, color, dash, symbol, isHollow, withBand }: LegendItem): string[] {
  const band = tag('rect', { x: 0, y: -6, width: sampleWidth, height: 12, fill: color, 'fill-opacity': 0.18 })
  const stroke = { stroke: color, 'stroke-width': 2, 'stroke-dasharray': dash }
  const line = tag('line', { x1: 0, y1: 0, x2: sampleWidth, y2: 0, ...stroke })
  const marker =
    symbol === undefined
      ? []
      : [
          symbolAt(
            symbol,
            (sample === 'dot' ? dotWidth : sampleWidth) / 2,
            isHollow === true ? ink.paper : color,
            color,
          ),
        ]
  switch (sample) {
    case 'band':
      return [band]
    case 'interval':
      return [
        tag('path', {
          d: `M1,-4V4M1,0H${sampleWidth - 1}M${sampleWidth - 1},-4V4`,
          stroke: color,
          'stroke-width': 1.4,
        }),
      ]
    case 'dot':
      return marker
    case 'line':
      return [...(withBand === true ? [band] : []), line, ...marker]
  }
}

function symbolAt(symbol: SeriesStyle['symbol'], x: number, fill: string, stroke: string): string {
  const look = { fill, stroke, 'stroke-width': 1.2 }
  switch (symbol) {
    case 'circle':
      return tag('circle', { cx: x, cy: 0, r: 4, ...look })
    case 'square':
      return tag('rect', { x: x - 3.5, y: -3.5, width: 7, height: 7, ...look })
    case 'triangle':
      return tag('path', { d: `M${x},-5L${x + 4.5},3.5L${x - 4.5},3.5Z`, ...look })
    case 'diamond':
      return tag('path', { d: `M${x},-5L${x + 4},0L${x},5L${x - 4},0Z`, ...look })
  }
}
