import type { Json } from '../../../util/json.ts'

/** The most opening brackets that are tried, so that a text of nothing but brackets takes no time. */
const mostTries = 2000

/** The JSON objects and lists in a text, in order, outermost ones only: `Here: {"a": 1} and [2]`. */
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

/** The place after the bracket that closes the one at `start`; -1: none does. Brackets in strings don't count. */
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
