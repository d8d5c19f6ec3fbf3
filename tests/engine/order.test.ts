import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'

const definition = `
name: e
target: { kind: command, command: ["true"] }
factors: { x: [1, 2, 3, 4, 5] }
seeds: [1, 2, 3]
limits: { jobs: 1 }
`

/** Levels and seeds in the order in which the runs were started. */
async function started(...args: readonly string[]): Promise<{ x: number; seed: number }[]> {
  const cwd = folderWith({ 'experiment.yaml': definition })
  expect((await assay(['run', '-q', ...args], { cwd })).status).toBe(0)
  return journalRows<{ spec: string }>(
    join(cwd, 'results/e'),
    'SELECT r.spec FROM attempts a JOIN runs r ON r.id = a.run_id ORDER BY a.id',
  ).map(({ spec }) => {
    const { params, seed } = JSON.parse(spec)
    return { x: params.x, seed }
  })
}

it('is interleaved by block: every block has all variants in an order of its own', async () => {
  const order = await started()
  expect(order.map(run => run.seed)).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3])
  const blocks = [1, 2, 3].map(seed => order.filter(run => run.seed === seed).map(run => run.x))
  for (const block of blocks) expect([...block].sort()).toEqual([1, 2, 3, 4, 5])
  expect(new Set(blocks.map(String)).size).toBeGreaterThan(1)
  expect(await started()).toEqual(order)
})

it('is as listed on request', async () => {
  const order = await started('--order', 'listed')
  expect(order.map(run => run.x)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5])
  expect(order.slice(0, 3).map(run => run.seed)).toEqual([1, 2, 3])
})

it('is shuffled on request, the same way each time', async () => {
  const order = await started('--order', 'shuffled')
  expect(order).toHaveLength(15)
  expect(new Set(order.map(run => `${run.x}/${run.seed}`)).size).toBe(15)
  expect(order).not.toEqual(await started('--order', 'listed'))
  expect(order).not.toEqual(await started())
  expect(order).toEqual(await started('--order', 'shuffled'))
})
