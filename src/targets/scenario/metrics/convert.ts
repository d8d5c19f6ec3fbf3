import type { Metric } from '../scenario.ts'
import type { MetricValue } from './expression.ts'

/** A value, or the reason why a text is not one. Never 0 for something unreadable. */
export type Converted = { readonly value: MetricValue } | { readonly problem: string }

/** A text converted to a value of this metric. */
export function converted(text: string, { type, categories }: Pick<Metric, 'type' | 'categories'>): Converted {
  const plain = text
    .trim()
    .replaceAll(/^["'`*_]+|["'`*_.,;]+$/g, '')
    .trim()
  switch (type) {
    case 'string':
      return plain === '' ? { problem: 'the text is empty' } : { value: plain }
    case 'boolean': {
      const value = truthOf(plain)
      return value === null ? { problem: `${shown(plain)} is neither yes nor no` } : { value }
    }
    case 'categorical': {
      const found = categories.find(one => sameWords(one, plain))
      return found === undefined ? { problem: `${shown(plain)} is none of ${categories.join(', ')}` } : { value: found }
    }
    case 'integer':
    case 'float': {
      const value = numberIn(plain)
      if (value === null) return { problem: `${shown(plain)} is no number` }
      if (type === 'integer' && !Number.isInteger(value)) return { problem: `${shown(plain)} is no whole number` }
      return { value }
    }
  }
}

/** `1,500`, `10^25`, `40%`; null: no number. */
export function numberIn(text: string): number | null {
  const plain = text
    .trim()
    .replace(/%$/, '')
    .replaceAll(/(?<=\d)[,_](?=\d{3}(?!\d))/g, '')
  const [, base, exponent] = /^([-+]?\d+(?:\.\d+)?)\s*\^\s*([-+]?\d+(?:\.\d+)?)$/.exec(plain) ?? []
  const value =
    base !== undefined && exponent !== undefined
      ? Number(base) ** Number(exponent)
      : plain === ''
        ? Number.NaN
        : Number(plain)
  return Number.isFinite(value) ? value : null
}

export function truthOf(text: string): boolean | null {
  if (/^(yes|true|1|on)$/i.test(text)) return true
  return /^(no|false|0|off)$/i.test(text) ? false : null
}

export const sameWords = (one: string, other: string): boolean => words(one) === words(other)
const words = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim()

const shown = (text: string): string => JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 59)}…`)
