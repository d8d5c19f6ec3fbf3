import { isJsonObject, type Json } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'
import { listed } from '../../../util/words.ts'
import type { SourceProblem } from '../../problems.ts'
import type { Path, Source } from '../../source/source.ts'
import { type DistributionName, defaults, distributionNames, distributionOf } from './distributions.ts'
import { isFloat } from './python-number.ts'
import { parameterKeys, type WrittenParameter } from './sweep-schema.ts'

const known: readonly string[] = [...Object.keys(parameterKeys), 'parameters']

export function* unknownKeys(path: Path, written: WrittenParameter): Generator<SourceProblem> {
  for (const [key, value] of Object.entries(written) as [string, Json][]) {
    if (known.includes(key)) continue
    const nested = `to nest, write ${path.at(-1)}: { parameters: { ${key}: … } }`
    const hint = didYouMean(key, known) ?? (isJsonObject(value) ? nested : `known here: ${known.join(', ')}`)
    yield { path: [...path, key], part: 'key', message: `unknown key "${key}"`, hint }
  }
}

const valueKeys = Object.keys(parameterKeys).filter(key => key !== 'distribution') as (keyof WrittenParameter)[]

/** Keys that contradict the distribution, missing keys, and invalid limits. */
export function* distributionMistakes(
  path: Path,
  written: WrittenParameter,
  name: DistributionName,
  source: Source,
): Generator<SourceProblem> {
  const { needs, takes } = distributionOf(name)
  const taken = listed(takes, takes.length)
  const who = written.distribution === undefined ? `"${needs.find(key => written[key] !== undefined)}"` : `"${name}"`
  for (const key of valueKeys) {
    if (written[key] === undefined || takes.includes(key)) continue
    const message = `"${key}" contradicts ${who}, which takes ${taken}`
    yield { path: [...path, key], part: 'key', message, ...contradictionHint(key, written, name) }
  }
  for (const key of needs)
    if (written[key] === undefined) yield { path, message: `"${key}" is missing: ${name} takes ${taken}` }
  yield* limitMistakes(path, written, name, source)
}

function contradictionHint(key: string, written: WrittenParameter, name: DistributionName): { readonly hint?: string } {
  const quantised = distributionNames.find(other => other === `q_${name === 'int_uniform' ? 'uniform' : name}`)
  if (key === 'q' && quantised !== undefined) return { hint: `"q" goes with "distribution: ${quantised}"` }
  if ((key === 'min' || key === 'max') && name.endsWith('normal'))
    return { hint: 'it has no limits: give mu and sigma, or take another distribution' }
  return written.distribution === undefined ? { hint: 'leave one out' } : {}
}

function* limitMistakes(
  path: Path,
  written: WrittenParameter,
  name: DistributionName,
  source: Source,
): Generator<SourceProblem> {
  const { min, max, values, probabilities } = written
  if (name === 'int_uniform')
    for (const key of ['min', 'max'] as const)
      if (isFloat(written[key], source.spellingOf([...path, key])))
        yield { path: [...path, key], message: `int_uniform needs whole numbers, got ${written[key]}` }
  if (min !== undefined && max !== undefined && min >= max)
    yield { path: [...path, 'min'], message: `min must be less than max, got ${min} and ${max}` }
  else if (name.endsWith('uniform_values') && min !== undefined && min <= 0)
    yield { path: [...path, 'min'], message: `${name} takes numbers above 0, got a minimum of ${min}` }
  if (values === undefined || probabilities === undefined) return
  const at = [...path, 'probabilities']
  if (probabilities.length !== values.length)
    yield { path: at, message: `expected one for each of the ${values.length} values, got ${probabilities.length}` }
  else if (!probabilities.some(one => one > 0)) yield { path: at, message: 'at least one must be above 0' }
}

const ofGrids: readonly DistributionName[] = ['constant', 'categorical', 'int_uniform', 'q_uniform']

/** More would never be run. */
const mostLevels = 1_000_000

export function* gridMistakes(path: Path, written: WrittenParameter, name: DistributionName): Generator<SourceProblem> {
  const { min = 0, max = 0, q = defaults.q } = written
  const another = 'or take method: random or bayes'
  if (name === 'categorical_w_probabilities') {
    const message = 'a grid runs all values and ignores probabilities'
    yield { path: [...path, 'probabilities'], part: 'key', message, hint: `leave them out, ${another}` }
  } else if (!ofGrids.includes(name))
    yield { path, message: `a grid can't list ${name}`, hint: `give "values", int_uniform or q_uniform, ${another}` }
  else if (name.endsWith('uniform') && (max - min) / q > mostLevels)
    yield { path, message: 'it has too many values for a grid', hint: 'take method: random or bayes' }
}
