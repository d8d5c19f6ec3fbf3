import { canonicalJson, isJsonObject, type Json } from '../../../util/json.ts'
import type { Spelling } from '../../experiment.ts'
import { type Path, type Source, valueAt } from '../../source/source.ts'
import { pythonJson, pythonText } from '../../spelling/spelling.ts'

/** How Cascade's sweep runner would spell each value that a parameter takes: its run names are hashes of that text. */
export function matrixJsonSpelling(source: Source): Spelling {
  const spelling: { [parameter: string]: { [value: string]: string } } = { seed: { '1': '1' } }
  const add = (parameter: string, value: Json, path: Path): void => {
    const text = pythonJson(value, inner => source.spellingOf([...path, ...inner]))
    spelling[parameter] = { ...spelling[parameter], [canonicalJson(value)]: text }
  }
  for (const [parameter, value] of entriesAt(source, ['common_args'])) add(parameter, value, ['common_args', parameter])
  for (const [parameter, levels] of entriesAt(source, ['matrix'])) {
    if (parameter === 'ablations' || !Array.isArray(levels)) continue
    const name = parameter === 'seeds' ? 'seed' : parameter
    for (const [index, level] of distinctLevels(source, parameter).entries())
      if (level === levels[index]) add(name, level, ['matrix', parameter, index])
      // If only its spelling distinguishes it from another level, it is text spelt like its number.
      else spelling[name] = { ...spelling[name], [canonicalJson(level)]: String(level) }
  }
  return spelling
}

/** The levels of a list in the matrix: 50 and 50.0 are two levels, as in Python. The second one is text here. */
export function distinctLevels(source: Source, parameter: string): readonly Json[] {
  const levels = valueAt(source.value, ['matrix', parameter])
  const first = new Map<string, string>()
  return (Array.isArray(levels) ? levels : []).map((level, index) => {
    const spelt = pythonJson(level, inner => source.spellingOf(['matrix', parameter, index, ...inner]))
    const before = first.get(canonicalJson(level)) ?? spelt
    first.set(canonicalJson(level), before)
    return typeof level === 'number' && spelt !== before ? spelt : level
  })
}

/** A value in the file as Python's `str()` prints it. */
export function textAt(source: Source, path: Path): string {
  const value = valueAt(source.value, path)
  return pythonText(pythonJson(value ?? null, inner => source.spellingOf([...path, ...inner])))
}

function entriesAt(source: Source, path: Path): readonly (readonly [string, Json])[] {
  const map = valueAt(source.value, path)
  return isJsonObject(map) ? Object.entries(map) : []
}
