import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../support/assay.ts'

const definition = (cells: string) => `
name: e
target: { kind: function, module: ./score.mjs }
factors: { policy: [fifo, full] }
blocks: { task: [t1, t2, t3, t4] }
metrics: { score: { goal: maximize, primary: true } }
cells:
${cells}
`
const score = `export default ({ policy }, { block, replicate }) =>
  ({ score: (policy === 'full' ? 2 : 1) + Number(block.task.slice(1)) / 10 + replicate / 100 })`

function experiment(cells: string) {
  const cwd = folderWith({ 'experiment.yaml': definition(cells), 'score.mjs': score })
  return {
    cwd,
    define: (other: string) => writeFileSync(join(cwd, 'experiment.yaml'), definition(other)),
    run: (...args: string[]) => assay(['run', '--json', ...args], { cwd }),
    compare: async () => JSON.parse((await assay(['compare', 'results/e', '--json'], { cwd })).stdout),
  }
}

const uneven = `
  - { policy: fifo, replicates: 2 }
  - { policy: full, task: [t1, t2, t3], replicates: 3 }`

it('runs exactly the listed cells, and pairs them by block whatever their replicates', async () => {
  const e = experiment(uneven)
  expect(summaryOf(await e.run())).toMatchObject({ planned: 17, completed: 17 })
  expect(await e.compare()).toMatchObject({
    n: { control: 3, candidate: 3, pairs: 3, dropped: 1 },
    pairing: { by: ['task'], unmatched: ['t4'] },
    spread: { control: { units: 3, runs: 6 }, candidate: { units: 3, runs: 9 } },
  })
})

it('can be extended: existing runs are reused, only new replicates run', async () => {
  const e = experiment(uneven)
  await e.run()
  e.define(`
  - { policy: fifo, replicates: 2 }
  - { policy: full, task: [t1, t2], replicates: 3 }
  - { policy: full, task: [t3, t4], replicates: 5 }`)
  expect(summaryOf(await e.run())).toMatchObject({ planned: 24, completed: 24, reused: 17, attempts: 24 })
})

it('a full cross rewritten as cells keeps its runs', async () => {
  const e = experiment('  - {}')
  writeFileSync(join(e.cwd, 'experiment.yaml'), definition('').replace('cells:', ''))
  expect(summaryOf(await e.run())).toMatchObject({ planned: 8 })
  e.define(uneven)
  expect(summaryOf(await e.run())).toMatchObject({ planned: 17, completed: 17, reused: 7 })
})

it('filters, shards and orders them like any other runs', async () => {
  const e = experiment(uneven)
  const plan = async (...args: string[]) => {
    const { stdout } = await assay(['plan', '--json', ...args], { cwd: e.cwd })
    return (JSON.parse(stdout) as { runs: { id: string }[] }).runs.map(({ id }) => id)
  }
  const all = await plan()
  expect(await plan('--filter', 'policy=full')).toHaveLength(9)
  expect((await plan('--order', 'shuffled')).toSorted()).toEqual(all.toSorted())
  const shards = [await plan('--shard', '1/2'), await plan('--shard', '2/2')]
  expect(shards.flat().toSorted()).toEqual(all.toSorted())
})

it('reports the number of cells, and the place of a mistake', async () => {
  const e = experiment(uneven)
  const { stdout } = await assay(['plan'], { cwd: e.cwd })
  expect(stdout).toContain('7 cells of 2 variants, 17 runs, interleaved order')
  e.define('  - { policy: fifo }\n  - { policy: fifo, task: t2 }')
  const { stderr, status } = await assay(['plan'], { cwd: e.cwd })
  expect(status).toBe(2)
  expect(stderr).toContain('experiment.yaml:9:5')
  expect(stderr).toContain('policy=fifo, task=t2 is listed already, in entry 1')
})
