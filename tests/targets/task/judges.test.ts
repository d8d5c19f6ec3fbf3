import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { assay, summaryOf } from '../../support/assay.ts'
import { meta, oneShot } from './formats/support.ts'
import { attemptsOf, benchmark, fileOfRun, needsBubblewrap, resultsOf, runFolders, said } from './support.ts'

const evaluation = {
  rubrics: [
    { id: 'works', criterion: 'It greets.', weight: 0.5 },
    { id: 'clear', criterion: 'It is clear.', weight: 0.5, evaluation_criteria: ['No surprises'] },
  ],
  test_scripts: [
    { path: 'checks/run.sh', rubric_id: 'works', content: 'grep -q hello greet.py\n' },
    { path: 'checks/more.sh', rubric_id: 'works', content: 'false\n' },
  ],
}

const task = (over: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(oneShot({ 'tb_meta.json': meta({ evaluation, ...over }) })).map(([name, text]) => [
      `tasks/greet/${name}`,
      text,
    ]),
  )

const experiment = (judge: string, models: string): string => `
target:
  kind: task
  tasks: tasks/*
  sandbox: bubblewrap
  agents: { own: { command: [sh, -c, 'echo "print(\\"hello\\")" > greet.py; echo note > "über b/x.txt" 2>/dev/null; echo one > new.txt; echo run >> /logs/artifacts/runs'] } }
  agent: own
  judge: ${judge}
models: ${models}
`

const says = (score: number, more = ''): string =>
  `{ price: { input: 1, output: 1 }, rules: [{ ${more} json: { reason: "as {last}", score: ${score}, passed: ${score >= 0.5} } }] }`

describe('rubrics', () => {
  it('are scored by their tests, or else by judges, which see patch, tests and files', async () => {
    await needsBubblewrap()
    const cwd = benchmark(task(), experiment('sim/judge', `{ sim/judge: ${says(0.8)} }`))
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    const results = resultsOf(cwd)
    // works: one of two tests; clear: the judge.
    expect(results.evaluation.rubrics).toMatchObject({ works: { score: 0.5 }, clear: { score: 0.8 } })
    expect(results.total_score).toBeCloseTo(0.65, 9)
    expect(results.lm_evaluation).toMatchObject({ weighted_score: 0.8, agreement: null })
    const trace = fileOfRun(cwd, 'trace.jsonl')
    for (const part of ['+print', 'PASSED checks/run.sh', 'FAILED checks/more.sh', 'The file greet.py afterwards'])
      expect(trace).toContain(part)
    expect(readFileSync(join(runFolders(cwd)[0] ?? '', 'touched', 'new.txt'), 'utf8')).toBe('one\n')
    expect(fileOfRun(cwd, 'scoring_results.md')).toMatch(/\| clear \| 0\.5 \| – \| 80% \|/)
    expect(summaryOf(ended).cost_usd).toBeGreaterThan(0)
  })

  it('of a panel have a spread, and the share of rubrics on which it agrees', async () => {
    await needsBubblewrap()
    const models = `{ sim/kind: ${says(1)}, sim/strict: { price: { input: 1, output: 1 }, rules: [
      { contains: It is clear, json: { reason: no, score: 0.2, passed: false } }, { json: { reason: yes, score: 0.9, passed: true } }] } }`
    const cwd = benchmark(task(), experiment('[sim/kind, sim/strict]', models))
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    const { lm_evaluation, total_score } = resultsOf(cwd)
    expect(lm_evaluation).toMatchObject({
      agreement: 0.5,
      rubric_scores: [
        { rubric_id: 'works', score: 0.95, spread: expect.closeTo(0.1, 9) },
        {
          rubric_id: 'clear',
          score: 0.6,
          spread: expect.closeTo(0.8, 9),
          judgements: [{ judge: 'sim/kind' }, { judge: 'sim/strict' }],
        },
      ],
    })
    expect(total_score).toBeCloseTo(0.55, 9)
    expect(fileOfRun(cwd, 'scoring_results.md')).toContain('the judgements agree on 50% of the rubrics')
    expect(fileOfRun(cwd, 'scoring_results.md')).toContain('judgements differ by up to 80%')
  })

  it('have no score if a judge fails: only the scoring is repeated', async () => {
    await needsBubblewrap()
    const failing = '{ sim/judge: { price: { input: 1, output: 1 }, rules: [{ answer: no idea }] } }'
    const cwd = benchmark(task(), experiment('sim/judge', failing))
    const first = await assay(['run', '--json', '--retries', '0'], { cwd })
    expect(summaryOf(first), said(first)).toMatchObject({ infra_error: 1, completed: 0 })
    expect(attemptsOf(cwd)).toMatchObject([
      { outcome: 'infra_error', error_class: 'no_verdict', only_scoring_left: true },
    ])
    const again = await assay(['run', '--json', '--retries', '0'], { cwd })
    expect(summaryOf(again), said(again)).toMatchObject({ infra_error: 1, attempts: 2 })
    expect(attemptsOf(cwd)).toMatchObject([{ mode: 'run' }, { mode: 'score' }])
    expect(fileOfRun(cwd, 'logs/artifacts/runs')).toBe('run\n')
  })

  it('are not scored again before their judges are available', async () => {
    await needsBubblewrap()
    const cwd = benchmark(task(), experiment('gpt-5-mini', '{}'))
    const refusing = createServer((_, response) => response.writeHead(400).end('{}')).listen(0, '127.0.0.1')
    onTestFinished(() => void refusing.close())
    await once(refusing, 'listening')
    const { port } = refusing.address() as AddressInfo
    const judge = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` }
    const first = await assay(['run', '--retries', '0'], { cwd, env: { ...judge, OPENAI_API_KEY: 'sk-none' } })
    expect(first.status, said(first)).toBe(1)
    const scored = await assay(['eval', 'results/bench'], { cwd, env: { ...judge, OPENAI_API_KEY: '' } })
    expect(scored.status, said(scored)).toBe(2)
    expect(scored.stderr).toContain('gpt-5-mini: OPENAI_API_KEY is not set')
    expect(attemptsOf(cwd)).toHaveLength(1)
  })

  it('without tests need a judge, and are named without one', async () => {
    await needsBubblewrap()
    const without = task({ evaluation: { rubrics: evaluation.rubrics } })
    const target = '\ntarget: { kind: task, tasks: tasks/*, sandbox: bubblewrap, agent: nop }\n'
    const cwd = benchmark(without, target)
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ failed: 1 })
    expect(attemptsOf(cwd)).toMatchObject([{ error_class: 'nothing_to_score' }])
    const part = benchmark(task(), target)
    await assay(['run', '--json'], { cwd: part })
    expect(resultsOf(part)).toMatchObject({ total_score: 0, evaluation: { unscored_rubrics: ['clear'] } })
  })
})
