import { expressionError } from './expression-error.ts'

/** A piece of an expression, with the column it starts at (from 0). */
export type Token =
  | { readonly kind: 'number'; readonly value: number; readonly at: number; readonly text: string }
  | { readonly kind: 'string'; readonly value: string; readonly at: number; readonly text: string }
  | { readonly kind: 'name'; readonly value: string; readonly at: number; readonly text: string }
  /** An operator, a bracket, or a word of the language such as `and`. */
  | { readonly kind: 'symbol'; readonly at: number; readonly text: string }
  | { readonly kind: 'end'; readonly at: number; readonly text: '' }

export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const token = tokenAt(text, at)
    if (token !== null) tokens.push(token)
    at += token?.text.length ?? 1
  }
  return [...tokens, { kind: 'end', at, text: '' }]
}

const words: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is', 'true', 'false', 'null'])
/** The other spellings people know from Python and from other languages. */
const spellings: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['||', 'or'],
  ['!', 'not'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

const patterns = {
  number: /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y,
  string: /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/y,
  name: /[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/uy,
  quotedName: /`[^`]+`/y,
  symbol: /==|!=|<=|>=|&&|\|\||\*\*|[<>!+\-*/%()[\],]/y,
}

/** The token that starts here; null for a space. */
function tokenAt(text: string, at: number): Token | null {
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  if (/\s/.test(text.charAt(at))) return null
  const number = match(patterns.number)
  if (number !== undefined) return { kind: 'number', value: Number(number), at, text: number }
  const string = match(patterns.string)
  if (string !== undefined) return { kind: 'string', value: unescaped(string.slice(1, -1)), at, text: string }
  const quoted = match(patterns.quotedName)
  if (quoted !== undefined) return { kind: 'name', value: quoted.slice(1, -1), at, text: quoted }
  const name = match(patterns.name)
  if (name !== undefined && !words.has(name) && !spellings.has(name))
    return { kind: 'name', value: name, at, text: name }
  const symbol = name ?? match(patterns.symbol)
  if (symbol !== undefined) return { kind: 'symbol', at, text: symbol }
  throw unexpected(text, at)
}

/** The word of the language that a symbol represents. */
export const symbolOf = (token: Token): string | null =>
  token.kind === 'symbol' ? (spellings.get(token.text) ?? token.text) : null

const unescaped = (inside: string): string =>
  inside.replaceAll(/\\(.)/g, (_, letter: string) => ({ n: '\n', t: '\t', r: '\r' })[letter] ?? letter)

function unexpected(text: string, at: number): Error {
  const found = text.charAt(at)
  if (found === '=') return expressionError(text, at, 'a single = compares nothing', 'Write == to compare.')
  if (found === "'" || found === '"' || found === '`')
    return expressionError(text, at, 'the quote that starts here never ends', `Close it with ${found}.`)
  return expressionError(text, at, `${found} means nothing here`)
}
