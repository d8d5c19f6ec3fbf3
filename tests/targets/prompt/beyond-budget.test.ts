import { expect, it } from 'vitest'
import { startBillingServer } from '../../models/billing-server.ts'
import { eventsOf, summaryOf } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'
import { promptExperiment, sim } from './support.ts'

const experiment = (url: string, more = '') => `
target: { kind: prompt, prompts: ["Question {{n}}"], models: [m], max_output_tokens: 100, assert: [{ type: equals, value: Hi }] }
factors: { n: [${Array.from({ length: 20 }, (_, n) => n).join(', ')}] }
models: { m: { provider: openai-compatible, address: "${url}/v1", price: { input: 1, output: 100 } } }
${more}`

it('a server that ignores the limit exceeds a budget by one call per slot, once, with a notice', async () => {
  // Asked for 100 tokens of output at most, it bills 5,000: half a dollar instead of a cent.
  const server = await startBillingServer(() => ({ kind: 'answer', bill: { input: 10, output: 5000 } }))
  const e = promptExperiment(experiment(server.url, 'limits: { jobs: 2, budget_usd: 1 }'))
  const ran = await e.run()
  expect(ran.status).toBe(3)
  const { overrun_usd, cost_usd } = summaryOf(ran) as { overrun_usd: number; cost_usd: number }
  const billed = server.bills.length * (10 * 1 + 5000 * 100) * 1e-6
  expect(cost_usd).toBeCloseTo(billed, 9)
  // The first calls reserved a cent each; the others have enough budget.
  expect(server.bills.length).toBeLessThanOrEqual(3)
  expect(billed).toBeLessThanOrEqual(1 + overrun_usd)
  expect(overrun_usd).toBeGreaterThan(0.4)
  const notices = eventsOf(ran).flatMap(({ kind, message }) => (kind === 'notice' ? [String(message)] : []))
  expect(notices.filter(notice => notice.includes('billed 10 input and 5000 output tokens'))).not.toEqual([])
  expect(notices.join()).toContain('later calls of this model reserve as much')
  // Another process knows it too. Slots that begin one after the other make one call, others two: there is room for no more.
  const asked = server.asked.length
  const again = await e.run('--budget', String(cost_usd + 0.3))
  expect(again.status).toBe(3)
  expect(server.asked.length).toBe(asked)
  expect(summaryOf(again)).toMatchObject({ overrun_usd })
})

it('the ledger has purpose, model and tokens of calls, shown by status', async () => {
  const server = await startBillingServer(({ body }) => ({
    kind: 'answer',
    bill: { input: 40, cached: 30, output: body.response_format === undefined ? 20 : 10, reasoning: 5 },
  }))
  const e = promptExperiment(
    `target: { kind: prompt, prompts: ["Question {{n}}"], models: [m], max_output_tokens: 100, assert: [{ type: equals, value: Hi }] }
factors: { n: [1, 2, 3] }
models: { m: { provider: openai-compatible, address: "${server.url}/v1", price: { input: 10, cached_input: 1, output: 100 } } }`,
  )
  expect((await e.run()).status).toBe(0)
  const cost = 3 * (10 * 10 + 30 * 1 + 20 * 100) * 1e-6
  expect(
    journalRows(
      e.dir,
      `SELECT purpose, model, sum(calls) AS calls, sum(input_tokens) AS input, sum(cached_input_tokens) AS cached,
         sum(output_tokens) AS output, sum(reasoning_tokens) AS reasoning, round(sum(usd), 9) AS usd
       FROM ledger WHERE kind = 'charge' GROUP BY purpose, model`,
    ),
  ).toEqual([{ purpose: 'answer', model: 'm', calls: 3, input: 120, cached: 90, output: 60, reasoning: 15, usd: cost }])
  const status = summaryOf(await e.say(['status', e.dir, '--json']))
  expect(status).toMatchObject({
    costs: [
      { purpose: 'answer', model: 'm', calls: 3, input_tokens: 120, output_tokens: 60, overrun_usd: 0, assumed_usd: 0 },
    ],
  })
  expect((await e.say(['status', e.dir])).stdout).toContain('answer: $0.0064, 3 calls of m, 120 + 60 tokens')
})

it('purposes are separate, for one run too', async () => {
  const e = promptExperiment(
    `target: { kind: prompt, prompts: ["Say hi"], models: [sim/m], max_output_tokens: 50, judge: sim/m, assert: [{ type: llm-rubric, value: polite }] }
replicates: 2
${sim('[{ purpose: judge, json: { reason: fine, score: 1, passed: true } }, { answer: Hi }]', 'tokens: { input: 100, output: 10 },')}`,
  )
  expect((await e.run()).status).toBe(0)
  const each = { model: 'sim/m', input_tokens: 100, output_tokens: 10, cost_usd: 0.0002 }
  const [run = ''] = e.runs()
  expect(summaryOf(await e.say(['why', e.dir, run, '--json']))).toMatchObject({
    costs: [
      { ...each, purpose: 'answer', calls: 1 },
      { ...each, purpose: 'judge', calls: 1 },
    ],
  })
  expect((await e.say(['why', e.dir, run])).stdout).toContain('judge: $0.0002, 1 call of sim/m, 100 + 10 tokens')
  expect(summaryOf(await e.say(['status', e.dir, '--json']))).toMatchObject({
    costs: [
      { purpose: 'answer', calls: 2 },
      { purpose: 'judge', calls: 2 },
    ],
  })
})

it('the cost of a run is unknown if one of its models has no price, and the ledger keeps the known part', async () => {
  const server = await startBillingServer(() => ({ kind: 'answer', bill: { input: 10, output: 20 } }))
  const e = promptExperiment(`
target:
  kind: prompt
  prompts: ["Question {{n}}"]
  models: [m]
  max_output_tokens: 100
  assert: [{ type: llm-rubric, value: kind }]
  judge: sim/judge
factors: { n: [1, 2] }
models:
  m: { provider: openai-compatible, address: "${server.url}/v1" }
  sim/judge: { price: { input: 1, output: 1 }, rules: [{ json: { reason: ok, score: 1, passed: true } }] }`)
  const ran = await e.run()
  expect(summaryOf(ran).cost_usd).toBeGreaterThan(0)
  const rows = linesOfText((await e.say(['collect', e.dir, '--format', 'jsonl', '--out-csv', '-'])).stdout)
  expect(rows.map(row => JSON.parse(row))).toMatchObject([
    { cost_usd: null, judge_usd: expect.any(Number) },
    { cost_usd: null, judge_usd: expect.any(Number) },
  ])
  expect(rows[0]).toContain('the price of m is unknown')
  const ended = eventsOf(ran).filter(({ kind }) => kind === 'attempt_ended')
  expect(ended.map(({ cost_usd }) => cost_usd)).toEqual([null, null])
})

const linesOfText = (text: string): readonly string[] => text.trim().split('\n')
