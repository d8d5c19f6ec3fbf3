/**
 * JSON, and what Python writes for numbers that are none: NaN, Infinity, -Infinity, which come out as text so that
 * the reader can say so. undefined: neither.
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
