import type { TestCase } from '../spec.ts'

/** A person's verdict on a case's answer; null: none. */
export const labelOf = (label: TestCase['label']): boolean | null =>
  label === undefined ? null : label === true || label === 1 || label === 'pass'

/** The same in the cell of a table; null: it is not one. */
export function labelIn(cell: string): boolean | null {
  const word = cell.trim().toLowerCase()
  if (['pass', 'passed', 'true', 'yes', '1', 'good'].includes(word)) return true
  return ['fail', 'failed', 'false', 'no', '0', 'bad'].includes(word) ? false : null
}
