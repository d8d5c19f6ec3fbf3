import { createContext, Script } from 'node:vm'

/** Longer than any sensible pattern takes, on a busy machine too. */
const mostMs = 1000

const context = createContext({ expression: /x/, text: '' })
const search = new Script('[...text.matchAll(expression)].at(-1) ?? null')

/**
 * The last match of a scenario's pattern, whatever its case; null: there is none. Patterns meet texts of models, and some
 * take exponential time for some texts: such a search is given up. V8's linear engine can't ignore case.
 */
export function lastMatch(text: string, pattern: string): readonly (string | undefined)[] | null | 'too_slow' {
  Object.assign(context, { expression: new RegExp(pattern, 'gi'), text })
  try {
    const found: unknown = search.runInContext(context, { timeout: mostMs })
    return isList(found) ? Array.from(found, one => (typeof one === 'string' ? one : undefined)) : null
  } catch (error) {
    if (isTimeout(error)) return 'too_slow'
    throw error
  }
}

/** An error of another context is no `Error` of this one. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** Nor is a list. */
const isList = (found: unknown): found is ArrayLike<unknown> =>
  typeof found === 'object' && found !== null && 'length' in found
