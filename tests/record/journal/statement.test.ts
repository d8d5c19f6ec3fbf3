import { DatabaseSync } from 'node:sqlite'
import { getHeapSpaceStatistics } from 'node:v8'
import { expect, onTestFinished, test } from 'vitest'
import { number, numberOrNull, oneOf, orNull, text, textOrNull } from '../../../src/record/journal/columns.ts'
import { Statement } from '../../../src/record/journal/statement.ts'

function database(): DatabaseSync {
  const found = new DatabaseSync(':memory:')
  onTestFinished(() => found.close())
  found.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'a'), (2, NULL)`)
  return found
}

const journal = { file: 'journal.db' }
const columns = { id: number }

test('rows are plain objects with the names of the columns', () => {
  const statement = new Statement(database().prepare('SELECT id, name AS called FROM t ORDER BY id'), journal)
  const rows = [
    { id: 1, called: 'a' },
    { id: 2, called: null },
  ]
  expect(statement.all(columns, [])).toStrictEqual(rows)
  expect([...statement.iterate(columns, [])]).toStrictEqual(rows)
  expect(statement.get(columns, [])).toStrictEqual(rows[0])
})

test('no row is undefined, and a column added later has its name', () => {
  const own = database()
  const statement = new Statement(own.prepare('SELECT * FROM t WHERE id = ?'), journal)
  expect(statement.get(columns, [3])).toBeUndefined()
  expect(statement.get(columns, [1])).toStrictEqual({ id: 1, name: 'a' })
  own.exec('ALTER TABLE t ADD COLUMN more INTEGER')
  expect(statement.get(columns, [1])).toStrictEqual({ id: 1, name: 'a', more: null })
})

test('rows are not retained in the old heap', () => {
  const statement = new Statement(database().prepare('SELECT id, name FROM t WHERE id = ?'), journal)
  const oldHeap = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
  for (let at = 0; at < 5000; at++) statement.get(columns, [1])
  const before = oldHeap()
  for (let at = 0; at < 100_000; at++) statement.get(columns, [1])
  expect(oldHeap() - before).toBeLessThan(3e6)
})

test.each([
  ['SELECT id, name FROM t', { name: textOrNull }, null],
  ['SELECT id, name FROM t', { name: text }, 't.name should hold a text, not nothing'],
  ['SELECT id AS n FROM t', { n: text }, 't.id should hold a text, not 1'],
  ['SELECT name FROM t', { name: numberOrNull }, 't.name should hold a number or nothing, not a'],
  ['SELECT name FROM t', { name: orNull(oneOf(['b', 'c'])) }, 't.name should hold one of b, c or nothing, not a'],
  ['SELECT zeroblob(3) AS n', { n: number }, 'n, which is computed from its rows, should hold a number, not 3 bytes'],
  ['SELECT id FROM t', { name: text }, 'the column name should hold a text, not nothing'],
] as const)('%s as %j: %s', (sql, asked, complaint) => {
  const read = () => new Statement(database().prepare(sql), journal).all(asked, [])
  if (complaint === null) expect(read()).toHaveLength(2)
  else expect(read).toThrow(`journal.db is damaged: ${complaint}`)
})

test('a statement for other columns checks those', () => {
  const statement = new Statement(database().prepare('SELECT * FROM t'), journal)
  expect(statement.all({ name: textOrNull }, [])).toHaveLength(2)
  expect(() => statement.all({ name: text }, [])).toThrow('t.name')
  expect(statement.all({ id: number }, [])).toHaveLength(2)
})
