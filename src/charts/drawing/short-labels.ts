import { shortened, textWidth } from './text-width.ts'

/** Names that must all fit into a column, and still tell its rows apart. */
export function shortLabels(labels: readonly string[], size: number, room: number): readonly string[] {
  const fits = (text: string) => textWidth(text, size) <= room
  if (labels.every(fits)) return labels
  const named = withoutSharedName(labels)
  const texts = named.map(label => (fits(label) ? label : partsShortened(label, size, room)))
  return texts.map((text, at) => {
    const alike = named.filter((_, other) => texts[other] === text)
    return new Set(alike).size === 1 ? text : fromTheirDifference(named[at] ?? '', alike, size, room)
  })
}

/** `strategy=`, or `strategy: `, says nothing where every row has it and no other factor. */
function withoutSharedName(labels: readonly string[]): readonly string[] {
  const [name] = /^[^=:,]+(=|: )/.exec(labels[0] ?? '') ?? []
  if (name === undefined) return labels
  const isShared = labels.every(label => label.startsWith(name) && !/=|: /.test(label.slice(name.length)))
  return isShared ? labels.map(label => label.slice(name.length)) : labels
}

const between = /( − |, |=|: )/

/** Names of factors first, then all parts, each as long as it may be if all are cut alike: short ones stay whole. */
function partsShortened(label: string, size: number, room: number): string {
  const parts = label.split(between)
  const cut = (name: number, level: number) =>
    parts
      .map((part, at) => (between.test(part) ? part : cutTo(part, /=|:/.test(parts[at + 1] ?? '') ? name : level)))
      .join('')
  const longest = Math.max(...parts.map(part => part.length))
  for (let most = longest; most >= shortest; most--)
    if (textWidth(cut(most, longest), size) <= room) return cut(most, longest)
  for (let most = longest; most >= shortest; most--)
    if (textWidth(cut(shortest, most), size) <= room) return cut(shortest, most)
  return shortened(label, size, room)
}

/** Less than this of a part says nothing. */
const shortest = 5

/** In the middle, since names differ at either end. */
function cutTo(text: string, most: number): string {
  const characters = [...text]
  if (characters.length <= most) return text
  const head = Math.ceil((most - 1) / 2)
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (most - 1 - head)).join('')}`
}

/** Cutting made several the same: what they begin with alike is left out instead. */
function fromTheirDifference(label: string, alike: readonly string[], size: number, room: number): string {
  let shared = 0
  while (alike.every(other => other[shared] === label[shared]) && shared < label.length) shared++
  const kept = `…${label.slice(Math.max(0, shared - 3))}`
  let length = kept.length
  while (length > 2 && textWidth(`${kept.slice(0, length)}…`, size) > room) length--
  return textWidth(kept, size) <= room ? kept : `${kept.slice(0, length)}…`
}
