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

/** Every attempt draws its own number, and looks for files of other attempts. */
const answers = (reviews: string, drawn = '{integer 1..1000000}') => `
params: { model: sim/a }
models:
  sim/a:
    price: { input: 1, output: 1 }
    rules:
${reviews
  .split('\n')
  .map(rule => `      - { purpose: rloop, ${rule} }\n`)
  .join('')}
      - { turn: 1, tool: { name: bash, arguments: { command: "ls -A /app /logs/agent /home/assay; touch /logs/agent/seen /home/assay/seen" } } }
      - { turn: 2, tool: { name: bash, arguments: { command: "echo ${drawn} > answer.txt" } } }
      - { tool: { name: submit, arguments: {} } }
`

const experiment = (reviewer: string, reviews: string, drawn?: string): string =>
  `target: { kind: agent, tasks: tasks/*, sandbox: bubblewrap, reviewer: ${reviewer} }\n${answers(reviews, drawn)}`

const run = async (yaml: string) => {
  await needsBubblewrap()
  const cwd = benchmark(answerTask(), yaml)
  const ended = await assay(['run', '--json'], { cwd })
  expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
  const trajectory = JSON.parse(fileOfRun(cwd, 'trajectory.json'))
  const others: readonly object[] = trajectory.subagent_trajectories ?? []
  return { cwd, ended, metrics: metricsOf(cwd), drawn: drawnIn(trajectory), others: others.map(drawnIn), trajectory }
}

const drawnIn = ({
  subagent_trajectories: _,
  ...own
}: {
  readonly subagent_trajectories?: readonly object[]
}): string => /echo (\d+) > answer.txt/.exec(JSON.stringify(own))?.[1] ?? 'none'

const boxesOf = (cwd: string): readonly string[] => readdirSync(join(runFolders(cwd)[0] ?? '', 'box')).toSorted()

describe('attempts with a reviewer', () => {
  it('run in fresh boxes until one is accepted; its files are scored, and all costs count', async () => {
    const { cwd, ended, metrics, trajectory, others } = await run(
      experiment(
        '{ kind: score, samples: 2, max_attempts: 20, accept_score: 8 }',
        'in: any, contains: ["+42"], answer: "Right.\\n9"\nanswer: "Hm.\\n5"',
        '{one_of 40|41|43|44|45|42}',
      ),
    )
    expect(resultsOf(cwd)).toMatchObject({ total_score: 1 })
    const attempts = others.length + 1
    expect(attempts).toBeGreaterThan(1)
    expect(others).not.toContain('42')
    expect(metrics).toMatchObject({
      ...{ n_attempts: attempts, review_score: 9, n_turns: 3 },
      ...{ rloop_api_calls: 2 * attempts, agent_api_calls: 3 * attempts },
    })
    expect(metrics.rloop_cost).toBeGreaterThan(0)
    expect(metrics.total_cost).toBeCloseTo(Number(summaryOf(ended).cost_usd), 9)
    expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain('+42')
    // None has seen another's files.
    expect(JSON.stringify(trajectory)).not.toMatch(/\\nseen/)
    expect(boxesOf(cwd)).toEqual([`0.${attempts - 1}`, '0.chosen'])
    expect(fileOfRun(cwd, 'logs/agent/seen')).toBe('')
    expect(leftoversOf(cwd)).toEqual([])

    const again = await assay(['eval', 'results/bench'], { cwd })
    expect(again.status, said(again)).toBe(0)
    expect(attemptsOf(cwd)).toMatchObject([{ mode: 'run' }, { mode: 'score', exit_status: 'submitted' }])
    expect(metricsOf(cwd)).toMatchObject({
      score: 1,
      n_attempts: attempts,
      review_score: 9,
      rloop_cost: metrics.rloop_cost,
    })
  })

  it('stop when the budget is spent, and the first of equals is submitted', async () => {
    const { metrics, cwd, drawn } = await run(
      experiment('{ kind: score, samples: 1, max_attempts: 9, cost_limit: 0.004 }', 'answer: "Hm.\\n3"'),
    )
    expect(metrics.n_attempts).toBeLessThan(9)
    expect(metrics.n_attempts).toBeGreaterThan(1)
    expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain(`+${drawn}\n`)
    expect(boxesOf(cwd)).toEqual(['0', '0.chosen'])
  })

  it('are chosen by a model; the first counts if it names none', async () => {
    const chosen = async (reviews: string) => run(experiment('{ kind: chooser, max_attempts: 3 }', reviews))
    const second = await chosen('answer: "The second is right.\\n2"')
    const none = await chosen('answer: "I like them all."')
    const silent = await chosen('fail: content_filter')
    expect(new Set([second.drawn, ...second.others]).size).toBe(3)
    expect(none.drawn).toBe(second.others[0])
    expect(none.others[0]).toBe(second.drawn)
    expect(silent.drawn).toBe(none.drawn)
    for (const { cwd, metrics, drawn } of [second, none, silent]) {
      expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain(`+${drawn}\n`)
      expect(metrics).toMatchObject({ n_attempts: 3, rloop_api_calls: 1 })
      expect(metrics.review_score).toBeUndefined()
    }
  })
})
