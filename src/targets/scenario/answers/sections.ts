import { isJsonObject, type JsonObject } from '../../../util/json.ts'

/** The names of sections, and the labels that each may have. */
export type Labels = { readonly [section: string]: readonly string[] }

/**
 * The sections of an answer, by the first of their labels. Models write labels in many ways: `**ACTION:**`,
 * `## Action`, `Action:`, `ACTION`. If an answer is a JSON object, its fields are the sections.
 */
export function sectionsIn(text: string, labels: Labels): { readonly [section: string]: string } {
  const data = dataIn(text)
  if (data !== null) return fieldsOf(data, labels)
  const found: { [section: string]: string[] } = {}
  let current: string | null = null
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    const label = labelIn(line, labels)
    // A label that comes again is quoted from somewhere, or a trick.
    if (label !== null && found[label.section] === undefined) {
      current = label.section
      found[current] = [label.rest]
    } else if (current !== null) found[current]?.push(line)
  }
  return Object.fromEntries(Object.entries(found).map(([section, lines]) => [section, lines.join('\n').trim()]))
}

function labelIn(line: string, labels: Labels): { readonly section: string; readonly rest: string } | null {
  const [, heading, bold, word = '', colon, boldEnd, colonAfter, rest = ''] = labelLine(labels).exec(line) ?? []
  if (word === '') return null
  const isBold = bold !== undefined && boldEnd !== undefined
  const isMarked = heading !== undefined || isBold || colon !== undefined || colonAfter !== undefined
  const isAlone = rest.trim() === '' && word === word.toUpperCase()
  if (!isMarked && !isAlone) return null
  const plain = plainLabel(word)
  const section = Object.entries(labels).find(([, names]) => names.some(name => plainLabel(name) === plain))?.[0]
  return section === undefined ? null : { section, rest: rest.trim() }
}

const expressions = new WeakMap<Labels, RegExp>()

/** A line that starts with one of the labels, longer ones first: heading, bold, label, colon, end of bold, colon, the rest. */
function labelLine(labels: Labels): RegExp {
  const known = expressions.get(labels)
  if (known !== undefined) return known
  const names = Object.values(labels)
    .flat()
    .toSorted((a, b) => b.length - a.length)
    .map(name => name.replaceAll(/[ _-]+/g, '[ _-]+'))
  const mark = String.raw`(\*\*|__)?`
  const made = new RegExp(
    String.raw`^\s*(#{1,6}\s*)?(?:\d+[.)]\s*)?${mark}\s*(${names.join('|')})(?![\p{L}\p{N}])\s*(:)?\s*${mark}\s*(:)?(.*)$`,
    'iu',
  )
  expressions.set(labels, made)
  return made
}

const plainLabel = (label: string): string =>
  label
    .toLowerCase()
    .replaceAll(/[ _-]+/g, ' ')
    .trim()

/** null: the answer is not a JSON object, fenced or not. */
export function dataIn(text: string): JsonObject | null {
  const bare = /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(text)?.[1] ?? text
  if (!bare.trimStart().startsWith('{')) return null
  try {
    const data: unknown = JSON.parse(bare)
    return isJsonObject(data) ? data : null
  } catch {
    return null
  }
}

function fieldsOf(data: JsonObject, labels: Labels): { readonly [section: string]: string } {
  const entries = Object.entries(labels).flatMap(([section, names]) => {
    const known = [section, ...names].map(plainLabel)
    const found = Object.entries(data).find(([key]) => known.includes(plainLabel(key)))
    return found === undefined || found[1] === null ? [] : [[section, textOf(found[1])] as const]
  })
  return Object.fromEntries(entries)
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value.trim()
  return Array.isArray(value)
    ? value.map(textOf).join('\n')
    : isJsonObject(value)
      ? JSON.stringify(value)
      : String(value)
}

/** `yes`, `Yes, because …`, `true`; null: neither yes nor no. */
export function yesOrNo(text: string | undefined): boolean | null {
  const [, word = ''] =
    /^[\s"'`*_[(]*(yes|no|true|false|accept|accepted|reject|rejected|decline|declined)\b/i.exec(text ?? '') ?? []
  if (word === '') return null
  return /^(yes|true|accept)/i.test(word)
}
