import type { Extraction, Metric } from '../scenario.ts'
import { type Converted, converted, sameWords, truthOf } from './convert.ts'
import type { Found } from './timed-match.ts'

type Keyword = Extract<Extraction, { kind: 'keyword' }>

/** By pattern: the first non-empty group of the last match. */
export function byPattern(found: Found, metric: Metric): Converted {
  if (found === 'too_slow') return { problem: 'its pattern takes too long' }
  const group = found?.slice(1).find(one => one !== undefined && one !== '')
  if (metric.type === 'boolean') return { value: found !== null && (truthOf(group ?? '') ?? true) }
  if (found === null) return { problem: 'its pattern matches nothing' }
  return converted(group ?? found[0] ?? '', metric)
}

/** By words: how often they occur, whether they do, or how often in a hundred words. */
export function byKeyword(texts: readonly string[], { keywords, scoring }: Keyword, metric: Metric): Converted {
  const text = texts.join('\n').toLowerCase()
  if (metric.type === 'categorical') return namedCategory(text, metric)
  const count = keywords.reduce((sum, word) => sum + occurrences(text, word.toLowerCase()), 0)
  if (metric.type === 'string') return { problem: 'keywords give a number, and it is declared as text' }
  if (metric.type === 'boolean') return { value: count > 0 }
  if (scoring === 'presence') return { value: count > 0 ? 1 : 0 }
  if (scoring === 'count') return { value: count }
  const words = text.split(/\s+/).filter(word => word !== '').length
  return words === 0 ? { problem: 'the text is empty' } : { value: (100 * count) / words }
}

/** The category named most often; the first of several. */
function namedCategory(text: string, { categories }: Metric): Converted {
  const counts = categories.map(name => ({
    name,
    count: Math.max(...spellings(name).map(one => occurrences(text, one))),
  }))
  const most = counts.reduce((best, one) => (one.count > best.count ? one : best), { name: '', count: 0 })
  const tied = counts.filter(({ count }) => count === most.count)
  if (most.count === 0) return { problem: 'none of its categories is named' }
  if (tied.length > 1) return { problem: `${tied.map(({ name }) => name).join(' and ')} are named equally often` }
  return { value: categories.find(one => sameWords(one, most.name)) ?? most.name }
}

const spellings = (name: string): readonly string[] => [
  ...new Set([name.toLowerCase(), name.toLowerCase().replaceAll(/[_-]+/g, ' ')]),
]

function occurrences(text: string, word: string): number {
  return word === '' ? 0 : text.split(word).length - 1
}
