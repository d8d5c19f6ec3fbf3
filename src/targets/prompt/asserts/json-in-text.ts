import type { Json } from '../../../util/json.ts'

/** Opening brackets that are tried at most, so that a text of nothing but brackets is read in no time. */
const mostTries = 2000

/** The JSON objects and lists that stand in a text, in order, outermost ones only: `Here: {"a": 1} and [2]`. */
export function jsonInText(text: string): readonly Json[] {
  const found: Json[] = []
  let tries = 0
  for (let at = nextBracket(text, 0); at >= 0 && tries < mostTries; tries++) {
    const end = endOfJson(text, at)
    const value = end < 0 ? undefined : parsed(text.slice(at, end))
    if (value !== undefined) found.push(value)
    at = nextBracket(text, value === undefined ? at + 1 : end)
  }
  return found
}

function nextBracket(text: string, from: number): number {
  const object = text.indexOf('{', from)
  const list = text.indexOf('[', from)
  return object < 0 || (list >= 0 && list < object) ? list : object
}

/** Just behind the bracket that closes the one at `start`; -1: none does. Brackets in texts don't count. */
function endOfJson(text: string, start: number): number {
  let depth = 0
  let isInText = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (isInText) {
      if (character === '\\') at++
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return -1
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
