import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../src/define/observation.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { mannWhitneyExact } from '../../../src/stats/tests/ranks/mann-whitney.ts'
import { expectWithin } from '../../stats/close.ts'
import { ask } from '../ask.ts'
import { evidenceWith, scored, twoArms } from '../evidence.ts'

const drawing = { seed: 1, resamples: 499, rng: 'assay' } as const

/** About normal. */
function normal(seed: number): () => number {
  const { next } = counterRandom(seed)
  return () => Array.from({ length: 12 }, next).reduce((sum, one) => sum + one, 0) - 6
}

/** Tasks of both arms with several runs: tasks vary by `taskSd`, runs of a task by `runSd`, and the candidate is `shift` higher. */
function rollouts(seed: number, { tasks = 10, runs = 4, taskSd = 1, runSd = 1, shift = 0 } = {}): Evidence {
  const draw = normal(seed)
  const all = Array.from({ length: tasks }, (_, task) => {
    const [base, own] = [taskSd * draw(), 0.5 * taskSd * draw()]
    return ['a', 'b'].flatMap(arm =>
      Array.from({ length: runs }, (_, run) =>
        scored({ arm }, { task, run }, base + (arm === 'b' ? own + shift : 0) + runSd * draw()),
      ),
    )
  })
  return evidenceWith(all.flat(), { blocks: ['task', 'run'] })
}

/** How often an interval of this method holds the true difference. */
function coverage(evidenceOf: (trial: number) => Evidence, truth: number, method: 'nested' | 'smooth' | 'percentile') {
  const trials = 150
  let held = 0
  for (let trial = 0; trial < trials; trial++) {
    const { ci } = ask(evidenceOf(trial), { method, drawing })
    if (ci !== null && (ci.low ?? 0) <= truth && truth <= (ci.high ?? 0)) held++
  }
  return held / trials
}

describe('--method nested', () => {
  it('draws tasks, then the runs of each: wider than drawing tasks alone, with about nominal coverage', () => {
    const nested = ask(rollouts(1), { method: 'nested' })
    const percentile = ask(rollouts(1), { method: 'percentile' })
    const width = ({ ci }: typeof nested) => (ci?.high ?? 0) - (ci?.low ?? 0)
    expect(width(nested)).toBeGreaterThan(width(percentile))
    expect(nested).toMatchObject({ test: 'nested bootstrap', arms: { control: { ci: { method: 'nested' } } } })
    expect(nested.estimate).toBe(percentile.estimate)
    const held = coverage(trial => rollouts(100 + trial, { shift: 1 }), 1, 'nested')
    expect(held).toBeGreaterThan(0.9)
    expect(held).toBeGreaterThanOrEqual(coverage(trial => rollouts(100 + trial, { shift: 1 }), 1, 'percentile'))
  })

  it('works for groups without common tasks', () => {
    const found = ask(rollouts(2, { shift: 3 }), { method: 'nested', isPaired: false })
    expect(found).toMatchObject({ pairing: null, verdict: 'better', test: 'nested bootstrap' })
  })
})

describe('--method smooth', () => {
  const pairs = (seed: number, n: number): Evidence => {
    const draw = normal(seed)
    return twoArms(
      Array.from({ length: n }, draw),
      Array.from({ length: n }, () => 1 + draw()),
    )
  }

  it('is wider than the percentile interval for few pairs, and covers more often', () => {
    const smooth = coverage(trial => pairs(trial, 6), 1, 'smooth')
    expect(smooth).toBeGreaterThan(coverage(trial => pairs(trial, 6), 1, 'percentile'))
    expect(smooth).toBeGreaterThan(0.86)
  })

  it('works for groups and for identical differences', () => {
    expect(ask(pairs(7, 12), { method: 'smooth', isPaired: false }).ci).toMatchObject({ method: 'smooth' })
    expect(ask(twoArms([1, 2, 3], [1.1, 2.1, 3.1]), { method: 'smooth' })).toMatchObject({
      ci: null,
      reason: 'zero variance',
    })
  })
})

describe('--also', () => {
  const [a, b] = [
    [1.2, 2.5, 3.1, 4.4, 5.9, 6.3, 7.7],
    [2.9, 2.4, 5.2, 6.6, 6.1, 9.5, 9.9],
  ]

  it('adds tests of pairs, or of groups', () => {
    const paired = ask(twoArms(a, b), { also: ['wilcoxon', 'sign'] })
    expect(paired.other_tests.map(({ test }) => test)).toEqual(['sign-flip permutation', 'Wilcoxon', 'sign'])
    // One of seven differences is negative, and it is the smallest: 2 · 2/128, and by signs 2 · 8/128.
    expect(paired.other_tests.map(({ p }) => p)).toEqual([
      expect.any(Number),
      expect.closeTo(4 / 128, 12),
      expect.closeTo(16 / 128, 12),
    ])
    const groups = ask(twoArms(a, b), { also: ['mann-whitney', 'brunner-munzel', 'yuen'], isPaired: false })
    const exact = mannWhitneyExact(b, a)
    expect(groups.other_tests).toMatchObject([
      { test: 'permutation', p: expect.any(Number) },
      { test: 'Mann–Whitney', p: 'p' in exact ? exact.p.twoSided : null },
      { test: 'Brunner–Munzel', p: expect.any(Number) },
      { test: "Yuen's t", p: expect.any(Number) },
    ])
    expect(ask(twoArms(a, b), { also: ['sign'], alternative: 'greater' }).other_tests.at(-1)?.p).toBeCloseTo(
      8 / 128,
      12,
    )
    expect(paired.p).toBe(ask(twoArms(a, b)).p)
  })

  it('refuses a test of the other design', () => {
    expect(() => ask(twoArms(a, b), { also: ['yuen'] })).toThrow('these are pairs')
    expect(() => ask(twoArms(a, b), { also: ['sign'], isPaired: false })).toThrow('these are independent groups')
  })
})

describe('--rliable', () => {
  const found = ask(rollouts(3, { shift: 1 }), { rliable: true, drawing }).rliable
  const aggregate = (name: string) => found?.aggregates.find(one => one.name === name)

  it('has the aggregates over tasks with intervals, and the probability of improvement', () => {
    const { arms, estimate } = ask(rollouts(3, { shift: 1 }))
    expect(found).toMatchObject({ tasks: 10, runs: { control: 40, candidate: 40 } })
    expect(found?.aggregates.map(({ name }) => name)).toEqual(['mean', 'median', 'iqm', 'optimality_gap'])
    expect(aggregate('mean')?.control.value).toBeCloseTo(arms.control.mean ?? 0, 12)
    expect(aggregate('mean')?.difference.value).toBeCloseTo(estimate ?? 0, 12)
    for (const one of found?.aggregates ?? [])
      for (const part of [one.control, one.candidate, one.difference]) {
        expect(part.ci?.low ?? 0).toBeLessThanOrEqual(part.value ?? 0)
        expect(part.ci?.high ?? 0).toBeGreaterThanOrEqual(part.value ?? 0)
      }
    expect(found?.probability_of_improvement.value ?? 0).toBeGreaterThan(0.5)
  })

  it('supports metrics to minimize', () => {
    const evidence = {
      ...rollouts(3, { shift: 1 }),
      metrics: [{ name: 'score', goal: 'minimize' as const, primary: true }],
    }
    const less = ask(evidence, { rliable: true, drawing }).rliable?.probability_of_improvement.value
    expect(less).toBeCloseTo(1 - (found?.probability_of_improvement.value ?? 0), 12)
  })

  it('has profiles from 1 down to 0 with bands around them', () => {
    const { thresholds, control } = found?.profile ?? { thresholds: [], control: null }
    expect(thresholds).toHaveLength(21)
    expect(control?.share.at(-1)).toBe(0)
    expect(control?.share[0]).toBeGreaterThan(0.9)
    control?.share.forEach((share, at) => {
      expect(control.low[at]).toBeLessThanOrEqual(share)
      expect(control.high[at]).toBeGreaterThanOrEqual(share)
    })
  })

  it('has values without intervals if every task has one run, and needs tasks', () => {
    const single = ask(rollouts(4, { runs: 1 }), { rliable: true, drawing }).rliable
    expect(single?.aggregates[2]?.control).toMatchObject({ ci: null, reason: 'every task has one run' })
    expect(single?.aggregates[2]?.control.value).not.toBeNull()
    expect(() => ask(rollouts(4), { rliable: true, isPaired: false })).toThrow('no task in common')
  })
})

describe('the spread of arms whose units have several runs', () => {
  it('separates variation between tasks from variation within a task', () => {
    const { spread } = ask(rollouts(5, { tasks: 200, runs: 5, taskSd: 2, runSd: 1 }))
    // The mean of a task varies by √(2² + 1²/5); 200 of them, and 800 degrees of freedom within them.
    expectWithin(spread?.control.between_sd ?? 0, 2, Math.sqrt(4.2 / (2 * 199)))
    expectWithin(spread?.control.within_sd ?? 0, 1, 1 / Math.sqrt(2 * 800))
    expect(spread?.control.intraclass_correlation ?? 0).toBeGreaterThan(0.7)
    const { runs = 0, design_effect, effective_runs } = spread?.control ?? {}
    expect(runs).toBe(1000)
    expect(effective_runs).toBeCloseTo(runs / (design_effect ?? 0), 9)
  })

  it('does not exist if every unit is one run', () => {
    expect(ask(twoArms([1, 2, 3], [2, 3, 5])).spread).toBeNull()
  })
})

it('the ratio of nonnegative values is never below 0, however few units there are', () => {
  const { ratio } = ask(twoArms([100, 105], [80, 260])).effect
  expect(ratio?.low).toBe(0)
  expect(ratio?.high ?? 0).toBeGreaterThan(ratio?.value ?? 0)
})

it('times and costs have a ratio of geometric means too', () => {
  const { effect } = ask(twoArms([1, 10, 100, 1000, 10_000], [2, 20, 200, 2000, 20_100]))
  expect(effect.geometric_ratio?.value).toBeCloseTo((2 ** 4 * 2.01) ** (1 / 5), 12)
  expect(effect.geometric_ratio?.low ?? 0).toBeGreaterThan(1.99)
  expect(ask(twoArms([0, 1, 2], [1, 2, 4])).effect.geometric_ratio).toBeNull()
})
