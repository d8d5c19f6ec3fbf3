import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, startAssay, summaryOf } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'
import { leftoversOf } from '../task/leftovers.ts'
import {
  answerTask,
  attemptsOf,
  benchmark,
  fileOfRun,
  needsBubblewrap,
  resultsOf,
  runFolders,
  said,
} from '../task/support.ts'
import { metricsOf } from './metrics-of.ts'

const model = (rules: string, more = '') =>
  `models: { sim/a: { price: { input: 1, output: 1 }, ${more} rules: ${rules} } }\n`

const command = (text: string) => `{ tool: { name: bash, arguments: { command: ${JSON.stringify(text)} } } }`
const submit = '{ tool: { name: submit, arguments: {} } }'

const solving = model(`[{ script: [${command('cat question.txt')}, ${command('echo 42 > answer.txt')}, ${submit}] }]`)

const experiment = (more = '', settings = '') =>
  `target: { kind: agent, tasks: tasks/*, sandbox: bubblewrap, ${settings} }\nparams: { model: sim/a }\n${more}`

const trajectoryOf = (cwd: string) => JSON.parse(fileOfRun(cwd, 'trajectory.json'))

describe('the target agent', () => {
  it('solves a task in a box, is scored, and reports its usage', async () => {
    await needsBubblewrap()
    const cwd = benchmark(answerTask(), experiment(solving))
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1, pass: { passed: 1 } })
    expect(attemptsOf(cwd)).toMatchObject([{ outcome: 'completed', exit_status: 'submitted', sandbox: 'bubblewrap' }])
    expect(resultsOf(cwd)).toMatchObject({
      total_score: 1,
      agent_metrics: { agent: 'assay', model: 'sim/a', calls: 3, tool_calls_total: 3, exit_status: 'submitted' },
    })
    const metrics = metricsOf(cwd)
    expect(metrics).toMatchObject({
      ...{ n_turns: 3, submitted: 1, score: 1, agent_api_calls: 3, summary_api_calls: 0, rloop_cost: 0 },
      ...{ cache_hit_rate: 0, n_attempts: 1 },
    })
    expect(metrics.total_cost).toBeCloseTo(Number(summaryOf(ended).cost_usd), 9)
    expect(metrics.tokens_per_turn).toBeCloseTo(Number(metrics.raw_input_tokens) / 3, 6)
    expect(metrics.patch_lines).toBeGreaterThan(3)
    expect(trajectoryOf(cwd)).toMatchObject({ schema_version: 'ATIF-v1.7', agent: { name: 'assay' } })
    const series = journalRows<{ name: string }>(join(cwd, 'results', 'bench'), 'SELECT name FROM series')
    expect(series.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['step/cost', 'step/tokens_in', 'step/execution_time_ms', 'step/cache_hit_rate']),
    )
  })

  it('scores the files when a model never answers and the agent’s time is over', async () => {
    await needsBubblewrap()
    const silent = model(`[{ script: [${command('echo 42 > answer.txt')}, { fail: no_answer }] }]`)
    const cwd = benchmark(answerTask(), experiment(silent, 'time_limit: 3s'))
    const ended = await assay(['run', '--record', 'tape', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1, pass: { passed: 1 } })
    expect(attemptsOf(cwd)).toMatchObject([{ outcome: 'completed', exit_status: 'submitted (exit_timeout)' }])
    expect(resultsOf(cwd)).toMatchObject({ total_score: 1 })
    expect(metricsOf(cwd)).toMatchObject({ submitted: 1, score: 1, n_turns: 3 })
    rmSync(join(cwd, 'results'), { recursive: true })
    const again = await assay(['run', '--replay', 'tape', '--json'], { cwd })
    expect(summaryOf(again), said(again)).toMatchObject({ completed: 1, pass: { passed: 1 } })
    expect(attemptsOf(cwd)).toMatchObject([{ outcome: 'completed', exit_status: 'submitted (exit_timeout)' }])
  })

  it('compares strategies and limits as factors, with tasks and seeds as blocks', async () => {
    await needsBubblewrap()
    const cwd = benchmark(
      answerTask(),
      `target: { kind: agent, sandbox: bubblewrap }
params: { model: sim/a }
factors:
  strategy: [raw, observation_masking]
  call_limit: [2, 10]
blocks: { task: tasks/*, seed: 1..2 }
${solving}`,
    )
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ planned: 8, completed: 8 })
    const ends = attemptsOf(cwd).map(attempt => Reflect.get(attempt, 'exit_status'))
    expect(ends.toSorted()).toEqual([...Array(4).fill('submitted'), ...Array(4).fill('submitted (exit_cost)')])
  })

  it('reruns only runs of a changed strategy module', async () => {
    const module = (text: string) =>
      `// ${text}\nexport default { name: 'all', make: () => ({ name: 'all', start: () => 0,
        next: ({ opening, turns }, state) => ({ prompt: [{ from: 0, to: opening }, ...turns], state }) }) }`
    const cwd = benchmark(
      { 'tasks/a/instruction.md': 'Write 42.', 'all.mjs': module('first') },
      `target: { kind: agent, tasks: tasks/*, sandbox: process }
params: { model: sim/a }
factors: { strategy: [raw, ./all.mjs] }
${solving}`,
    )
    const first = await assay(['run', '--json'], { cwd })
    expect(summaryOf(first), said(first)).toMatchObject({ planned: 2, completed: 2 })
    writeFileSync(join(cwd, 'all.mjs'), module('second'))
    const { stdout } = await assay(['plan'], { cwd })
    expect(stdout).toContain('to_run=1 skipped=1')
  })

  it('gives an instance without tests no score, but all metrics of the agent', async () => {
    await needsBubblewrap()
    const cwd = benchmark(
      { 'tasks/note/instruction.md': 'Write a note to note.txt.\n', 'tasks/note/files/readme.txt': 'Hello.\n' },
      experiment(model(`[{ script: [${command('cat readme.txt > note.txt')}, ${submit}] }]`)),
    )
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    expect(attemptsOf(cwd)).toMatchObject([{ outcome: 'completed', exit_status: 'submitted' }])
    expect(resultsOf(cwd)).toMatchObject({ total_score: null })
    const metrics = metricsOf(cwd)
    expect(metrics.score).toBeUndefined()
    expect(metrics).toMatchObject({ n_turns: 2, submitted: 1 })
    const table = await assay(['export', 'results/bench', '--format', 'csv', '--output', '-'], { cwd })
    expect(table.stdout, said(table)).toContain('exit_status')
    expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain('+Hello.')
  })

  it('does not change limits of the experiment', async () => {
    await needsBubblewrap()
    const cwd = benchmark(answerTask(), experiment(`limits: { run_calls: 2 }\n${solving}`))
    const ended = await assay(['run', '--json'], { cwd })
    expect(ended.status, said(ended)).toBe(3)
    expect(attemptsOf(cwd)).toMatchObject([{ outcome: 'cost_limited', limit: 'run_calls' }])
    // Its work until then is kept.
    expect(trajectoryOf(cwd).steps.length).toBeGreaterThan(3)
    const raised = await assay(['run', '--json', '--run-calls', '10'], { cwd })
    expect(summaryOf(raised), said(raised)).toMatchObject({ completed: 1 })
  })

  it('repeats a run whose provider was gone, and scores again without calling the model', async () => {
    await needsBubblewrap()
    const files = answerTask({ 'tasks/answer/tests/test.sh': '#!/bin/sh\necho no reward today\n' })
    const cwd = benchmark(files, experiment(solving))
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ failed: 1 })
    const first = metricsOf(cwd)
    const again = await assay(['run', '--json', '--retry-failed'], { cwd })
    expect(summaryOf(again), said(again)).toMatchObject({ failed: 1, attempts: 2 })
    expect(attemptsOf(cwd)).toMatchObject([{ mode: 'run' }, { mode: 'score' }])
    const { agent_s: _, ...before } = first
    expect(metricsOf(cwd)).toMatchObject({
      n_turns: first.n_turns,
      total_cost: first.total_cost,
      patch_lines: before.patch_lines,
    })

    const gone = benchmark(answerTask(), experiment(`limits: { retries: 0 }\n${model('[{ fail: rate_limited }]')}`, ''))
    const failed = await assay(['run', '--json', '--fail-on-rate-limit'], { cwd: gone })
    expect(summaryOf(failed), said(failed)).toMatchObject({ completed: 0, failed: 0 })
    expect(attemptsOf(gone)).toMatchObject([{ outcome: 'rate_limited' }])
  })

  it.each([
    [
      'factors: { hp_sum_n: [3] }\nparams: { model: sim/a, strategy: llm_summary, hp_sum_keep_m: 5 }\n',
      'hp_sum_keep_m must be less',
    ],
    ['factors: { call_limits: [3] }\n', 'call_limit'],
    ['factors: { call_limit: [-3] }\n', 'whole number'],
    ['factors: { strategy: [rawr] }\n', 'there is no strategy "rawr"'],
    ['params: { model: sim/free, cost_limit: 1 }\n', 'cost_limit'],
    [
      'factors: { strategy: [raw, hybrid], hp_obs_n: [5, 10] }\n',
      'hp_obs_n changes nothing with the strategy raw, so that some variants are the same',
    ],
  ])('refuses invalid settings before anything runs: %s', async (part, told) => {
    const target = 'target: { kind: agent, tasks: tasks/*, sandbox: process }\n'
    const params = part.includes('params:') ? '' : 'params: { model: sim/a }\n'
    const free = solving.replace('models: {', 'models: { sim/free: { price: free },')
    const cwd = benchmark(answerTask(), `${target}${params}${part}${free}`)
    const ended = await assay(['run'], { cwd })
    expect(ended.status, said(ended)).toBe(2)
    expect(said(ended)).toContain(told)
  })
})

describe('the target task', () => {
  it('uses the built-in agent if codex is not installed', async () => {
    await needsBubblewrap()
    const cwd = benchmark(
      answerTask(),
      `target: { kind: task, tasks: tasks/*, sandbox: bubblewrap, assay: { call_limit: 2 } }\nparams: { model: sim/a }\n${solving}`,
    )
    const ended = await assay(['run', '--json'], { cwd, env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' } })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    expect(attemptsOf(cwd)).toMatchObject([{ exit_status: 'submitted (exit_cost)' }])
    expect(runFolders(cwd).map(folder => readFileSync(join(folder, 'logs', 'agent.log'), 'utf8'))).toEqual([
      '$ cat question.txt\nWhat is six times seven?\n$ echo 42 > answer.txt\n',
    ])
  })

  it('needs a model for it', async () => {
    const cwd = benchmark(answerTask(), 'target: { kind: task, tasks: tasks/*, sandbox: process, agent: assay }\n')
    const ended = await assay(['run'], { cwd })
    expect(ended.status).toBe(2)
    expect(said(ended)).toContain('the agent assay needs a model')
  })
})

describe('kill -9 while the agent works', () => {
  it('leaves no box, and the same command continues', async () => {
    await needsBubblewrap()
    const cwd = benchmark(
      answerTask(),
      experiment(
        model(`[{ script: [${command('echo on > /logs/agent/on; sleep 2; echo 42 > answer.txt')}, ${submit}] }]`),
      ),
    )
    const { child, ended } = startAssay(['run', '--json'], { cwd })
    await expect
      .poll(() => existsSync(join(runFolders(cwd)[0] ?? '', 'logs', 'agent', 'on')), { timeout: 20_000 })
      .toBe(true)
    child.kill('SIGKILL')
    await ended
    const again = await assay(['run', '--json'], { cwd })
    expect(summaryOf(again), said(again)).toMatchObject({ planned: 1, completed: 1 })
    expect(attemptsOf(cwd)).toMatchObject([
      { outcome: 'cancelled' },
      { outcome: 'completed', exit_status: 'submitted' },
    ])
    expect(leftoversOf(cwd)).toEqual([])
  })
})
