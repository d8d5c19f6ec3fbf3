import { createContext, Script } from 'node:vm'

/** Longer than any sensible pattern takes, on a busy machine too. */
const defaultMs = 1000

const context = createContext({ searches: [] })
const script = new Script(`searches.map(({ texts, expressions }) => {
  let found = null
  for (const text of texts)
    for (const expression of expressions) {
      const last = [...text.matchAll(expression)].at(-1)
      if (last === undefined) continue
      found = last
      break
    }
  return found
})`)

export interface Search {
  readonly texts: readonly string[]
  readonly patterns: readonly string[]
}

/** The groups of a match, after the match itself; null: there is none. */
export type Found = readonly (string | undefined)[] | null | 'too_slow'

/**
 * For each search, the last match in the last text that has one, by the first of its patterns that matches there,
 * ignoring case. Patterns are applied to texts of models, and some take exponential time for some texts: such a search
 * is abandoned. V8's linear engine can't ignore case. A call with a timeout starts a thread, so all searches are one
 * call; they are only made one by one if that takes too long.
 */
export function lastMatches(searches: readonly Search[], mostMs = defaultMs): readonly Found[] {
  if (searches.length === 0) return []
  const all = searched(searches, mostMs)
  if (all !== null) return all
  const isOne = searches.length === 1 && searches.every(one => one.texts.length === 1 && one.patterns.length === 1)
  return isOne ? ['too_slow'] : searches.map(one => oneByOne(one, mostMs))
}

function oneByOne({ texts, patterns }: Search, mostMs: number): Found {
  let found: Found = null
  for (const text of texts)
    for (const pattern of patterns) {
      const [last = null] = searched([{ texts: [text], patterns: [pattern] }], mostMs) ?? ['too_slow' as const]
      if (last === 'too_slow') return last
      if (last === null) continue
      found = last
      break
    }
  return found
}

/** null: it takes too long. */
function searched(searches: readonly Search[], mostMs: number): readonly Found[] | null {
  const prepared = searches.map(({ texts, patterns }) => ({
    texts,
    expressions: patterns.map(pattern => new RegExp(pattern, 'gi')),
  }))
  Object.assign(context, { searches: prepared })
  try {
    const all: unknown = script.runInContext(context, { timeout: mostMs })
    return isList(all) ? Array.from(all, matchOf) : null
  } catch (error) {
    if (isTimeout(error)) return null
    throw error
  } finally {
    Object.assign(context, { searches: [] })
  }
}

const matchOf = (found: unknown): Found =>
  isList(found) ? Array.from(found, one => (typeof one === 'string' ? one : undefined)) : null

/** An error of another context is not an `Error` of this one. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** Nor is a list. */
const isList = (found: unknown): found is ArrayLike<unknown> =>
  typeof found === 'object' && found !== null && 'length' in found
