import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, summaryOf } from '../../../support/assay.ts'
import { leftoversOf } from '../../task/leftovers.ts'
import {
  answerTask,
  attemptsOf,
  benchmark,
  fileOfRun,
  needsBubblewrap,
  resultsOf,
  runFolders,
  said,
} from '../../task/support.ts'
import { metricsOf } from '../metrics-of.ts'

/** Its first attempt is wrong, its second right, its third wrong: an attempt is told from another by what it draws. */
const answers = (reviews: string) => `
params: { model: sim/a }
models:
  sim/a:
    price: { input: 1, output: 1 }
    rules:
      - { purpose: rloop, ${reviews} }
      - { turn: 1, tool: { name: bash, arguments: { command: "test -e /logs/agent/tries && cat /logs/agent/tries; echo try >> /logs/agent/tries" } } }
      - { turn: 2, matches: "^try\\ntry", tool: { name: bash, arguments: { command: "echo 40 > answer.txt" } } }
      - { turn: 2, matches: "^try", tool: { name: bash, arguments: { command: "echo 42 > answer.txt; echo 42 > other.txt" } } }
      - { turn: 2, tool: { name: bash, arguments: { command: "echo 41 > answer.txt" } } }
      - { tool: { name: submit, arguments: {} } }
`

const experiment = (reviewer: string, reviews: string): string =>
  `target: { kind: agent, tasks: tasks/*, sandbox: bubblewrap, reviewer: ${reviewer} }\n${answers(reviews)}`

const run = async (yaml: string) => {
  await needsBubblewrap()
  const cwd = benchmark(answerTask(), yaml)
  const ended = await assay(['run', '--json'], { cwd })
  expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
  return { cwd, ended, metrics: metricsOf(cwd), trajectory: JSON.parse(fileOfRun(cwd, 'trajectory.json')) }
}

const boxesOf = (cwd: string): readonly string[] => readdirSync(join(runFolders(cwd)[0] ?? '', 'box')).toSorted()

describe('attempts with a reviewer', () => {
  it('are made in fresh boxes until one is accepted; its files are scored, and all costs count', async () => {
    const reviewer = '{ kind: score, samples: 2, max_attempts: 5, accept_score: 8 }'
    // A reviewer that likes a second file.
    const { cwd, ended, metrics, trajectory } = await run(
      experiment(reviewer, 'in: any, matches: "(other.txt)?", one_of: ["5\\n5"]').replace(
        '- { purpose: rloop',
        '- { purpose: rloop, in: any, contains: [b/other.txt], answer: "Right.\\n9" }\n      - { purpose: rloop',
      ),
    )
    expect(resultsOf(cwd)).toMatchObject({ total_score: 1 })
    expect(metrics).toMatchObject({
      n_attempts: 2,
      review_score: 9,
      rloop_api_calls: 4,
      agent_api_calls: 6,
      n_turns: 3,
    })
    expect(metrics.rloop_cost).toBeGreaterThan(0)
    expect(metrics.total_cost).toBeCloseTo(Number(summaryOf(ended).cost_usd), 9)
    expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain('+42')
    expect(fileOfRun(cwd, 'artifacts/diff.patch')).not.toContain('+41')
    expect(trajectory.subagent_trajectories).toHaveLength(1)
    expect(boxesOf(cwd)).toEqual(['0.1', '0.chosen'])
    expect(leftoversOf(cwd)).toEqual([])

    const again = await assay(['eval', 'results/bench'], { cwd })
    expect(again.status, said(again)).toBe(0)
    expect(attemptsOf(cwd)).toMatchObject([{ mode: 'run' }, { mode: 'score', exit_status: 'submitted' }])
    expect(metricsOf(cwd)).toMatchObject({ score: 1, n_attempts: 2, review_score: 9, rloop_cost: metrics.rloop_cost })
  })

  it('stop when the money is gone, and the best is handed in', async () => {
    const { metrics, cwd } = await run(
      experiment('{ kind: score, samples: 1, max_attempts: 9, cost_limit: 0.004 }', 'answer: "Hm.\\n3"'),
    )
    expect(metrics.n_attempts).toBeLessThan(9)
    expect(metrics.n_attempts).toBeGreaterThan(1)
    // All scores are equal, and so are the calls: the first attempt counts.
    expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain('+41')
    expect(boxesOf(cwd)).toEqual(['0', '0.chosen'])
  })

  it.each([
    ['the one it names', 'The second is right.\\n2', 1],
    ['the first where it names none', 'I like them all.', 0],
    ['the first where it gives no answer', '', 0],
  ])('of a chooser: %s', async (_, answer, score) => {
    const reviews = answer === '' ? 'fail: content_filter' : `answer: "${answer}"`
    const { cwd, metrics } = await run(experiment('{ kind: chooser, max_attempts: 3 }', reviews))
    expect(resultsOf(cwd)).toMatchObject({ total_score: score })
    expect(metrics).toMatchObject({ n_attempts: 3, rloop_api_calls: 1 })
    expect(metrics.review_score).toBeUndefined()
    expect(attemptsOf(cwd)).toMatchObject([{ exit_status: 'submitted' }])
  })
})
