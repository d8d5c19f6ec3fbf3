import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { journalRows } from '../support/journal.ts'
import { processesOf } from '../support/processes.ts'

/** Every one of the 200 runs has exactly one completed attempt, nothing is open, nothing lives on, nothing overlapped. */
export function expectExactlyOnce(dir: string, marks: string): void {
  const completed = journalRows(dir, `SELECT count(*) AS n FROM attempts WHERE outcome = 'completed' GROUP BY run_id`)
  expect(completed).toEqual(Array.from({ length: 200 }, () => ({ n: 1 })))
  expect(journalRows(dir, `SELECT count(*) AS n FROM runs WHERE state = 'finished'`)).toEqual([{ n: 200 }])
  expect(journalRows(dir, 'SELECT count(*) AS n FROM attempts WHERE ended_at IS NULL')).toEqual([{ n: 0 }])
  expect(journalRows(dir, `SELECT count(*) AS n FROM metrics WHERE name = 'answer' AND value = 42`)).toEqual([
    { n: 200 },
  ])
  expect(journalRows(dir, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(processesOf(dir)).toEqual([])
  expect(existsSync(join(marks, 'overlaps'))).toBe(false)
}
