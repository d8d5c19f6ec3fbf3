import type { Json } from '../../util/json.ts'

/** A place in a configuration, e.g. `['limits', 'jobs']`. */
export type Path = readonly (string | number)[]

export interface Position {
  /** One-based, as editors count. */
  readonly line: number
  readonly column: number
}

/** A configuration as plain data that still knows where and how each part of it was written. */
export interface Source {
  /** The file as the user named it; null when the experiment was defined in code. */
  readonly file: string | null
  readonly value: Json
  /** Of the value at this path (or its key); of the nearest enclosing value if there is nothing. */
  positionOf(path: Path, part?: 'key' | 'value'): Position | null
  /** A number, true or false in its written form: `50.0` and `50` are the same value but not the same text. */
  spellingOf(path: Path): string | null
  /** Whether a text is without quotes: readers of YAML disagree about `yes`. */
  isUnquoted?(path: Path): boolean
  /** Notes for the reader of the file, about things that did not prevent reading it. */
  readonly notes?: readonly string[]
  /** The command-line option that set the value at this path, if one did. */
  optionOf(path: Path): string | null
}

/** Data from code: it has no positions and no spelling. */
export function sourceFromCode(value: Json): Source {
  return { file: null, value, positionOf: () => null, spellingOf: () => null, optionOf: () => null }
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1) + 1 }
}

export function valueAt(value: Json, path: Path): Json | undefined {
  let here: Json | undefined = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    here = (here as { readonly [key: string | number]: Json })[step]
  }
  return here
}
