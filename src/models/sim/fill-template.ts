import type { Json } from '../../util/json.ts'
import type { Random } from '../../util/random.ts'

/** The values that an answer may refer to. */
export interface TemplateValues {
  /** `{1}`, `{name}`: groups of the rule's expression; `{last}`, `{turn}`, `{model}`, `{seed}`. */
  readonly words: { readonly [name: string]: string }
  readonly random: Random
}

const placeholder = /\{(?:(integer|number) (-?[\d.]+)\.\.(-?[\d.]+)|one_of ([^{}]+)|([\p{L}_]\w*|\d+))\}/gu

/**
 * `{1}` and `{name}` are groups of a rule's expression, `{last}` is the last message; `{integer 1..10}`, `{number
 * 0..1}` and `{one_of yes|no}` are drawn. Other braces stay as they are: answers are often JSON.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replaceAll(placeholder, (...match: string[]) => filled(match, values))
}

/** The same in every text of plain data; a text that is nothing but a drawn number becomes that number. */
export function fillJson(value: Json, values: TemplateValues): Json {
  if (typeof value === 'string') {
    const text = fillTemplate(value, values)
    return /^\{(?:integer|number) [^{}]*\}$/.test(value) && text !== value ? Number(text) : text
  }
  if (Array.isArray(value)) return value.map(item => fillJson(item, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillJson(item, values)]))
}

function filled([whole = '', drawn, low, high, choices, word]: string[], { words, random }: TemplateValues): string {
  if (drawn === 'integer') return String(random.integer(Math.ceil(Number(low)), Math.floor(Number(high))))
  if (drawn === 'number') return String(Number((Number(low) + (Number(high) - Number(low)) * random.next()).toFixed(4)))
  if (choices !== undefined) {
    const all = choices.split('|')
    return all[random.integer(0, all.length - 1)] ?? whole
  }
  return word !== undefined && Object.hasOwn(words, word) ? (words[word] ?? whole) : whole
}
