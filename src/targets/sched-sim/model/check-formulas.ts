import type { Problem } from '../../../define/target.ts'
import { AssayError } from '../../../util/errors.ts'
import type { DistributionSpec } from './distribution-schema.ts'
import { evaluateFormula } from './formula.ts'
import type { Model } from './model-schema.ts'
import type { Formula } from './parts.ts'

/** What each number of a distribution must be. */
const expectations: Readonly<Record<string, { readonly text: string; readonly holds: (value: number) => boolean }>> = {
  value: { text: '0 or more', holds: value => value >= 0 },
  low: { text: '0 or more', holds: value => value >= 0 },
  high: { text: '0 or more', holds: value => value >= 0 },
  mean: { text: 'above 0', holds: value => value > 0 },
  sigma: { text: '0 or more', holds: value => value >= 0 },
  shape: { text: 'above 0', holds: value => value > 0 },
  scale: { text: 'above 0', holds: value => value > 0 },
}

/** Formulas that can't be read, or give nonsense for a workload of usual size. */
export function formulaProblems({ steps }: Model): readonly Problem[] {
  return Object.entries(steps).flatMap(([name, { size, service_ms }]) => {
    const sized = numberOf(size, ['steps', name, 'size'], 0)
    if (typeof sized !== 'number') return [sized]
    return distributionProblems(service_ms, ['steps', name, 'service_ms'], sized)
  })
}

function distributionProblems(spec: DistributionSpec, path: Problem['path'], size: number): readonly Problem[] {
  if (typeof spec !== 'object') return formulaProblem(spec, 'value', path, size)
  const problems = Object.entries(spec).flatMap(([key, value]) =>
    expectations[key] === undefined && key !== 'mu' ? [] : formulaProblem(value as Formula, key, [...path, key], size),
  )
  if (problems.length > 0 || spec.kind !== 'uniform') return problems
  const low = numberOf(spec.low, path, size)
  const high = numberOf(spec.high, path, size)
  return low > high ? [{ path: [...path, 'high'], message: `expected at least the low end ${low}, got ${high}` }] : []
}

function formulaProblem(formula: Formula, key: string, path: Problem['path'], size: number): readonly Problem[] {
  const value = numberOf(formula, path, size)
  if (typeof value !== 'number') return [value]
  const expected = expectations[key]
  return expected === undefined || expected.holds(value)
    ? []
    : [{ path, message: `expected a number, ${expected.text}, got ${value}` }]
}

function numberOf(formula: Formula, path: Problem['path'], size: number): number | Problem {
  try {
    return evaluateFormula(formula, { pdfs: 10, subqueries: 4, iteration: 0, size })
  } catch (error) {
    if (error instanceof AssayError)
      return { path, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) }
    throw error
  }
}
