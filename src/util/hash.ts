import { createHash, hash } from 'node:crypto'
import { isJsonObject } from './json.ts'

export const sha256 = (text: string | Uint8Array): string => hash('sha256', text, 'hex')

/** `sha256` of the canonical JSON of plain data, without the text: that of a million seeds takes 7 MB several times over. */
export function sha256OfJson(data: unknown): string {
  const digest = createHash('sha256')
  let text = ''
  for (const piece of canonicalPieces(data)) {
    text += piece
    if (text.length < pieceLength) continue
    digest.update(text)
    text = ''
  }
  return digest.update(text).digest('hex')
}

const pieceLength = 65_536
const itemsAtOnce = 8192

function* canonicalPieces(data: unknown): Generator<string> {
  if (Array.isArray(data)) yield* piecesOfList(data)
  else if (isJsonObject(data)) yield* piecesOfObject(data)
  else yield JSON.stringify(data) ?? 'null'
}

function* piecesOfList(list: readonly unknown[]): Generator<string> {
  yield '['
  for (let from = 0; from < list.length; from += itemsAtOnce) {
    const some = list.slice(from, from + itemsAtOnce)
    if (from > 0) yield ','
    if (!some.some(item => typeof item === 'object')) yield JSON.stringify(some).slice(1, -1)
    else
      for (const [at, item] of some.entries()) {
        if (at > 0) yield ','
        yield* canonicalPieces(item)
      }
  }
  yield ']'
}

function* piecesOfObject(object: { readonly [key: string]: unknown }): Generator<string> {
  yield '{'
  let separator = ''
  for (const key of Object.keys(object).sort()) {
    const value = object[key]
    if (value === undefined) continue
    yield `${separator}${JSON.stringify(key)}:`
    yield* canonicalPieces(value)
    separator = ','
  }
  yield '}'
}
