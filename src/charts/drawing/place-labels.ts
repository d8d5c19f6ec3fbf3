import { textWidth } from './text-width.ts'

/** A rectangle in pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export interface PlacedLabel {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
}

const lineHeight = 1.2

/**
 * Labels next to their points that cover no point, mark or other label; null if there is no such place. First come,
 * first served: list the important ones first.
 */
export function placeLabels(
  points: readonly { readonly x: number; readonly y: number; readonly label: string | null }[],
  { size, within, avoid }: { readonly size: number; readonly within: Box; readonly avoid: readonly Box[] },
): (PlacedLabel | null)[] {
  const taken = [...avoid, ...points.map(({ x, y }) => around(x, y, 5))]
  return points.map(point => {
    if (point.label === null) return null
    for (const candidate of candidates(point.x, point.y, point.label, size)) {
      const box = labelBox(candidate, size)
      if (!isInside(box, within) || taken.some(other => overlap(box, other))) continue
      taken.push(box)
      return candidate
    }
    return null
  })
}

/** `y` is the middle of the line. */
export function labelBox({ text, x, y, anchor }: PlacedLabel, size: number): Box {
  const width = textWidth(text, size)
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return { left, right: left + width, top: y - (size * lineHeight) / 2, bottom: y + (size * lineHeight) / 2 }
}

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

const around = (x: number, y: number, half: number): Box => ({
  left: x - half,
  right: x + half,
  top: y - half,
  bottom: y + half,
})

const isInside = (box: Box, within: Box) =>
  box.left >= within.left && box.right <= within.right && box.top >= within.top && box.bottom <= within.bottom

/** The eight places around a point, the most readable first, then the same a little farther away. */
function* candidates(x: number, y: number, text: string, size: number): Generator<PlacedLabel> {
  for (const far of [1, 1.7, 2.6]) {
    const across = 4 + 5 * far
    const up = size * 0.75 + 5 * far
    yield { text, x: x + across, y, anchor: 'start' }
    yield { text, x: x + across * 0.7, y: y - up * 0.8, anchor: 'start' }
    yield { text, x: x + across * 0.7, y: y + up * 0.8, anchor: 'start' }
    yield { text, x, y: y - up, anchor: 'middle' }
    yield { text, x, y: y + up, anchor: 'middle' }
    yield { text, x: x - across, y, anchor: 'end' }
    yield { text, x: x - across * 0.7, y: y - up * 0.8, anchor: 'end' }
    yield { text, x: x - across * 0.7, y: y + up * 0.8, anchor: 'end' }
  }
}
