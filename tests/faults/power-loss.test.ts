import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../src/util/random.ts'
import { assay, folderWith } from '../support/assay.ts'
import { canRecord } from './power-loss/record.ts'
import { findingsAt, recordRun, toldBefore } from './power-loss/simulate.ts'

// The short form of `npm run power-loss`.
it('a power failure after any write loses no finished run and no cost, and the same command continues', async ({
  skip,
}) => {
  if (!canRecord()) return skip('strace is not installed')
  const recording = recordRun(join(folderWith(), 'recorded'), 4)
  const { operations } = recording
  expect(operations.filter(({ kind }) => kind === 'sync').length).toBeGreaterThan(8)
  expect(toldBefore(operations, operations.length)).toMatchObject({ runs: { size: 4 }, usd: 1 })
  const random = seededRandom(7).next
  const places = Array.from({ length: 9 }, (_, part) => Math.floor((operations.length * (part + random())) / 9))
  for (const at of places)
    for (const loss of ['all', 'some'] as const) {
      const { findings } = await findingsAt(recording, { at, loss, random }, folderWith(), (args, cwd) =>
        assay(args, { cwd }),
      )
      expect({ at, loss, findings }).toEqual({ at, loss, findings: [] })
    }
  // A disk that only says that it has synced is found out: so it is the syncs that keep the promise.
  const lying = { ...recording, operations: operations.filter(({ kind }) => kind !== 'sync') }
  const late = { at: lying.operations.length - 40, loss: 'all', random } as const
  const { findings } = await findingsAt(lying, late, folderWith(), (args, cwd) => assay(args, { cwd }))
  expect(findings.join()).toContain('was made again')
})
