import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, summaryOf } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'
import { leftoversOf } from './leftovers.ts'
import { answerTask, attemptsOf, benchmark, fileOfRun, needsBubblewrap, resultsOf, said } from './support.ts'

/** Calls its model that many times, and writes its last answer. */
const asking = `#!/usr/bin/env python3
import json, os, sys, time, urllib.request, urllib.error
model, times = sys.argv[1], int(sys.argv[2])
for turn in range(times):
    body = json.dumps({"model": model, "max_tokens": 1000, "messages": [{"role": "user", "content": "turn %d" % turn}]}).encode()
    head = {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "content-type": "application/json"}
    try:
        answer = json.load(urllib.request.urlopen(urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, head)))
    except urllib.error.HTTPError as error:
        print(error.code, error.read().decode(), flush=True)
        if "--stubborn" in sys.argv: time.sleep(1000)
        sys.exit(1)
    print(answer["choices"][0]["message"]["content"], flush=True)
open("answer.txt", "w").write(answer["choices"][0]["message"]["content"])
`

/** Every answer costs 0.001 for its 1,000 tokens. */
const priced = (rules = '[{ answer: "42" }]'): string =>
  `{ sim/a: { price: { input: 0, output: 1 }, tokens: { output: 1000 }, rules: ${rules} } }`

const experiment = (times: number, limits: string, more = '', words = ''): string => `
target:
  kind: task
  tasks: tasks/*
  sandbox: bubblewrap
  agents: { asking: { command: [./asking.py, '{model}', '${times}'${words}] } }
  agent: asking
factors: { model: [sim/a] }
models: ${priced()}
limits: ${limits}
${more}
`

const spent = (cwd: string): number =>
  journalRows<{ usd: number }>(
    join(cwd, 'results', 'bench'),
    `SELECT coalesce(sum(usd), 0) AS usd FROM ledger WHERE kind IN ('charge', 'assumed')`,
  )[0]?.usd ?? 0

const files = { ...answerTask(), 'asking.py': asking }

describe('the budget of an agent in a box', () => {
  it('ends it in the middle; a higher one repeats the run', async () => {
    await needsBubblewrap()
    const cwd = benchmark(files, experiment(5, '{ run_budget_usd: 0.0035 }', '', ", '--stubborn'"))
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ cost_limited: 1, completed: 0 })
    expect(attemptsOf(cwd)).toMatchObject([{ outcome: 'cost_limited', limit: 'run_budget_usd' }])
    expect(spent(cwd)).toBeCloseTo(0.003, 9)
    expect(fileOfRun(cwd, 'logs/agent.log').split('\n').slice(0, 3)).toEqual(['42', '42', '42'])
    expect(leftoversOf(cwd)).toEqual([])

    const raised = await assay(['run', '--json', '--run-budget', '0.02'], { cwd })
    expect(summaryOf(raised), said(raised)).toMatchObject({ completed: 1 })
    expect(resultsOf(cwd)).toMatchObject({
      total_score: 1,
      agent_metrics: { calls: 5, tokens_total: expect.any(Number) },
    })
    expect(spent(cwd)).toBeLessThanOrEqual(0.02)
  })

  it('of the experiment covers several simultaneous runs', async () => {
    await needsBubblewrap()
    const cwd = benchmark(files, experiment(3, '{ jobs: 3, budget_usd: 0.0105 }', 'replicates: 6\n'))
    const ended = await assay(['run', '--json'], { cwd })
    expect(ended.status, said(ended)).toBe(3)
    const summary = summaryOf(ended)
    expect(spent(cwd)).toBeLessThanOrEqual(0.0105)
    expect(spent(cwd)).toBeGreaterThan(0.008)
    expect(Number(summary.completed)).toBeGreaterThan(0)
    expect(Number(summary.completed)).toBeLessThan(4)
    expect(leftoversOf(cwd)).toEqual([])
    const more = await assay(['run', '--json', '--budget', '1'], { cwd })
    expect(summaryOf(more), said(more)).toMatchObject({ planned: 6, completed: 6 })
  })

  it('is not used by a replay, which gives the same score', async () => {
    await needsBubblewrap()
    const cwd = benchmark(files, experiment(2, '{ jobs: 1 }'))
    const recorded = await assay(['run', '--json', '--record', 'tape', '--exp-name', 'first'], { cwd })
    expect(summaryOf(recorded), said(recorded)).toMatchObject({ completed: 1 })
    expect(Number(summaryOf(recorded).cost_usd)).toBeCloseTo(0.002, 9)
    const replayed = await assay(['run', '--json', '--replay', 'tape'], { cwd })
    expect(summaryOf(replayed), said(replayed)).toMatchObject({ completed: 1, cost_usd: 0 })
    expect(spent(cwd)).toBe(0)
    expect(resultsOf(cwd)).toMatchObject({ total_score: 1, agent_metrics: { calls: 2 } })
  })

  it('applies to a rehearsal, which needs no key and shows the real cost', async () => {
    await needsBubblewrap()
    const real = experiment(2, '{ jobs: 1 }')
      .replaceAll('sim/a', 'gpt-4o-mini')
      .replace(/^models:.*$/m, '')
    const cwd = benchmark(files, real)
    const ended = await assay(['run', '--json', '--rehearse'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1, cost_usd: expect.any(Number) })
    expect(summaryOf(ended).dir).toMatch(/bench-rehearsal$/)
    expect(Number(summaryOf(ended).cost_usd)).toBeGreaterThan(0)
  })

  it('treats a provider that is gone, or a recording without a call, as no fault of the agent', async () => {
    await needsBubblewrap()
    const failing = experiment(2, '{ jobs: 1, retries: 0 }').replace(priced(), priced('[{ fail: server_error }]'))
    const cwd = benchmark(files, failing)
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ infra_error: 1, completed: 0 })
    expect(attemptsOf(cwd)).toMatchObject([{ outcome: 'infra_error', error_class: 'server_error' }])

    const replayed = benchmark({ ...files, 'tape/.keep': '' }, experiment(1, '{ jobs: 1, retries: 0 }'))
    const missing = await assay(['run', '--json', '--replay', 'tape'], { cwd: replayed })
    expect(summaryOf(missing), said(missing)).toMatchObject({ completed: 0 })
    expect(attemptsOf(replayed)[0]).toMatchObject({ error_class: 'missing_recording' })
  })
})
