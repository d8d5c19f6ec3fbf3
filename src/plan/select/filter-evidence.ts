import type { Evidence, Observation } from '../../define/observation.ts'
import { AssayError } from '../../util/errors.ts'
import { canonicalJson, type Json } from '../../util/json.ts'
import { suggest } from '../../util/suggest.ts'
import { compileExpression, type Scope } from '../expression/compile.ts'

/** Only the runs that pass every filter; filters are written as for `run`. */
export function filterEvidence(evidence: Evidence, filters: readonly string[]): Evidence {
  if (filters.length === 0) return evidence
  const fields = new Set([
    ...evidence.factors,
    ...evidence.blocks,
    ...evidence.runs.flatMap(run => [
      ...Object.keys(run.params),
      ...Object.keys(run.block),
      ...Object.keys(run.columns ?? {}),
    ]),
    'replicate',
    'name',
    'run',
    'experiment',
  ])
  const tests = filters.map(text => compileTest(text, fields))
  const { texts = [], of = evidence.runs.length } = evidence.filter ?? {}
  return {
    ...evidence,
    filter: { texts: [...texts, ...filters], of },
    runs: evidence.runs.filter(run => tests.every(test => test(scopeOf(run)))),
  }
}

const scopeOf = ({ name, source, replicate, params, block, columns }: Observation): Scope => ({
  name,
  run: name,
  experiment: source,
  replicate,
  ...columns,
  ...block,
  ...params,
})

/** A filter on anything that has these fields: `policy=full,cheap`, `policy!=full`, `seed=1..5`, or an expression. */
export function compileTest(text: string, fields: ReadonlySet<string>): (scope: Scope) => boolean {
  const pair = parsePair(text)
  if (pair === null) {
    const { test } = compileExpression(text, fields)
    return scope => test(scope) === true
  }
  const { name, isEqual, values } = pair
  if (!fields.has(name)) throw unknownField(text, name, [...fields])
  return scope => values.some(value => matches(scope[name] ?? null, value)) === isEqual
}

interface Pair {
  readonly name: string
  readonly isEqual: boolean
  readonly values: readonly string[]
}

function parsePair(text: string): Pair | null {
  // `a != 'x' or b` is an expression; after a single = everything is the value, because = is not in the language.
  const match = /^\s*([^\s=!<>'"()[\]]+)\s*(?:(=)(?!=)\s*(.*?)|(!=)\s*([^\s'"()]+))\s*$/su.exec(text)
  if (match === null) return null
  const [, name = '', equals, wanted, , unwanted] = match
  const given = wanted ?? unwanted ?? ''
  if (/\s(and|or|&&|\|\|)\s/.test(given)) throw mixedUp(text)
  return { name, isEqual: equals !== undefined, values: given.split(',').map(unquoted) }
}

const unquoted = (value: string): string => value.trim().replace(/^(['"])(.*)\1$/s, '$2')

function matches(actual: Json, wanted: string): boolean {
  if (typeof actual === 'number') {
    const [, low, high] = /^(-?[\d.]+?)\.\.(-?[\d.]+)$/.exec(wanted) ?? []
    if (low !== undefined && high !== undefined) return actual >= Number(low) && actual <= Number(high)
    return wanted !== '' && Number(wanted) === actual
  }
  return (typeof actual === 'string' ? actual : canonicalJson(actual)) === wanted
}

function mixedUp(text: string): AssayError {
  return new AssayError('usage', `the filter ${text} mixes name=value with an expression`, {
    hint: "Give --filter twice, or write an expression: policy == 'full' and workflows == 50.",
  })
}

function unknownField(text: string, name: string, fields: readonly string[]): AssayError {
  const close = suggest(name, fields)
  return new AssayError('usage', `the filter ${text} asks for ${name}, which no run has`, {
    hint: close === null ? `Runs have: ${fields.join(', ')}.` : `Did you mean ${close}?`,
  })
}
