/**
 * Values in Python's spelling, made from JSON text, because text still distinguishes 50.0 from 50. All functions take
 * the compact form that `pythonJson` returns.
 */

/** Like `str()`: text unchanged, everything else like `repr()`. */
export const pythonText = (json: string): string => (json.startsWith('"') ? textOf(json) : pythonRepr(json))

/** Like `repr()`: `{'lr': 0.1, 'nesterov': True}`. */
export const pythonRepr = (json: string): string =>
  respelt(json, token => (token.startsWith('"') ? quoted(textOf(token)) : (literals[token] ?? token)))

/** Like `json.dumps()` by default, with spaces: `{"lr": 0.1, "nesterov": true}`. */
export const spacedJson = (json: string): string => respelt(json, token => token)

const literals: { readonly [token: string]: string } = { true: 'True', false: 'False', null: 'None' }

const respelt = (json: string, spell: (token: string) => string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|[,:]|[^",:[\]{}]+/g, token => (/^[,:]$/.test(token) ? `${token} ` : spell(token)))

const textOf = (token: string): string => JSON.parse(token) as string

/** Single quotes, unless that takes more escapes. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll(/[\\'"]|[\p{C}\p{Z}]/gu, character => {
    if (character === ' ' || (character !== quote && /['"]/.test(character))) return character
    return short[character] ?? (character === quote || character === '\\' ? `\\${character}` : numbered(character))
  })
  return quote + escaped + quote
}

const short: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function numbered(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = (digits: number) => code.toString(16).padStart(digits, '0')
  return code < 0x100 ? `\\x${hex(2)}` : code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`
}
