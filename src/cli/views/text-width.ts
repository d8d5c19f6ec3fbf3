import { stripVTControlCharacters } from 'node:util'

/** How many columns a text takes on a terminal: colours take none, wide East Asian characters and emoji two. */
export function textWidth(text: string): number {
  const visible = stripVTControlCharacters(text)
  if (isPlain.test(visible)) return visible.length
  let width = 0
  for (const { segment } of segments(visible)) width += isWide.test(segment) ? 2 : 1
  return width
}

/** Truncates a text without colours to a width, and marks the cut. */
export function fitText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  if (width < 1) return ''
  let kept = ''
  let used = 0
  for (const { segment } of segments(text)) {
    used += textWidth(segment)
    if (used > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** The same, but cut in the middle: the end of a name says as much as the beginning. */
export function fitMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  if (width < 3) return fitText(text, width)
  const end = Math.floor((width - 1) / 2)
  const last = [...segments(text)].map(({ segment }) => segment)
  let kept = ''
  while (last.length > 0 && textWidth(`${last.at(-1)}${kept}`) <= end) kept = `${last.pop()}${kept}`
  return `${fitText(text, width - textWidth(kept))}${kept}`
}

/** One line: a program's text must not break a table or move the cursor. */
export const oneLine = (text: string): string => stripVTControlCharacters(text).replace(/\s+/g, ' ').trim()

/** Latin letters, dashes, quotes, arrows, mathematical signs and lines: one column each, and nothing that combines. */
const isPlain = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2190-\u22ff\u2500-\u257f]*$/
// Made when first needed: it takes longer than loading the command line.
let segmenter: Intl.Segmenter | undefined
function segments(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}

const isWide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u

/** A sentence in lines of at most this width, broken between words: a terminal would break it anywhere. */
export function wrapped(text: string, width: number, indent = ''): readonly string[] {
  const lines: string[] = []
  let line = indent
  for (const word of text.split(' ')) {
    const longer = line === indent ? `${indent}${word}` : `${line} ${word}`
    if (textWidth(longer) <= width || line === indent) line = longer
    else {
      lines.push(line)
      line = `${indent}${word}`
    }
  }
  return [...lines, line]
}
