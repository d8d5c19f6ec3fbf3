/** A number, or the reason why something is not one: never 0 as a substitute. */
export type NumberOrProblem = { readonly value: number } | { readonly problem: string }

/** From JSON: true and false count as 1 and 0. */
export function numberOf(value: unknown): NumberOrProblem {
  if (typeof value === 'boolean') return { value: Number(value) }
  if (typeof value === 'number') return Number.isFinite(value) ? { value } : { problem: `is ${value}, not a number` }
  if (typeof value === 'string' && isNotFinite(value)) return { problem: `is ${value}, not a number` }
  const shown = JSON.stringify(value) ?? String(value)
  return { problem: `is ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}, not a number` }
}

/** From text, such as a cell or the match of a regular expression. */
export function numberInText(text: string): NumberOrProblem {
  const trimmed = text.trim()
  if (!decimal.test(trimmed))
    return { problem: trimmed === '' ? 'is empty' : `is "${trimmed.slice(0, 60)}", not a number` }
  return numberOf(Number(trimmed))
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

export const isNotFinite = (text: string): boolean => /^[+-]?(nan|inf|infinity)$/i.test(text.trim())

/**
 * JSON, and Python's notation for values that are not numbers: NaN, Infinity, -Infinity, which are returned as text so
 * that the reader can report them. undefined: neither.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parsePythonJson(text)
  }
}

function parsePythonJson(text: string): unknown {
  // Strings are matched first, so that a word inside one is not touched.
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, found =>
    found.startsWith('"') ? found : `"${found}"`,
  )
  try {
    return quoted === text ? undefined : JSON.parse(quoted)
  } catch {
    return undefined
  }
}
