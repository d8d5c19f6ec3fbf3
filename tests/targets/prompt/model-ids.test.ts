import { expect, it } from 'vitest'
import { chatCompletion, startServer } from '../../models/support.ts'
import { eventsOf } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'
import { promptExperiment } from './support.ts'

it('reports if a provider answers as another model than in an earlier run', async () => {
  let model = 'm-2026-01'
  const server = await startServer(response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion('ok', { model })),
  )
  const e = promptExperiment(
    `target: { kind: prompt, prompts: { p: "Question {{n}}" }, models: [m], assert: [{ type: equals, value: ok }] }
factors: { n: [1, 2] }
models: { m: { provider: openai-compatible, address: "${server.address}", price: free } }`,
  )
  const warnings = async (...args: string[]) =>
    eventsOf(await e.run(...args))
      .filter(({ kind, level }) => kind === 'notice' && level === 'warning')
      .map(({ message }) => message)
  expect(await warnings()).toEqual([])
  model = 'm-2026-02'
  const told = 'm: the provider now answers as m-2026-02, before as m-2026-01: results may not compare'
  expect(await warnings('--set', 'n=1,2,3,4')).toEqual([told])
  expect(await warnings('--set', 'n=1,2,3,4,5')).toEqual([])
  expect(journalRows(e.dir, "SELECT data ->> 'id' AS id FROM events WHERE kind = 'model_id' ORDER BY id")).toEqual([
    { id: 'm-2026-01' },
    { id: 'm-2026-02' },
  ])
})
