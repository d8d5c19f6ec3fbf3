import { parse, TomlError } from 'smol-toml'
import type { Json } from '../../util/json.ts'
import { syntaxError } from '../problems.ts'
import type { Source } from './source.ts'
import { tomlMistake } from './toml-mistake.ts'
import { tomlPositions } from './toml-positions.ts'

export function tomlSource(file: string, text: string): Source {
  const value = plainData(parsed(file, text))
  const positions = tomlPositions(text)
  return {
    file,
    value,
    positionOf(path, part = 'value') {
      for (let length = path.length; length > 0; length--) {
        const found = positions.get(path.slice(0, length).join('.'))
        if (found !== undefined) return part === 'key' && length === path.length ? found.key : found.value
      }
      return { line: 1, column: 1 }
    },
    // The parser does not keep the text of numbers; no dialect written in TOML needs it.
    spellingOf: () => null,
    optionOf: () => null,
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw syntaxError(file, tomlMistake(error, text), error)
  }
}

/** TOML's dates become their written text; everything else is plain data already. */
function plainData(value: unknown): Json {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plainData)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainData(item)]))
  return value as Json
}
