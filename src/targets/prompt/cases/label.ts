import type { TestCase } from '../spec.ts'

/** What a person says of a case's answer; null: nobody did. */
export const labelOf = (label: TestCase['label']): boolean | null =>
  label === undefined ? null : label === true || label === 1 || label === 'pass'

/** The same as a cell of a table has it; null: it is none. */
export function labelIn(cell: string): boolean | null {
  const word = cell.trim().toLowerCase()
  if (['pass', 'passed', 'true', 'yes', '1', 'good'].includes(word)) return true
  return ['fail', 'failed', 'false', 'no', '0', 'bad'].includes(word) ? false : null
}
