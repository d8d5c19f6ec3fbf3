import { shortened, textWidth } from './text-width.ts'

/** Marks it as the baseline, unless its name does. */
export const baselineLabel = (name: string): string => (/\bbaseline$/.test(name) ? name : `${name} (baseline)`)

/** Names that must all fit into a column and still distinguish its rows. */
export function shortLabels(labels: readonly string[], size: number, room: number): readonly string[] {
  const fits = (text: string) => textWidth(text, size) <= room
  if (labels.every(fits)) return labels
  const named = withoutSharedName(labels)
  const texts = partsShortened(named, size, room)
  return texts.map((text, at) => {
    const alike = named.filter((_, other) => texts[other] === text)
    return new Set(alike).size === 1 ? text : fromTheirDifference(named[at] ?? '', alike, size, room)
  })
}

/** `strategy=`, or `strategy: `, is redundant if every row has it and no other factor. */
function withoutSharedName(labels: readonly string[]): readonly string[] {
  const [name] = /^[^=:,]+(=|: )/.exec(labels[0] ?? '') ?? []
  if (name === undefined) return labels
  const isShared = labels.every(label => label.startsWith(name) && !/=|: /.test(label.slice(name.length)))
  return isShared ? labels.map(label => label.slice(name.length)) : labels
}

const between = /( − |, |=|: )/

/**
 * Names of factors first, the same in every row, then levels: each as long as possible, so that short ones stay
 * complete.
 */
function partsShortened(labels: readonly string[], size: number, room: number): readonly string[] {
  const fits = (label: string, name: number, level: number) => textWidth(cut(label, name, level), size) <= room
  const longest = Math.max(...labels.map(label => label.length))
  let name = longest
  while (name > shortest && !labels.every(label => fits(label, name, longest))) name--
  return labels.map(label => {
    // A label that fits is kept whole: it is more useful than one shortened like the others.
    if (textWidth(label, size) <= room) return label
    let level = longest
    while (level > shortest && !fits(label, name, level)) level--
    return fits(label, name, level) ? cut(label, name, level) : shortened(label, size, room)
  })
}

/** With this many characters of each name before an equals sign or a colon, and of each level. */
function cut(label: string, name: number, level: number): string {
  const parts = label.split(between)
  const isName = (at: number) => /^(=|: )$/.test(parts[at + 1] ?? '')
  return parts.map((part, at) => (between.test(part) ? part : cutTo(part, isName(at) ? name : level))).join('')
}

/** A shorter piece would be meaningless. */
const shortest = 5

/** In the middle, since names differ at either end. */
function cutTo(text: string, most: number): string {
  const characters = [...text]
  if (characters.length <= most) return text
  const head = Math.ceil((most - 1) / 2)
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (most - 1 - head)).join('')}`
}

/** Shortening made several the same: their common beginning is left out instead. */
function fromTheirDifference(label: string, alike: readonly string[], size: number, room: number): string {
  let shared = 0
  while (alike.every(other => other[shared] === label[shared]) && shared < label.length) shared++
  const kept = `…${label.slice(Math.max(0, shared - 3))}`
  let length = kept.length
  while (length > 2 && textWidth(`${kept.slice(0, length)}…`, size) > room) length--
  return textWidth(kept, size) <= room ? kept : `${kept.slice(0, length)}…`
}
