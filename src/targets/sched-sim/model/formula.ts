import { compileExpression, type Scope } from '../../../plan/expression/compile.ts'
import { AssayError } from '../../../util/errors.ts'
import type { Formula } from './parts.ts'

/** The names that a formula may use. `size` is the step's own; the formula of the size itself can't use it. */
export const formulaNames = ['pdfs', 'subqueries', 'iteration', 'size'] as const
export type FormulaScope = Readonly<Record<(typeof formulaNames)[number], number>>

const known: ReadonlySet<string> = new Set(formulaNames)

export function evaluateFormula(formula: Formula, scope: FormulaScope & Scope): number {
  if (typeof formula === 'number') return formula
  const value = compileExpression(formula, known).evaluate(scope)
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new AssayError('config', `"${formula}" gives ${JSON.stringify(value)} instead of a number`)
}
