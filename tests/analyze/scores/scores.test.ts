import { describe, expect, test } from 'vitest'
import {
  countsOf,
  passRates,
  type Rollout,
  rolloutOf,
  scoresOf,
  separatingTasks,
  taskScoresOf,
  varyingNames,
} from '../../../src/analyze/scores/scores.ts'
import { leaderboardOf, taskTableOf } from '../../../src/cli/rollouts/board.ts'
import { observed } from '../../../src/define/observation.ts'
import { seededRandom } from '../../../src/util/random.ts'

const scored = (task: string, score: number, variant = ''): Rollout => ({
  task,
  variant,
  standing: 'scored',
  score,
  passed: score >= 1,
  cost_usd: 0.5,
})

const without = (standing: 'errored' | 'unscored', task = 'a'): Rollout => ({
  task,
  variant: '',
  standing,
  score: null,
  passed: null,
  cost_usd: null,
})

describe('a run', () => {
  test.each([
    ['scored', { metrics: { score: 0.5 } }],
    ['scored', { metrics: { score: 0 }, outcome: { kind: 'timed_out' } }],
    ['errored', { outcome: { kind: 'failed' } }],
    ['errored', { outcome: { kind: 'infra_error' } }],
    ['unscored', { outcome: { kind: 'infra_error', unsupported_environment: true } }],
    ['unscored', { outcome: { kind: 'cancelled' } }],
    ['unscored', { outcome: { kind: 'completed' } }],
  ] as const)('is %s with %j', (standing, known) => {
    expect(rolloutOf(observed(known), []).standing).toBe(standing)
  })

  test('passes if it says so, or with the full score', () => {
    const given: readonly Record<string, number>[] = [{ score: 0.4, passed: 1 }, { score: 1 }, { score: 0.99 }]
    const passes = given.map(metrics => rolloutOf(observed({ metrics }), []).passed)
    expect(passes).toEqual([true, true, false])
  })

  test('belongs to its task and its varying levels', () => {
    const runs = [
      observed({ block: { task: 't' }, params: { model: 'm1', overrides: null, kept: 1 } }),
      observed({ block: { task: 't' }, params: { model: 'm2', overrides: 'x.json', kept: 1 } }),
    ]
    const varying = varyingNames(runs)
    expect(runs.map(run => rolloutOf(run, varying))).toMatchObject([
      { task: 't', variant: 'm1' },
      { task: 't', variant: 'm2, overrides=x.json' },
    ])
  })
})

describe('counts', () => {
  test('add up, and come with means of scored runs and with errors as 0', () => {
    const rollouts = [scored('a', 1), scored('a', 0), scored('b', 1), without('errored'), without('unscored')]
    expect(countsOf(rollouts)).toEqual({ n: 5, scored: 3, unscored: 1, errored: 1, resolved: 2, failed: 1 })
    expect(scoresOf(rollouts)).toMatchObject([{ mean: 2 / 3, strict_mean: 0.5, tasks: 2, cost_usd: 1.5 }])
  })

  test('give no mean instead of 0 if nothing was scored', () => {
    expect(scoresOf([without('unscored')])).toMatchObject([
      { n: 1, mean: null, strict_mean: null, ci: null, passes: [] },
    ])
    expect(taskScoresOf([without('errored')])).toMatchObject([{ mean: null, max: null, strict_mean: 0 }])
  })
})

describe('tasks', () => {
  test('are flaky if some rollouts pass and some fail', () => {
    const rollouts = [scored('b', 1), scored('b', 0.2), scored('a', 1), scored('a', 1)]
    expect(taskScoresOf(rollouts)).toMatchObject([
      { task: 'a', mean: 1, is_flaky: false },
      { task: 'b', mean: 0.6, max: 1, is_flaky: true },
    ])
  })

  test('with fewer rollouts than k are left out of pass@k and reported', () => {
    const rollouts = [scored('a', 1), scored('a', 0), scored('b', 1)]
    expect(scoresOf(rollouts)[0]?.passes).toEqual([
      { k: 1, tasks: 2, any: 0.75, all: 0.75 },
      { k: 2, tasks: 1, any: 1, all: 0 },
    ])
  })
})

test('rollouts of two variants are not repetitions of each other', () => {
  const rollouts = [scored('a', 1, 'x'), scored('a', 0, 'y'), scored('b', 1, 'x'), scored('b', 1, 'y')]
  expect(passRates(rollouts)).toEqual([{ k: 1, tasks: 4, any: 0.75, all: 0.75 }])
})

describe('an interval', () => {
  test('counts tasks, not rollouts: ten rollouts of one answer are one answer', () => {
    const alike = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((task, at) =>
      Array.from({ length: 10 }, () => scored(task, at % 2)),
    )
    const once = ['a', 'b', 'c', 'd', 'e', 'f'].map((task, at) => scored(task, at % 2))
    const width = (rollouts: readonly Rollout[]) => {
      const ci = scoresOf(rollouts)[0]?.ci
      return (ci?.high ?? 0) - (ci?.low ?? 0)
    }
    expect(width(alike)).toBeGreaterThan(0.9 * width(once))
  })

  test('covers the true mean about 95% of the time although rollouts of a task are correlated', () => {
    const random = seededRandom(17)
    const trials = 400
    let covered = 0
    for (let trial = 0; trial < trials; trial++) {
      // How hard a task is varies from task to task, uniformly: the true mean is 0.5.
      const rollouts = Array.from({ length: 40 }, (_, task) => {
        const chance = random.next()
        return Array.from({ length: 1 + (task % 4) }, () => scored(`t${task}`, random.next() < chance ? 1 : 0))
      }).flat()
      const ci = scoresOf(rollouts)[0]?.ci
      if ((ci?.low ?? 1) <= 0.5 && (ci?.high ?? 0) >= 0.5) covered++
    }
    expect(covered / trials).toBeGreaterThan(0.92)
    expect(covered / trials).toBeLessThan(0.985)
  })
})

describe('several benchmarks', () => {
  const v1 = { name: 'model_v1', rollouts: [scored('a', 1), scored('b', 0), scored('c', 0.4), scored('only', 1)] }
  const v2 = { name: 'model_v2', rollouts: [scored('a', 0), scored('b', 1), scored('c', 0.6)] }

  test('are ranked on the tasks that all of them have', () => {
    const { places, shared, tasks } = leaderboardOf([v1, v2])
    expect([shared, tasks]).toEqual([3, 4])
    expect(places.map(({ benchmark }) => benchmark)).toEqual(['model_v2', 'model_v1'])
    expect(places[0]?.shared_mean).toBeCloseTo(1.6 / 3, 12)
    expect(places[1]).toMatchObject({ mean: 0.6 })
  })

  test('are ranked by shrunk scores, with the range of places of each', () => {
    const tasks = Array.from({ length: 12 }, (_, at) => `t${at}`)
    const tried = (name: string, often: number, solved: (task: number, attempt: number) => boolean) => ({
      name,
      rollouts: tasks.flatMap((task, at) =>
        Array.from({ length: often }, (_, attempt) => scored(task, Number(solved(at, attempt)))),
      ),
    })
    // Each task once and two failures, against each ten times and 82.5%: the first has the larger mean, of a tenth of the rollouts.
    const { places } = leaderboardOf([
      tried('weak', 10, (task, attempt) => attempt < 2 + (task % 3)),
      tried('weaker', 10, (task, attempt) => attempt < 1 + (task % 3)),
      tried('lucky', 1, task => task > 1),
      tried('steady', 10, (task, attempt) => attempt < (task === 1 ? 7 : task % 3 === 0 ? 9 : 8)),
      tried('nothing', 10, () => false),
    ])
    expect(places.map(({ benchmark, place }) => [benchmark, place])).toEqual([
      ['steady', 1],
      ['lucky', 2],
      ['weak', 3],
      ['weaker', 4],
      ['nothing', 5],
    ])
    const lucky = places[1]
    expect(lucky?.shared_mean).toBeGreaterThan(places[0]?.shared_mean ?? 1)
    expect(lucky?.shrunk?.estimate).toBeLessThan(lucky?.shared_mean ?? 0)
    // Two tied systems share their places, and the others keep theirs.
    expect(places.map(({ place_ci }) => [place_ci?.low, place_ci?.high])).toEqual([
      [1, 2],
      [1, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ])
  })

  test('have no place without a task that all of them scored', () => {
    const { places } = leaderboardOf([
      { name: 'x', rollouts: [scored('a', 1)] },
      { name: 'y', rollouts: [scored('b', 0)] },
    ])
    expect(places).toMatchObject([
      { place: null, place_ci: null, shrunk: null },
      { place: null, place_ci: null, shrunk: null },
    ])
  })

  test('show flips first, broken tasks before solved ones', () => {
    const { columns, rows } = taskTableOf([v1, v2])
    expect(columns).toEqual(['model_v1', 'model_v2'])
    expect(rows.map(({ task, flip }) => [task, flip])).toEqual([
      ['a', 'broken'],
      ['b', 'solved'],
      ['c', null],
      ['only', null],
    ])
    expect(rows.at(-1)?.cells[1]).toBeNull()
  })

  test('compare every task with the same model as before if each task has another one', () => {
    const mixed = (score: number) => [scored('a', score, 'gpt'), scored('b', score, 'claude'), scored('c', 1, 'gpt')]
    const renamed = [scored('a', 1, 'gpt'), scored('b', 0, 'claude-new')]
    const flips = (...rollouts: readonly (readonly Rollout[])[]) =>
      taskTableOf(rollouts.map((of, at) => ({ name: `v${at}`, rollouts: of }))).rows.map(({ task, flip }) => [
        task,
        flip,
      ])
    expect(flips(mixed(1), mixed(0))).toEqual([
      ['a', 'broken'],
      ['b', 'broken'],
      ['c', null],
    ])
    expect(flips(mixed(1), renamed)).toEqual([
      ['b', 'broken'],
      ['a', null],
      ['c', null],
    ])
  })
})

describe('tasks by a hierarchical model', () => {
  /** Ten tasks, twenty rollouts of two variants each; one task is solved by the good one alone. */
  const rollouts = ['good', 'poor'].flatMap(variant =>
    Array.from({ length: 10 }, (_, task) =>
      Array.from({ length: 20 }, (_, at): Rollout => {
        const score = Number(task === 0 ? variant === 'good' : at < 13)
        return { task: `t${task}`, variant, standing: 'scored', score, passed: score === 1, cost_usd: null }
      }),
    ).flat(),
  )

  test('are shrunk towards the others, and name separating tasks and outliers', () => {
    const rows = taskScoresOf(rollouts)
    const first = rows.find(({ task, variant }) => task === 't0' && variant === 'poor')
    expect(first?.mean).toBe(0)
    expect(first?.shrunk?.estimate).toBeGreaterThan(0)
    expect(first?.is_outlier).toBe(true)
    expect(separatingTasks(rows)).toEqual([{ task: 't0', better: 'good', worse: 'poor' }])
  })

  test('of one rollout each say nothing more', () => {
    const rows = taskScoresOf(rollouts.filter((_, at) => at % 20 === 0))
    expect(rows.every(({ shrunk, is_outlier }) => shrunk === null && !is_outlier)).toBe(true)
  })
})
