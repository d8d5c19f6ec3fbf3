import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('a loop that stands still is told of by a thread, with what it was doing and where', () => {
  const script = join(import.meta.dirname, '../fixtures/stands-still.mjs')
  const { stderr, status } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  expect(status).toBe(0)
  expect(stderr).toMatch(
    /^warning: assay has stood still for \d+ s while settling and claiming runs, or planning new ones; it is in countSheep \(fixtures\/stands-still\.mjs:\d+\)/m,
  )
})
