import { escapedXml } from '../../util/words.ts'

/**
 * SVG as text, the same from a browser's document and from linkedom's: attributes by name, numbers with two
 * decimals (a hundredth of a pixel), no style sheets and no ids, so that many charts can live in one page.
 */

/** The part of a DOM node that is read here. */
export interface SvgNode {
  readonly nodeType: number
  readonly localName?: string
  readonly textContent: string | null
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>
  readonly childNodes: Iterable<SvgNode>
}

export type Attributes = Readonly<Record<string, string | number | undefined>>

export function tag(name: string, attributes: Attributes, children: string | readonly string[] = ''): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapedXml(rounded(String(value)))}"`],
  )
  const content = typeof children === 'string' ? children : children.join('\n')
  return content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`
}

export function nodesToText(nodes: Iterable<SvgNode>): string {
  return [...nodes]
    .map(nodeToText)
    .filter(text => text !== '')
    .join('\n')
}

function nodeToText(node: SvgNode): string {
  if (node.nodeType === 3) return escapedXml(node.textContent ?? '')
  const name = node.localName
  if (node.nodeType !== 1 || name === undefined || name === 'style') return ''
  const attributes = Object.fromEntries(
    [...(node.attributes ?? [])].map(({ name, value }) => [name, value]).sort(byName),
  )
  const children = [...node.childNodes]
  // A line break between the lines of a text would be drawn as a space.
  const isText = name === 'text' || children.every(child => child.nodeType === 3)
  return tag(name, attributes, isText ? children.map(nodeToText).join('') : nodesToText(children))
}

function rounded(value: string): string {
  return value.replace(/-?\d*\.\d{3,}(?:e[-+]?\d+)?|-?\d+e-\d+/g, number =>
    String(Math.round(Number(number) * 100) / 100 || 0),
  )
}

const byName = ([a = '']: readonly string[], [b = '']: readonly string[]) => (a < b ? -1 : a > b ? 1 : 0)
