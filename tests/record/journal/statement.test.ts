import { DatabaseSync } from 'node:sqlite'
import { getHeapSpaceStatistics } from 'node:v8'
import { expect, onTestFinished, test } from 'vitest'
import { Statement } from '../../../src/record/journal/statement.ts'

function database(): DatabaseSync {
  const found = new DatabaseSync(':memory:')
  onTestFinished(() => found.close())
  found.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, 'a'), (2, NULL)`)
  return found
}

test('rows are plain objects with the names of the columns', () => {
  const statement = new Statement(database().prepare('SELECT id, name AS called FROM t ORDER BY id'))
  const rows = [
    { id: 1, called: 'a' },
    { id: 2, called: null },
  ]
  expect(statement.all([])).toStrictEqual(rows)
  expect([...statement.iterate([])]).toStrictEqual(rows)
  expect(statement.get([])).toStrictEqual(rows[0])
})

test('no row is undefined, and a column that is added later has its name', () => {
  const own = database()
  const statement = new Statement(own.prepare('SELECT * FROM t WHERE id = ?'))
  expect(statement.get([3])).toBeUndefined()
  expect(statement.get([1])).toStrictEqual({ id: 1, name: 'a' })
  own.exec('ALTER TABLE t ADD COLUMN more INTEGER')
  expect(statement.get([1])).toStrictEqual({ id: 1, name: 'a', more: null })
})

test('rows leave nothing behind in the old heap', () => {
  const statement = new Statement(database().prepare('SELECT id, name FROM t WHERE id = ?'))
  const oldHeap = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
  for (let at = 0; at < 5000; at++) statement.get([1])
  const before = oldHeap()
  for (let at = 0; at < 100_000; at++) statement.get([1])
  expect(oldHeap() - before).toBeLessThan(3e6)
})
