import type { Problem } from '../../../define/target.ts'
import { AssayError } from '../../../util/errors.ts'
import type { DistributionSpec } from './distribution-schema.ts'
import { evaluateFormula, type FormulaScope } from './formula.ts'
import type { Model } from './model-schema.ts'
import type { Formula } from './parts.ts'

/** The requirement for each number of a distribution. */
const expectations: Readonly<Record<string, { readonly text: string; readonly holds: (value: number) => boolean }>> = {
  value: { text: '0 or more', holds: value => value >= 0 },
  low: { text: '0 or more', holds: value => value >= 0 },
  high: { text: '0 or more', holds: value => value >= 0 },
  mean: { text: 'above 0', holds: value => value > 0 },
  sigma: { text: '0 or more', holds: value => value >= 0 },
  shape: { text: 'above 0', holds: value => value > 0 },
  scale: { text: 'above 0', holds: value => value > 0 },
}

type Workload = Omit<FormulaScope, 'size'>

const usual: Workload = { pdfs: 10, subqueries: 4, iteration: 0 }

/** Formulas that can't be read, or give nonsense for a workload. */
export function formulaProblems({ steps }: Model, workload: Workload = usual): readonly Problem[] {
  return Object.entries(steps).flatMap(([name, { size, service_ms }]) => {
    const sized = numberOf(size, ['steps', name, 'size'], { ...workload, size: 0 })
    if (typeof sized !== 'number') return [sized]
    return distributionProblems(service_ms, ['steps', name, 'service_ms'], { ...workload, size: sized })
  })
}

function distributionProblems(spec: DistributionSpec, path: Problem['path'], scope: FormulaScope): readonly Problem[] {
  if (typeof spec !== 'object') return formulaProblem(spec, 'value', path, scope)
  const problems = Object.entries(spec).flatMap(([key, value]) =>
    expectations[key] === undefined && key !== 'mu' ? [] : formulaProblem(value as Formula, key, [...path, key], scope),
  )
  if (problems.length > 0 || spec.kind !== 'uniform') return problems
  const low = numberOf(spec.low, path, scope)
  const high = numberOf(spec.high, path, scope)
  return low > high ? [{ path: [...path, 'high'], message: `expected at least the low end ${low}, got ${high}` }] : []
}

function formulaProblem(formula: Formula, key: string, path: Problem['path'], scope: FormulaScope): readonly Problem[] {
  const value = numberOf(formula, path, scope)
  if (typeof value !== 'number') return [value]
  const expected = expectations[key]
  return expected === undefined || expected.holds(value)
    ? []
    : [{ path, message: `expected a number, ${expected.text}, got ${value}` }]
}

function numberOf(formula: Formula, path: Problem['path'], scope: FormulaScope): number | Problem {
  try {
    return evaluateFormula(formula, scope)
  } catch (error) {
    if (error instanceof AssayError)
      return { path, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) }
    throw error
  }
}
