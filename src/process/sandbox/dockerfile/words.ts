/** Variables in a word of a Dockerfile: `$name`, `${name}`, `${name:-default}`, `${name:+other}`; `\$` is a dollar. */
export function substitute(text: string, variables: Readonly<Record<string, string>>): string {
  const pattern = /\\(\$)|\$(?:\{(\w+)(?:(:?[-+])((?:[^{}]|\{[^}]*\})*))?\}|(\w+))/g
  return text.replace(pattern, (_, dollar?: string, name?: string, how?: string, other?: string, plain?: string) => {
    if (dollar !== undefined) return dollar
    const value = variables[name ?? plain ?? '']
    const isSet = value !== undefined && !(how?.startsWith(':') && value === '')
    if (how?.endsWith('+')) return isSet ? substitute(other ?? '', variables) : ''
    return isSet ? value : substitute(other ?? '', variables)
  })
}

/** Words divided by white space; quotes keep it together and are gone afterwards. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = []
  for (const [word] of text.matchAll(/(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'\\])+/gs)) words.push(unquoted(word))
  return words
}

/** Dollars keep their backslash until variables have been put in. */
export function unquoted(word: string): string {
  return word.replace(
    /"((?:\\.|[^"\\])*)"|'([^']*)'|\\([^$])/gs,
    (_, double?: string, single?: string, escaped?: string) => {
      if (double !== undefined) return double.replace(/\\(["\\])/g, '$1')
      return single === undefined ? (escaped ?? '') : single.replaceAll('$', '\\$')
    },
  )
}

/** `["a", "b"]`; null: it is not in that form. */
export function jsonList(text: string): readonly string[] | null {
  if (!text.startsWith('[')) return null
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every(item => typeof item === 'string') ? list : null
  } catch {
    return null
  }
}
