import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Journal } from '../../../src/record/journal/journal.ts'
import { journalFile } from '../../../src/record/places.ts'
import { observationsSince } from '../../../src/record/read/observations.ts'
import { assay, folderWith } from '../../support/assay.ts'
import { changeJournal, journalRows } from '../../support/journal.ts'

it('a run that is to run again is not observed until it has a new result', async () => {
  const cwd = folderWith({
    'experiment.yaml': `
name: told
target: { kind: function, module: work.mjs }
factors: { x: 1..4 }
order: listed
limits: { jobs: 1 }
`,
    'work.mjs': `export default ({ x }) => {
  if (x === 2) throw new RangeError('too large')
  return { score: x }
}
`,
  })
  const dir = join(cwd, 'results/told')
  await assay(['run', '-q'], { cwd })
  const told = (seen: number) => {
    const journal = Journal.openExisting(journalFile(dir))
    try {
      const { observations, seen: last } = observationsSince(journal, seen)
      return { runs: observations.map(({ params, outcome }) => [params.x, outcome.kind]), last }
    } finally {
      journal.close()
    }
  }
  const all = told(0)
  expect(all.runs.toSorted()).toEqual([
    [1, 'completed'],
    [2, 'failed'],
    [3, 'completed'],
    [4, 'completed'],
  ])
  changeJournal(dir, "UPDATE runs SET state = 'ready' WHERE outcome = 'failed'")
  expect(told(0).runs.map(([x]) => x)).not.toContain(2)
  await assay(['run', '-q'], { cwd })
  expect(told(all.last).runs).toEqual([[2, 'failed']])
})

it('a search reads only new results, by an index that grids don’t need', async () => {
  const definition = (name: string, more = '') => `
name: ${name}
target: { kind: function, module: work.mjs }
factors: { x: 1..6 }
metrics: { score: { goal: maximize } }
${more}`
  const cwd = folderWith({
    'grid.yaml': definition('grid'),
    'search.yaml': definition('search', 'search: { method: tpe, max_runs: 4 }\n'),
    'work.mjs': 'export default ({ x }) => ({ score: x })\n',
  })
  await assay(['run', 'grid.yaml', '-q'], { cwd })
  await assay(['run', 'search.yaml', '-q'], { cwd })
  const plan = (name: string) =>
    journalRows<{ detail: string }>(
      join(cwd, 'results', name),
      "EXPLAIN QUERY PLAN SELECT id FROM runs WHERE settled > 2 AND state IN ('finished', 'quarantined') ORDER BY settled",
    ).map(({ detail }) => detail)
  expect(plan('search')).toEqual([expect.stringContaining('runs_settled (settled>?)')])
  expect(plan('grid').join()).toContain('SCAN runs')
})
