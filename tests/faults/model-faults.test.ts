import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaint, startAssay, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'
import { expectAddsUp } from '../support/summary.ts'
import { promptExperiment } from '../targets/prompt/support.ts'

/** Twelve questions to a model that answers `ok`, with a test's settings. */
const asking = (model: string, limits = '') => `
target: { kind: prompt, prompts: { p: "Question {{n}}" }, models: [sim/m], tests: cases.csv, max_output_tokens: 100, assert: [{ type: equals, value: ok }] }
models: { sim/m: { price: { input: 10, output: 10 }, ${model} } }
limits: { jobs: 4, ${limits} }
`
const twelve = { 'cases.csv': `n\n${Array.from({ length: 12 }, (_, n) => `${n + 1}`).join('\n')}\n` }
const one = { 'cases.csv': 'n\n1\n' }

/** The amounts booked in the journal, after checking that they add up. */
function moneyOf(dir: string) {
  const [money] = journalRows<{ spent_usd: number; reserved_usd: number }>(
    dir,
    'SELECT spent_usd, reserved_usd FROM experiment',
  )
  const [ledger] = journalRows<{ set_aside: number; spent: number }>(
    dir,
    `SELECT coalesce(sum(CASE kind WHEN 'reserve' THEN usd WHEN 'release' THEN -usd ELSE 0 END), 0) AS set_aside,
            coalesce(sum(usd) FILTER (WHERE kind IN ('charge', 'assumed')), 0) AS spent FROM ledger`,
  )
  expect(ledger?.set_aside).toBeCloseTo(money?.reserved_usd ?? 0, 9)
  expect(ledger?.spent).toBeCloseTo(money?.spent_usd ?? 0, 9)
  return money?.spent_usd ?? 0
}

const eventsOf = (dir: string) =>
  journalRows<{ kind: string }>(dir, "SELECT DISTINCT kind FROM events WHERE kind LIKE 'rate%' ORDER BY kind").map(
    ({ kind }) => kind,
  )

describe('too many requests', () => {
  it('are retried later, and paid once; decisions are recorded and shown', async () => {
    const e = promptExperiment(
      asking(
        'failures: { rate_limited: 0.4, retry_after: 20ms }, latency: 20ms, rules: [{ answer: ok }]',
        'budget_usd: 1',
      ),
      twelve,
    )
    const { status, summary, stdout } = await e.run()
    expect([status, summary.completed]).toEqual([0, 12])
    expectAddsUp(summary)
    expect(eventsOf(e.dir)).toEqual(expect.arrayContaining(['rate_cut', 'rate_wait']))
    // One line, however often it refuses: the others are in the log of the experiment.
    const notices = stdout.split('\n').filter(line => line.includes('"kind":"notice"') && line.includes('"warning"'))
    expect(notices.filter(line => /pause of|no calls to|refused a call/.test(line))).toEqual([
      expect.stringMatching(/sim refused a call \(429\): at most \d+ at once instead of \d+/),
    ])
    expect(stdout).toContain('sim asked for a pause of')
    const prices = e.metrics().reduce((sum, { price_usd = 0 }) => sum + price_usd, 0)
    expect(moneyOf(e.dir)).toBeCloseTo(prices, 12)
    expect((await e.say(['status'])).stdout).toMatch(
      /sim: \d+ requests and \d+ tokens this minute, at most \d+ calls? at once \(it complained at \d+\)/,
    )
  })

  it('end the experiment with --fail-on-rate-limit; the same command without it continues', async () => {
    const e = promptExperiment(
      asking('rules: [{ contains: "Question 5", fail: rate_limited }, { answer: ok }]', 'retries: { rate_limited: 0 }'),
      twelve,
    )
    const stopped = await e.run('--fail-on-rate-limit')
    expect(stopped.status).toBe(3)
    expect(stopped.summary.stopped_by).toBe(
      'sim said that there were too many requests, and --fail-on-rate-limit says not to wait',
    )
    expect(stopped.summary.rate_limited).toBeGreaterThan(0)
    expectAddsUp(stopped.summary)
    writeFileSync(
      join(e.cwd, 'experiment.yaml'),
      readFileSync(join(e.cwd, 'experiment.yaml'), 'utf8').replace(
        '{ contains: "Question 5", fail: rate_limited }, ',
        '',
      ),
    )
    expect((await e.run()).summary).toMatchObject({ completed: 12 })
  })

  it('are avoided by a rate: calls wait for their turn', async () => {
    const e = promptExperiment(asking('rules: [{ answer: ok }]'), twelve)
    const started = startAssay(['run', '--json', '--rate', 'sim=5rpm'], { cwd: e.cwd })
    await started.said('"attempt_ended"', 5)
    // The sixth waits for a minute to pass.
    const limited = await e.say(['status'])
    expect(limited.stdout).toContain('sim: 5 of 5 requests')
    await e.say(['set', e.dir, 'rate.sim=none'])
    const ended = await started.ended
    expect(summaryOf(ended)).toMatchObject({ completed: 12 })
  })
})

it('a rate for a misspelt provider is refused', async () => {
  const e = promptExperiment(asking('rules: [{ answer: ok }]', 'rate: { sims: 5rpm, openai: 10rpm }'), one)
  const refused = await e.say(['run'])
  expect([refused.status, complaint(refused, e)]).toEqual([2, expect.stringContaining('no model uses "sims"')])
  expect(complaint(refused, e)).toContain('did you mean "sim"?')
})

describe('other faults have their own names, retries and costs', () => {
  it.each([
    [
      'a server that always fails',
      'rules: [{ fail: server_error }]',
      { outcome: 'infra_error', error_class: 'server_error', cost_usd: 0 },
    ],
    ['a filter', 'rules: [{ fail: content_filter }]', { outcome: 'failed', error_class: 'content_filtered' }],
    [
      'a prompt that is too long',
      'context: 5, rules: [{ answer: ok }]',
      { outcome: 'failed', error_class: 'context_too_long', cost_usd: 0 },
    ],
  ])('%s', async (_, model, expected) => {
    const e = promptExperiment(asking(model, 'budget_usd: 1, retries: { infra_error: 0, failed: 0 }'), one)
    const { status, summary } = await e.run()
    expect([status, summary.completed]).toEqual([1, 0])
    expect(e.outcomes()).toMatchObject([expected])
    expect(e.metrics()[0]).not.toHaveProperty('score')
    moneyOf(e.dir)
  })

  it('a hanging call is given up; its cost is assumed', async () => {
    const e = promptExperiment(asking('rules: [{ fail: no_answer }]', 'timeout: 5s, budget_usd: 1'), one)
    const { status } = await e.run()
    expect(status).toBe(1)
    expect(e.outcomes()).toMatchObject([{ outcome: 'timed_out' }])
    // Its longest answer, 100 tokens, and the question.
    expect(moneyOf(e.dir)).toBeGreaterThan(0.001)
    expect(journalRows(e.dir, 'SELECT cost_assumed FROM attempts')).toEqual([{ cost_assumed: 1 }])
  })

  it('a missing key is reported before any call', async () => {
    const e = promptExperiment('target: { kind: prompt, prompts: { p: hi }, models: [gpt-4o-mini] }')
    const refused = await e.say(['run'], { OPENAI_API_KEY: '' })
    expect(refused.status).toBe(2)
    expect(complaint(refused, e)).toContain('OPENAI_API_KEY')
    await e.say(['sweep', 'create', 'experiment.yaml'], { OPENAI_API_KEY: '' })
    const worker = await e.say(['worker', 'results/e'], { OPENAI_API_KEY: '' })
    expect([worker.status, complaint(worker, e)]).toEqual([2, expect.stringContaining('OPENAI_API_KEY')])
    expect(complaint(refused, e)).toContain('experiment.yaml:')
    expect(journalRows(e.dir, 'SELECT count(*) AS n FROM attempts')).toEqual([{ n: 0 }])
  })

  it('an unknown model is reported with the nearest', async () => {
    const e = promptExperiment('target: { kind: prompt, prompts: { p: hi }, models: [gtp-4o-mini] }')
    const refused = await e.say(['run'])
    expect([refused.status, complaint(refused, e)]).toEqual([2, expect.stringContaining('gpt-4o-mini')])
  })
})

describe('an unknown price', () => {
  const unpriced = `
target: { kind: prompt, prompts: { p: "hello" }, models: [acme/unheard-of], max_output_tokens: 10 }
models: { acme/unheard-of: { provider: sim, rules: [{ answer: hi }]PRICE } }
`
  it('is refused under a budget, with a line to paste that works', async () => {
    const e = promptExperiment(unpriced.replace('PRICE', ''))
    const refused = await e.say(['run', '--budget', '1'])
    expect(refused.status).toBe(2)
    expect(complaint(refused, e)).toContain(
      "the price of acme/unheard-of is unknown, so budget_usd: 1 can't be enforced",
    )
    expect(complaint(refused, e)).toContain('acme/unheard-of: { price: { input: 0.50, output: 1.50 } }')
    const priced = promptExperiment(unpriced.replace('PRICE', ', price: { input: 0.50, output: 1.50 }'))
    expect((await priced.run('--budget', '1')).summary).toMatchObject({ completed: 1 })
  })

  it('allows runs under a limit on calls; the cost stays unknown, never 0', async () => {
    const e = promptExperiment(unpriced.replace('PRICE', ''))
    expect((await e.run('--run-calls', '3')).summary).toMatchObject({ completed: 1, cost_usd: 0 })
    expect(e.outcomes()).toMatchObject([{ outcome: 'completed', cost_usd: null }])
    expect(e.metrics()[0]).not.toHaveProperty('cost_usd')
  })

  it('ends runs if a budget is set while they run', async () => {
    const e = promptExperiment(
      unpriced.replace('PRICE', '').replace('hello', '{{n}}').replace('], max', '], tests: cases.csv, max'),
      twelve,
    )
    await e.run('--first', '1')
    await e.say(['set', e.dir, 'budget_usd=1'])
    const worker = await e.say(['worker', e.dir, '--json', '--count', '1'])
    expect(worker.stdout).not.toContain('"completed","')
    const again = await e.say(['run'])
    expect([again.status, again.stderr]).toEqual([
      2,
      expect.stringContaining('the price of acme/unheard-of is unknown'),
    ])
  })
})

describe('limits of a run', () => {
  const talk = `
target:
  kind: prompt
  prompts:
    p: [{ role: user, content: one }, { role: assistant }, { role: user, content: two }, { role: assistant }, { role: user, content: three }]
  models: [sim/m]
  max_output_tokens: 100
  assert: [{ type: equals, value: ok }]
models: { sim/m: { price: { input: 10, output: 10 }, tokens: { output: 50 }, rules: [{ answer: ok }] } }
`
  it.each([
    // The two calls of the first attempt count, and three more are needed.
    ['run_calls', ['--run-calls', '2'], ['--run-calls', '5']],
    ['run_tokens', ['--run-tokens', '200'], ['--run-tokens', '1000']],
    ['run_budget_usd', ['--run-budget', '0.002'], ['--run-budget', '0.1']],
  ])('%s ends it: it is kept without a score, and runs again once the limit is raised', async (limit, low, high) => {
    const e = promptExperiment(talk)
    const cut = await e.run('--no-cache', ...low)
    expect(cut.status).toBe(3)
    expect(cut.summary).toMatchObject({ cost_limited: 1, completed: 0 })
    expect(journalRows(e.dir, "SELECT facts ->> 'limit' AS name FROM attempts")).toEqual([{ name: limit }])
    expect(e.metrics()[0]).not.toHaveProperty('score')
    // Two answers were paid for.
    expect(moneyOf(e.dir)).toBeGreaterThan(0.001)
    const told = await e.say(['run', '--no-cache', ...low])
    expect(told.stdout).toContain(`Raise ${low[0]} to rerun what the limit cut.`)
    expect((await e.run('--no-cache', ...low)).summary).toMatchObject({ cost_limited: 1, attempts: 1 })
    const raised = await e.run('--no-cache', ...high)
    expect(raised.summary).toMatchObject({ completed: 1, attempts: 2 })
    expect(e.metrics()).toMatchObject([{ score: 1 }])
  })

  it('a run budget of 0 is no limit for runs that call models', async () => {
    const e = promptExperiment(talk)
    expect((await e.run('--run-budget', '0')).summary).toMatchObject({ completed: 1 })
  })
})

describe('the budget of the experiment', () => {
  // 100 tokens of answer at most, and about ten of question: $0.0011; really half of it.
  const model = 'tokens: { output: 50 }, latency: 15ms, rules: [{ answer: ok }]'

  it('ends it without being exceeded; the same command continues once raised, and pays for no answer twice', async () => {
    const e = promptExperiment(asking(model, 'budget_usd: 0.004'), twelve)
    const stopped = await e.run()
    expect(stopped.status).toBe(3)
    expect(stopped.summary.stopped_by).toMatch(
      /^the budget of \$0.004 has no room for another call: sim\/m may cost \$0.001/,
    )
    expect(moneyOf(e.dir)).toBeLessThanOrEqual(0.004)
    expect(moneyOf(e.dir)).toBeGreaterThan(0.0025)
    expectAddsUp(stopped.summary)
    const told = await e.say(['run'])
    expect(told.stdout).toContain('To continue, run the same command with a higher --budget.')
    const raised = await e.run('--budget', '1')
    expect(raised.summary).toMatchObject({ completed: 12 })
    const prices = e.metrics().reduce((sum, { price_usd = 0 }) => sum + price_usd, 0)
    expect(moneyOf(e.dir)).toBeCloseTo(prices, 9)
  })

  it('covers a run and workers together, even if one of them is killed', async () => {
    const many = { 'cases.csv': `n\n${Array.from({ length: 400 }, (_, n) => `${n + 1}`).join('\n')}\n` }
    // Slow enough that the workers come before the run alone has spent it all.
    const e = promptExperiment(asking(model.replace('15ms', '300ms'), 'budget_usd: 0.1'), many)
    const run = startAssay(['run', '--json'], { cwd: e.cwd })
    await run.said('"attempt_started"')
    const workers = [2, 4].map(jobs => startAssay(['worker', e.dir, '--json', `-j${jobs}`], { cwd: e.cwd }))
    await workers[1]?.said('"attempt_ended"', 3)
    workers[1]?.child.kill('SIGKILL')
    await Promise.all([run, ...workers].map(({ ended }) => ended))
    expect(moneyOf(e.dir)).toBeLessThanOrEqual(0.1 + 1e-9)
    const last = await e.run()
    expect(last.status).toBe(3)
    const spent = moneyOf(e.dir)
    expect(spent).toBeLessThanOrEqual(0.1 + 1e-9)
    expect(spent).toBeGreaterThan(0.097)
    expect(journalRows(e.dir, 'SELECT reserved_usd FROM experiment')).toEqual([{ reserved_usd: expect.closeTo(0, 9) }])
    expectAddsUp(last.summary)
  })
})
