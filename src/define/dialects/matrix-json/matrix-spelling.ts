import { canonicalJson, isJsonObject, type Json } from '../../../util/json.ts'
import type { Spelling } from '../../experiment.ts'
import { type Path, type Source, valueAt } from '../../source/source.ts'
import { pythonJson } from '../../spelling/spelling.ts'

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
    for (const [index, level] of levels.entries()) add(name, level, ['matrix', parameter, index])
  }
  return spelling
}

function entriesAt(source: Source, path: Path): readonly (readonly [string, Json])[] {
  const map = valueAt(source.value, path)
  return isJsonObject(map) ? Object.entries(map) : []
}
