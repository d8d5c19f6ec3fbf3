import { textWidth } from '../../src/charts/drawing/text-width.ts'

export interface TextBox {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

interface Node {
  readonly tagName: string
  readonly textContent: string | null
  readonly children: Iterable<Node>
  getAttribute(name: string): string | null
}

interface Place {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly anchor: string
  readonly weight: string
}

/** The position of every horizontal text, through groups and nested SVGs. Rotated text is left out. */
export function textBoxes(svg: Node): TextBox[] {
  return walk(svg, { x: 0, y: 0, size: 12, anchor: 'start', weight: 'normal' })
}

function walk(node: Node, outer: Place): TextBox[] {
  const transform = node.getAttribute('transform') ?? ''
  if (transform.includes('rotate')) return []
  const number = (name: string) => Number(node.getAttribute(name) ?? 0)
  const [, dx = 0, dy = 0] = (/translate\(([-\d.e]+)(?:,([-\d.e]+))?\)/.exec(transform) ?? []).map(Number)
  const isNested = node.tagName.toLowerCase() === 'svg'
  const place: Place = {
    x: outer.x + (dx || 0) + (isNested ? number('x') : 0),
    y: outer.y + (dy || 0) + (isNested ? number('y') : 0),
    size: Number(node.getAttribute('font-size') ?? outer.size),
    anchor: node.getAttribute('text-anchor') ?? outer.anchor,
    weight: node.getAttribute('font-weight') ?? outer.weight,
  }
  if (node.tagName.toLowerCase() !== 'text') return [...node.children].flatMap(child => walk(child, place))
  const lines = [...node.children].filter(child => child.tagName.toLowerCase() === 'tspan')
  return (lines.length === 0 ? [node] : lines).map((line, at) => boxOf(line, place, node, lines[0] ?? node, at))
}

function boxOf(line: Node, { x, y, size, anchor, weight }: Place, text: Node, first: Node, at: number): TextBox {
  const content = ownText(line)
  const width = textWidth(content, size, weight === 'bold' ? 'bold' : 'normal')
  const left =
    x + Number(text.getAttribute('x') ?? 0) - (anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0)
  const shift = (value: string | null) =>
    value?.endsWith('em') === true ? Number.parseFloat(value) * size : Number(value ?? 0)
  const baseline =
    y +
    shift(first.getAttribute('y') ?? text.getAttribute('y')) +
    shift(text.getAttribute('dy')) +
    (at > 0 ? size * at : 0)
  return { text: content, left, right: left + width, top: baseline - size * 0.74, bottom: baseline + size * 0.2 }
}

/** Without the `<title>` inside. */
function ownText(line: Node): string {
  const titles = [...line.children].map(child => child.textContent ?? '').join('')
  return (line.textContent ?? '').slice(0, (line.textContent ?? '').length - titles.length)
}
