/** Widths of Arial's characters in thousandths of the font size (Helvetica's, Arimo's and Liberation Sans' are the same). */
const widths = new Map<string, number>()
for (const [characters, width] of [
  ["'", 191],
  ['ijl', 222],
  ['|', 260],
  [' !,./:;I[\\]ft·', 278],
  ['()-`r{}°', 333],
  ['"', 355],
  ['*', 389],
  ['^', 469],
  ['Jcksvxyz', 500],
  ['#$0123456789?L_abdeghnopqu–', 556],
  ['+<=>~−±≤≥≈×÷', 584],
  ['FTZ', 611],
  ['&ABEKPSVXY', 667],
  ['CDHNRUw', 722],
  ['GOQ', 778],
  ['Mm', 833],
  ['%', 889],
  ['W', 944],
  ['—…@', 1000],
] as const)
  for (const character of characters) widths.set(character, width)

/** Bold letters are wider by about this factor. */
export const boldWidth = 1.07

/** About how wide a text is; a little more than it really is for characters that are not in the table. */
export function textWidth(text: string, size: number, weight: 'normal' | 'bold' = 'normal'): number {
  let sum = 0
  for (const character of text) sum += widths.get(character) ?? (character > '\u2e80' ? 1000 : 640)
  return (sum / 1000) * size * (weight === 'bold' ? boldWidth : 1)
}

/** Cut in the middle, since names of variants differ at either end. */
export function shortened(text: string, size: number, room: number): string {
  if (textWidth(text, size) <= room) return text
  const characters = [...text]
  for (let kept = characters.length - 1; kept > 2; kept--) {
    const head = Math.ceil(kept / 2)
    const short = `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (kept - head)).join('')}`
    if (textWidth(short, size) <= room) return short
  }
  return '…'
}

/** Broken between words; a word longer than the line is shortened. */
export function wrapped(text: string, size: number, room: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter(part => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && textWidth(longer, size) > room) {
      lines.push(line)
      line = shortened(word, size, room)
    } else line = line === '' ? shortened(word, size, room) : longer
  }
  return line === '' ? lines : [...lines, line]
}
