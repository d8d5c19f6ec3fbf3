import { expect, test } from 'vitest'
import { checkedRow, number, oneOf, orNull, text } from '../../../src/record/journal/columns.ts'

const columns = { name: text, planned: orNull(number), control: oneOf(['go', 'stop']) }
const checked = (row: Parameters<typeof checkedRow>[0]) =>
  checkedRow(row, columns, 'experiment', { file: 'journal.db' })

test('gives a row whose columns hold what they should', () => {
  const row = { name: 'e', planned: null, control: 'go' }
  expect(checked(row)).toEqual(row)
  expect(checked({ ...row, planned: 3 }).planned).toBe(3)
})

test.each([
  [{ name: 1 }, 'journal.db is damaged: experiment.name should hold a text, not 1'],
  [{ planned: 'many' }, 'journal.db is damaged: experiment.planned should hold a number or nothing, not many'],
  [{ control: 'wait' }, 'journal.db is damaged: experiment.control should hold one of go, stop, not wait'],
])('names the column, what it should hold and what it holds: %j', (wrong, message) => {
  expect(() => checked({ name: 'e', planned: null, control: 'go', ...wrong })).toThrow(message)
})
