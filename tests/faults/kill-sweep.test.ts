import { expect, it } from 'vitest'
import { assay, folderWith } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'
import { accountOf, countedGrid, restlessWorkers } from '../support/restless-workers.ts'

it('four workers, killed and restarted, execute a grid of 400 cells exactly 400 times', async () => {
  const cwd = folderWith(countedGrid(20, 20, 25))
  const { id, dir } = JSON.parse((await assay(['sweep', 'grid.yaml', '--json'], { cwd })).stdout)
  const { killed } = await restlessWorkers(cwd, id, { kills: 8, lifeMs: [250, 900], seed: 5 })
  expect(killed).toBeGreaterThanOrEqual(5)
  const account = accountOf(cwd, dir)
  expect(account).toMatchObject({ completed: 400, wrong: 0, unaccounted: 0 })
  // Every execution belongs to an attempt that the journal knows of.
  expect(account.begun).toBeLessThanOrEqual(400 + account.lost)
  expect(account.over).toBeGreaterThanOrEqual(400)
  expect(journalRows(dir, `SELECT count(*) AS n FROM runs WHERE state = 'finished'`)).toEqual([{ n: 400 }])
  expect(journalRows(dir, 'SELECT count(*) AS n FROM attempts WHERE ended_at IS NULL')).toEqual([{ n: 0 }])
  expect(journalRows(dir, `SELECT DISTINCT outcome FROM attempts ORDER BY outcome`)).toEqual([
    { outcome: 'cancelled' },
    { outcome: 'completed' },
  ])
})

it('a search executes all its runs once, whichever process is killed', async () => {
  const cwd = folderWith({
    ...countedGrid(1, 1, 20),
    'search.yaml': `name: search
target: { kind: function, module: cell.mjs }
factors: { a: { min: 0, max: 1 }, b: { min: 0, max: 1 } }
seeds: 1..2
metrics: { sum: { goal: minimize } }
search: { method: bayes, max_runs: 60 }
limits: { jobs: 2 }
`,
  })
  const { id, dir } = JSON.parse((await assay(['sweep', 'search.yaml', '--json'], { cwd })).stdout)
  await restlessWorkers(cwd, id, { kills: 6, lifeMs: [300, 900], seed: 3 })
  expect(accountOf(cwd, dir)).toMatchObject({ completed: 60, wrong: 0, unaccounted: 0 })
  const variants = journalRows(dir, `SELECT count(*) AS n FROM runs GROUP BY json_extract(spec, '$.params')`)
  expect(variants).toEqual(Array.from({ length: 30 }, () => ({ n: 2 })))
})
