import { isJsonObject, type Json } from '../../util/json.ts'
import { configError, type SourceProblem } from '../problems.ts'
import { type Path, type Source, valueAt } from './source.ts'

/** `[sleep, 1]` means the text: numbers, true and false in these lists of words, in their written form. */
export function wordsAsText(source: Source, lists: readonly Path[]): Source {
  const problems: SourceProblem[] = []
  const textOf = (word: Json, path: Path): Json => {
    const [name, ...others] = isJsonObject(word) ? Object.keys(word) : []
    if (isJsonObject(word) && name !== undefined && others.length === 0 && word[name] === null)
      problems.push({ path, message: `expected text, got a map`, hint: `write it in quotes: "{${name}}"` })
    if (typeof word === 'boolean') return source.spellingOf(path) ?? String(word)
    if (typeof word !== 'number') return word
    const spelling = source.spellingOf(path)
    // In code a number has no other spelling; in a file it may, and then only the file knows it.
    if (spelling === null && source.file !== null)
      problems.push({ path, message: `expected text, got ${word}`, hint: 'put it in quotes' })
    return spelling ?? String(word)
  }
  const value = lists.reduce((whole, path) => {
    const words = valueAt(whole, path)
    return Array.isArray(words)
      ? replaced(
          whole,
          path,
          words.map((word, index) => textOf(word, [...path, index])),
        )
      : whole
  }, source.value)
  if (problems.length > 0) throw configError(source, problems)
  return { ...source, value }
}

/** A copy with another value at an existing path. */
function replaced(value: Json, [step, ...rest]: Path, other: Json): Json {
  if (step === undefined) return other
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? replaced(item, rest, other) : item))
  return isJsonObject(value) ? { ...value, [step]: replaced(value[step] ?? null, rest, other) } : value
}
