import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { jsonOf, linesOf } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

/** A batch of the negotiation of the examples. */
function batch(lines: string, more: Readonly<Record<string, string>> = {}) {
  const cwd = folderWith({
    'batch.yaml': `experiment_name: Limits\nbase_scenario: scenarios/test-regulation-negotiation\noutput_dir: out\n${lines}\n`,
    ...more,
  })
  cpSync(join(examples, 'scenarios'), join(cwd, 'scenarios'), { recursive: true })
  const dir = join(cwd, 'out')
  return {
    cwd,
    dir,
    run: (...args: string[]) => assay(['run', 'batch.yaml', ...args], { cwd }),
    file: <T>(name: string) => jsonOf<T>(join(dir, name)),
  }
}

/** Two actors and a narrator of one model, which only answer. */
const quiet = {
  'scenarios/quiet/scenario.yaml': `name: Quiet
initial_world_state: Nothing has happened yet.
turn_duration: 1 day
turns: 6
world_state_model: m
actors: [a, b]
enable_bilateral_communication: false
context_window_size: 20
`,
  'scenarios/quiet/actors/a.yaml': 'name: A\nshort_name: a\nllm_model: m\n',
  'scenarios/quiet/actors/b.yaml': 'name: B\nshort_name: b\nllm_model: m\n',
}

/** A provider of models that waits for a number of calls, and then refuses all but two of them. */
async function startProvider(burst: number) {
  const waiting: ((isTooMuch: boolean) => void)[] = []
  const seen = { refused: 0, answered: 0, underWay: 0, after: [] as { underWay: number; answered: number }[] }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      seen.underWay++
      const answer = (isTooMuch: boolean) => {
        seen.underWay--
        if (isTooMuch) seen.refused++
        else seen.answered++
        response.writeHead(isTooMuch ? 429 : 200, { 'content-type': 'application/json', 'retry-after-ms': '20' })
        response.end(
          JSON.stringify(isTooMuch ? { error: { message: 'too many requests' } } : saying('**ACTION:** wait')),
        )
      }
      if (waiting.length >= burst) {
        seen.after.push({ underWay: seen.underWay, answered: seen.answered })
        // Long compared with the overhead of a call, even on a busy machine: concurrency grows only if calls overlap.
        return void setTimeout(answer, 100, false)
      }
      waiting.push(answer)
      if (waiting.length === burst) for (const [at, one] of waiting.entries()) one(at >= 2)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { seen, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

/** Every third answer reports its cost. */
let answers = 0
const saying = (content: string) => ({
  ...{ id: 'a', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, ...(answers++ % 3 === 0 && { cost: 0.005 }) },
})

describe('the rate of a provider', () => {
  test('is shared by all runs of a batch: a burst of refusals is one cut, and concurrency recovers', async () => {
    const { address, seen } = await startProvider(12)
    const model = `{ provider: openai-compatible, address: "${address}", price: { input: 1, output: 2 } }`
    const { run, file } = batch(`runs_per_variation: 6\nmax_parallel: 6\nassay: { models: { m: ${model} } }`, quiet)
    const ended = await run('--set', 'base_scenario=scenarios/quiet', '--json')
    expect(ended.status, ended.stdout + ended.stderr).toBe(0)
    expect(summaryOf(ended)).toMatchObject({ completed: 6, attempts: 6 })
    expect([seen.refused, seen.answered]).toEqual([10, 6 * 6 * 3])
    const { rate_limits } = file<{ rate_limits: { action: string; from?: number; to?: number }[] }>(
      'batch-summary.json',
    )
    const cuts = rate_limits.filter(({ action }) => action === 'cut')
    const { from = 0, to = 0 } = cuts[0] ?? {}
    expect([cuts.length, to]).toEqual([1, Math.floor(from / 2)])
    expect(from).toBeGreaterThanOrEqual(9)
    expect(rate_limits.at(-1)).toMatchObject({ action: 'regrown', to: from })
    // Half as many at once after the cut, for all runs together, and one more for each round that went well.
    expect(seen.after.length).toBeGreaterThan(90)
    expect(seen.after.filter(({ underWay, answered }) => underWay > to + answered / to + 1)).toEqual([])
  })
})

describe('timeout_per_run', () => {
  test('ends a run in the middle of a call, and the batch continues', async () => {
    const calls = { made: 0, open: 0, isSilent: true }
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        if (!calls.isSilent)
          return void response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify(saying('**ACTION:** wait')))
        calls.made++
        calls.open++
        response.on('close', () => calls.open--)
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close().closeAllConnections())
    const model = `{ provider: openai-compatible, address: "http://127.0.0.1:${(server.address() as AddressInfo).port}/v1", price: free }`
    const { run, dir, file } = batch(`runs_per_variation: 2\nassay: { models: { m: ${model} } }`, quiet)
    const short = ['--set', 'base_scenario=scenarios/quiet']
    const ended = await run(...short, '--set', 'timeout_per_run=0.3')
    expect(ended.status, ended.stderr).toBe(1)
    const { failed_runs } = file<{ failed_runs: { run_id: string; status: string; error: string }[] }>(
      'batch-summary.json',
    )
    expect(failed_runs.map(({ run_id, status }) => [run_id, status])).toEqual([
      ['var-001-run-001', 'timed_out'],
      ['var-001-run-002', 'timed_out'],
    ])
    for (const { error } of failed_runs) expect(error).toMatch(/^Run took too long: .*Increase timeout_per_run/)
    expect(readFileSync(join(dir, 'runs/var-001-run-001/scenario.log'), 'utf8')).toContain('Run took too long')
    await expect.poll(() => calls.open).toBe(0)
    expect(calls.made).toBeGreaterThan(0)
    calls.isSilent = false
    const done = await run(...short, '--retry-failed', '--json')
    expect([done.status, summaryOf(done)], done.stderr).toMatchObject([0, { completed: 2, attempts: 4 }])
    // One run once more, by its name.
    const again = await run(...short, '--rerun', 'var-001-run-002', '--json')
    expect(summaryOf(again), again.stderr).toMatchObject({ completed: 2, attempts: 5 })
  })
})

interface LedgerRow {
  readonly run: string
  readonly kind: 'reserve' | 'release' | 'charge' | 'assumed'
  readonly usd: number
  readonly purpose: string | null
  readonly calls: number | null
}

const ledgerOf = (dir: string) =>
  journalRows<LedgerRow>(
    dir,
    `SELECT r.name AS run, l.kind, l.usd, l.purpose, l.calls
     FROM ledger l JOIN attempts a ON a.id = l.attempt_id JOIN runs r ON r.id = a.run_id ORDER BY l.id`,
  )

/** The calls of a run as its trace has them, of all its attempts. */
function callsOf(folder: string) {
  const folders = [folder, ...(existsSync(join(folder, 'attempts')) ? readdirSync(join(folder, 'attempts')) : [])].map(
    (one, at) => (at === 0 ? one : join(folder, 'attempts', one)),
  )
  return folders
    .map(one => join(one, 'trace.jsonl'))
    .filter(existsSync)
    .flatMap(linesOf)
    .flatMap(line => {
      const { attributes = [] }: { attributes?: { key: string; value: Record<string, unknown> }[] } = JSON.parse(line)
      const of = (key: string) => Object.values(attributes.find(one => one.key === key)?.value ?? {})[0]
      return of('assay.purpose') === undefined
        ? []
        : [{ purpose: String(of('assay.purpose')), usd: Number(of('assay.cost_usd')), from: of('assay.cost_from') }]
    })
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0)

describe('the ledger of a batch', () => {
  test('has every call of every attempt, and never exceeds the budget or the limit of a run', async () => {
    const [budget, perRun] = [0.012, 0.0019]
    const { run, dir, file } = batch(
      `runs_per_variation: 6
max_parallel: 8
budget_limit: ${budget}
cost_per_run_limit: ${perRun}
variations: [{ type: actor_model, actor: port-authority, values: [sim/firm, sim/pragmatic] }]
assay: { models: scenarios/models.yaml }`,
    )
    const harbour = ['--set', 'base_scenario=scenarios/harbour-dues', '--no-cache']
    const stopped = await run(...harbour)
    expect(stopped.status, stopped.stderr).toBe(3)
    expect(stopped.stderr).toMatch(/Run cost exceeds limit: .*Increase cost_per_run_limit/)
    expect(stopped.stdout).toMatch(/Budget limit reached: .*Increase budget_limit/)
    const before = ledgerOf(dir)
    // Line by line: spent plus reserved.
    let [spent, promised] = [0, 0]
    const ofRun = new Map<string, number>()
    for (const { run: name, kind, usd } of before) {
      if (kind === 'reserve') promised += usd
      else if (kind === 'release') promised -= usd
      else {
        spent += usd
        ofRun.set(name, (ofRun.get(name) ?? 0) + usd)
      }
      expect(spent + promised).toBeLessThanOrEqual(budget + 1e-12)
    }
    expect(promised).toBeCloseTo(0, 12)
    for (const usd of ofRun.values()) expect(usd).toBeLessThanOrEqual(perRun)
    // Some were cut by their own limit, and the batch went on with others.
    const { failed_runs } = file<{ failed_runs: { status: string }[] }>('batch-summary.json')
    expect(failed_runs.some(({ status }) => status === 'cost_limit_exceeded')).toBe(true)
    expect(ofRun.size).toBeGreaterThan(failed_runs.length / 2)

    const done = await run(...harbour, '--resume', '--budget', '1', '--run-budget', '0.1', '--json')
    expect(summaryOf(done), done.stderr).toMatchObject({ completed: 12, overrun_usd: 0 })
    const charges = ledgerOf(dir).filter(({ kind }) => kind === 'charge' || kind === 'assumed')
    expect(charges.every(({ kind }) => kind === 'charge')).toBe(true)
    const costs = file<{ run_costs: { run_id: string; cost: number }[]; summary: { total_spent: number } }>(
      'batch-costs.json',
    )
    for (const name of readdirSync(join(dir, 'runs'))) {
      const own = charges.filter(({ run: one }) => one === name)
      const calls = callsOf(join(dir, 'runs', name))
      for (const purpose of new Set([...own, ...calls].map(one => one.purpose))) {
        const [booked, made] = [own, calls].map(all => all.filter(one => one.purpose === purpose))
        expect(sum((booked ?? []).map(({ usd }) => usd)), `${name} ${purpose}`).toBeCloseTo(
          sum((made ?? []).map(({ usd }) => usd)),
          12,
        )
        expect(sum(own.filter(one => one.purpose === purpose).map(one => one.calls ?? 0))).toBe(made?.length)
      }
      const listed = costs.run_costs.filter(({ run_id }) => run_id === name)
      expect(sum(listed.map(({ cost }) => cost))).toBeCloseTo(sum(own.map(({ usd }) => usd)), 12)
    }
    expect(costs.summary.total_spent).toBeCloseTo(sum(charges.map(({ usd }) => usd)), 12)
  })
})

describe('the cost of a call', () => {
  test('is that reported by the provider, else the list price; an unknown price is refused under a budget', async () => {
    const { address } = await startProvider(2)
    const model = (more: string) => `{ provider: openai-compatible, address: "${address}"${more} }`
    const { run, dir, file } = batch(`assay: { models: { m: ${model('')} } }`, quiet)
    const short = ['--set', 'base_scenario=scenarios/quiet', '--set', 'assay.limits.run_calls=50']
    const refused = await run(...short, '--budget', '1')
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(/m.*price/s)])
    expect(existsSync(join(dir, 'journal.db'))).toBe(false)
    const ended = await run(
      ...short,
      '--set',
      `assay.models.m=${model(', price: { input: 1, output: 2 }')}`,
      '--budget',
      '1',
      '--json',
    )
    expect(summaryOf(ended), ended.stderr).toMatchObject({ completed: 1 })
    // The list price would be 100 × 1 + 20 × 2 millionths.
    const calls = callsOf(join(dir, 'runs/var-001-run-001'))
    expect(new Set(calls.map(({ from }) => from))).toEqual(new Set(['preset', 'provider']))
    const { total_spent } = file<{ summary: { total_spent: number } }>('batch-costs.json').summary
    expect(total_spent).toBeCloseTo(sum(calls.map(({ usd }) => usd)), 12)
    expect(new Set(calls.map(({ usd }) => usd))).toEqual(new Set([0.00014, 0.005]))
    // Cached answers cost nothing the next time, and their price is reported.
    const again = await run(
      ...short,
      '--set',
      `assay.models.m=${model(', price: { input: 1, output: 2 }')}`,
      '--fresh',
      '--json',
    )
    expect(summaryOf(again), again.stderr).toMatchObject({ completed: 1 })
    const costs = file<{ run_costs: { cost: number }[] }>('batch-costs.json').run_costs
    expect(costs.at(-1)?.cost).toBe(0)
    const { attempts } = file<{ attempts: { cached_calls: number; paid_usd: number }[] }>(
      'runs/var-001-run-001/execution.json',
    )
    expect(attempts.at(-1)).toMatchObject({ cached_calls: 18, paid_usd: 0 })
    expect(file<{ total_cost: number }>('runs/var-001-run-001/costs.json').total_cost).toBeCloseTo(total_spent, 12)
  })
})

describe('a batch with runs that failed', () => {
  test('exits with 1, continues with the others, and prints the retry command', async () => {
    const { run, dir, file } = batch(
      `runs_per_variation: 2
max_parallel: 2
variations: [{ type: actor_model, actor: regulator, values: [sim/firm, sim/broken] }]
save_individual_runs: false
assay: { models: models.yaml, limits: { retries: 0 } }`,
      { 'models.yaml': '' },
    )
    const known = readFileSync(join(examples, 'scenarios/models.yaml'), 'utf8')
    writeFileSync(
      join(dir, '../models.yaml'),
      `${known}\nsim/broken:\n  price: free\n  rules: [{ contains: [turn 2 of], fail: content_filter }, { answer: wait }]\n`,
    )
    const ended = await run()
    expect(ended.status, ended.stderr).toBe(1)
    const { failure_modes } = file<{ failure_modes: { count: number; by_turn: object[] }[] }>('analysis/patterns.json')
    expect(failure_modes.find(({ count }) => count === 2)?.by_turn).toEqual([{ turn: 2, count: 2 }])
    expect(readFileSync(join(dir, 'analysis/analysis-report.md'), 'utf8')).toMatch(
      /\| in turn \|.*\n.*\n\| failed: content_filter.* \| 2 \| 2 \(2 runs\) \| failure \|/,
    )
    expect(ended.stdout).toContain('4 runs: 2 completed, 2 failed')
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toMatch(/assay run batch\.yaml .*--retry-failed/)
    const { failed_runs, runs_completed, runs_failed } = file<{
      failed_runs: { run_id: string; status: string; error: string }[]
      runs_completed: number
      runs_failed: number
    }>('batch-summary.json')
    expect([runs_completed, runs_failed]).toEqual([2, 2])
    expect(failed_runs.map(({ run_id, status }) => [run_id, status])).toEqual([
      ['var-002-run-001', 'failed'],
      ['var-002-run-002', 'failed'],
    ])
    // Files of completed runs go once they are recorded; those of failed runs stay.
    expect(readdirSync(join(dir, 'runs')).toSorted()).toEqual(['var-002-run-001', 'var-002-run-002'])
    expect(readFileSync(join(dir, 'runs/var-002-run-001/scenario.log'), 'utf8')).toContain('halted')
    // The same line again does not try them again, and still says so.
    const same = await run('--json')
    expect([same.status, summaryOf(same)]).toMatchObject([1, { completed: 2, failed: 2, attempts: 4 }])
    const again = await run('--retry-failed', '--json')
    expect([again.status, summaryOf(again)], again.stderr).toMatchObject([1, { completed: 2, failed: 2, attempts: 6 }])
    expect(file('batch-summary.json')).toMatchObject({ runs_completed: 2, runs_failed: 2, failed_runs: { length: 2 } })
  })
})
