import { canonicalJson, type Json } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'
import type { Domain } from '../../experiment.ts'
import { levelsOf } from '../../levels.ts'
import type { SourceProblem } from '../../problems.ts'
import type { Path, Source } from '../../source/source.ts'
import { arange, type DistributionName, defaults, distributionNames, distributionOf } from './distributions.ts'
import { distributionMistakes, gridMistakes, unknownKeys } from './parameter-mistakes.ts'
import { isFloat } from './python-number.ts'
import type { WrittenParameter, WrittenSweep } from './sweep-schema.ts'

/** What a parameter of a sweep file means. */
export type Parameter =
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'list'; readonly levels: readonly Json[]; readonly probabilities?: readonly number[] }
  | {
      readonly kind: 'range'
      readonly distribution: DistributionName
      readonly domain: Domain
      readonly levels: readonly number[]
      /** Whether its numbers are floats in Python, including whole ones. */
      readonly isFloat: boolean
    }

interface Written {
  readonly path: Path
  readonly written: WrittenParameter
}

type Method = WrittenSweep['method']

/** One parameter, or all of its problems. */
export function readParameter(one: Written, method: Method, source: Source): Parameter | readonly SourceProblem[] {
  const { path, written } = one
  const unknown = [...unknownKeys(path, written)]
  const name = distributionIn(one, source)
  if (typeof name !== 'string') return unknown.length > 0 ? unknown : [name]
  const problems = [...unknown, ...distributionMistakes(path, written, name, source)]
  if (problems.length === 0 && method === 'grid') problems.push(...gridMistakes(path, written, name))
  if (problems.length > 0) return problems
  const parameter = parameterOf(one, name, method, source)
  return typeof parameter === 'string' ? [{ path, message: parameter }] : parameter
}

/** As it is named, or as it follows from the keys. */
function distributionIn({ path, written }: Written, source: Source): DistributionName | SourceProblem {
  const { distribution, value, values, probabilities, min, max, mu, sigma, a, b } = written
  if (distribution !== undefined) {
    const known = distributionNames.find(one => one === distribution)
    if (known !== undefined) return known
    const hint = didYouMean(distribution, distributionNames) ?? `known: ${distributionNames.join(', ')}`
    return { path: [...path, 'distribution'], message: `there is no distribution "${distribution}"`, hint }
  }
  if (value !== undefined) return 'constant'
  if (values !== undefined) return probabilities === undefined ? 'categorical' : 'categorical_w_probabilities'
  if (min !== undefined || max !== undefined)
    return floatIn({ path, written }, ['min', 'max'], source) ? 'uniform' : 'int_uniform'
  const message = 'its values are missing'
  if (mu !== undefined || sigma !== undefined)
    return { path, message, hint: 'add "distribution: normal" (or log_normal)' }
  if (a !== undefined || b !== undefined) return { path, message, hint: 'add "distribution: beta"' }
  return { path, message, hint: 'give "value", "values", or "min" and "max"' }
}

function parameterOf(one: Written, name: DistributionName, method: Method, source: Source): Parameter | string {
  const { value = null, values = [], probabilities, min = 0, max = 0, q = defaults.q } = one.written
  const { mu = defaults.mu, sigma = defaults.sigma, a = defaults.a, b = defaults.b } = one.written
  const { domain: domainOf, takes } = distributionOf(name)
  if (name === 'constant') return { kind: 'constant', value }
  if (domainOf === undefined) return { kind: 'list', ...distinct(values, probabilities) }
  const isRounded = takes.includes('q')
  const domain = domainOf({ min, max, mu, sigma, a, b }, isRounded ? { size: q, from: 0, rounded: true } : null)
  if (typeof domain === 'string') return domain
  if (method === 'grid') {
    const levels = name === 'q_uniform' ? arange(min, max, q) : arange(min, max + 1, 1)
    const hasFloats = name === 'q_uniform' && floatIn(one, ['min', 'max', 'q'], source)
    return { kind: 'range', distribution: name, domain, levels, isFloat: hasFloats }
  }
  const hasFloats = isRounded ? floatIn(one, ['q'], source) : name !== 'int_uniform'
  return { kind: 'range', distribution: name, domain, levels: levelsOf(domain), isFloat: hasFloats }
}

const floatIn = ({ path, written }: Written, keys: readonly ('min' | 'max' | 'q')[], source: Source): boolean =>
  keys.some(key => isFloat(written[key], source.spellingOf([...path, key])))

/** A value that is listed twice is one, with the sum of both probabilities. */
function distinct(
  values: readonly Json[],
  probabilities: readonly number[] | undefined,
): { readonly levels: readonly Json[]; readonly probabilities?: readonly number[] } {
  const found = new Map<string, { readonly value: Json; probability: number }>()
  values.forEach((value, index) => {
    const text = canonicalJson(value)
    const entry = found.get(text) ?? { value, probability: 0 }
    entry.probability += probabilities?.[index] ?? 0
    found.set(text, entry)
  })
  const entries = [...found.values()]
  const levels = entries.map(({ value }) => value)
  return probabilities === undefined
    ? { levels }
    : { levels, probabilities: entries.map(({ probability }) => probability) }
}
