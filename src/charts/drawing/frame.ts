import { escapedXml } from '../../util/words.ts'
import type { ChartOptions } from '../chart.ts'
import { type LegendItem, legend } from './legend.ts'
import { type Panel, placed } from './panel.ts'
import { tag } from './svg-text.ts'
import { boldWidth, wrapped } from './text-width.ts'
import { fontFamily, fontSize, ink } from './theme.ts'

export interface FrameContent {
  readonly title: string
  readonly subtitle?: string | undefined
  /** A description of the picture, for readers who can't see it. */
  readonly description: string
  readonly legend?: readonly LegendItem[]
  /** Rows of panels, each row from left to right. */
  readonly panels: readonly (readonly Panel[])[]
  /** The data that could not be drawn, in words. */
  readonly notes?: readonly string[]
}

const margin = 16
/** If none of our fonts is installed, letters are wider than measured. */
const spare = 0.9
export const gapBetweenPanels = 24
export const innerWidth = (width: number) => width - 2 * margin

/** The picture around the panels: title, legend, panels, notes, from top to bottom. */
export function frame(content: FrameContent, options: ChartOptions & { readonly width: number }): string {
  const room = innerWidth(options.width)
  const parts: string[] = []
  let y = margin
  const lines = (text: string | undefined, size: number, look: Record<string, string | number>) => {
    for (const line of wrapped(text ?? '', size * (look['font-weight'] === 'bold' ? boldWidth : 1), room * spare)) {
      parts.push(tag('text', { x: margin, y: y + size * 0.85, 'font-size': size, ...look }, escapedXml(line)))
      y += Math.round(size * 1.35)
    }
  }
  const title = options.title ?? content.title
  if (options.isCaptioned !== true) {
    lines(title, fontSize.title, { 'font-weight': 'bold', fill: ink.text })
    lines(options.subtitle ?? content.subtitle, fontSize.text, { fill: ink.quiet })
  }
  const explained = legend(content.legend ?? [], room)
  if (explained.height > 0) {
    parts.push(tag('g', { transform: `translate(${margin},${y + 4})` }, explained.content))
    y += explained.height + 4
  }
  y += 6
  for (const row of content.panels) {
    let x = margin
    for (const one of row) {
      parts.push(placed(one, x, y))
      x += one.width + gapBetweenPanels
    }
    y += Math.max(0, ...row.map(one => one.height)) + 8
  }
  for (const note of content.notes ?? []) lines(note, fontSize.small, { fill: ink.quiet })
  const { width } = options
  const height = y + margin - 8
  const paper = tag('rect', { width, height, fill: options.background ?? ink.paper })
  const words = [tag('title', {}, escapedXml(title)), tag('desc', {}, escapedXml(content.description))]
  const look = { role: 'img', color: ink.text, 'font-family': fontFamily }
  const size = { width, height, viewBox: `0 0 ${width} ${height}` }
  return `${tag('svg', { xmlns: 'http://www.w3.org/2000/svg', ...size, ...look }, ['', ...words, paper, ...parts, ''])}\n`
}

/** A picture that explains why it is empty. */
export function nothingToDraw(
  title: string,
  reason: string,
  options: ChartOptions & { readonly width: number },
): string {
  return frame({ title, description: reason, panels: [], notes: [reason] }, options)
}
