import { expect, it } from 'vitest'
import { summaryOf } from '../../support/assay.ts'
import { backToVersion5, changeJournal, journalRows } from '../../support/journal.ts'
import { promptExperiment, sim } from '../../targets/prompt/support.ts'

it('a journal from before purposes keeps its amounts, and records purposes of later calls', async () => {
  const e = promptExperiment(
    `target: { kind: prompt, prompts: ["Hello {{n}}"], models: [sim/m], max_output_tokens: 50, assert: [{ type: equals, value: Hi }] }
factors: { n: [1, 2] }
${sim('[{ answer: Hi }]')}`,
  )
  const before = (await e.run()).summary
  changeJournal(e.dir, backToVersion5)
  const status = summaryOf(await e.say(['status', e.dir, '--json']))
  expect(status).toMatchObject({ completed: 2, cost_usd: before.cost_usd })
  expect(status).not.toHaveProperty('costs')
  expect((await e.run('--set', 'n=1,2,3')).summary).toMatchObject({ completed: 3 })
  expect(journalRows(e.dir, 'PRAGMA user_version')).toEqual([{ user_version: 9 }])
  expect(journalRows(e.dir, "SELECT purpose, model, calls FROM ledger WHERE kind = 'charge' ORDER BY id")).toEqual([
    { purpose: null, model: null, calls: null },
    { purpose: null, model: null, calls: null },
    { purpose: 'answer', model: 'sim/m', calls: 1 },
  ])
})
