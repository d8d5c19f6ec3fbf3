import { describe, expect, test } from 'vitest'
import type { Question } from '../../../src/analyze/compare/compare.ts'
import type { Evidence } from '../../../src/define/observation.ts'
import { counterRandom } from '../../../src/stats/index.ts'
import { ask, pOf } from '../ask.ts'
import { evidenceWith, scored } from '../evidence.ts'

interface Task {
  readonly name: string
  readonly kind: string
  readonly weight: number
  readonly a: number
  readonly b: number
}

const evidenceOf = (tasks: readonly Task[]) =>
  evidenceWith(
    tasks.flatMap(({ name, kind, weight, a, b }) =>
      Object.entries({ a, b }).map(([arm, value]) =>
        scored({ arm }, { task: name }, value, { columns: { kind, weight } }),
      ),
    ),
    { blocks: ['task'] },
  )

/** Many easy tasks on which the candidate gains, and few hard ones on which it loses. */
const tasks = Array.from({ length: 24 }, (_, at): Task => {
  const isHard = at % 3 === 0
  const a = isHard ? 20 : 50
  return {
    name: `t${at}`,
    kind: isHard ? 'hard' : 'easy',
    weight: isHard ? 4 : 1,
    a,
    b: a + (isHard ? -3 : 2) + ((at * 7) % 5) / 5,
  }
})
const evidence = evidenceOf(tasks)
const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
const gains = (kind: string) => tasks.filter(task => task.kind === kind).map(({ a, b }) => b - a)

describe('weights', () => {
  const found = ask(evidence, { weights: 'weight' })

  test('change estimate, interval and test alike', () => {
    const total = tasks.reduce((sum, { weight }) => sum + weight, 0)
    const expected = tasks.reduce((sum, { a, b, weight }) => sum + weight * (b - a), 0) / total
    expect(found.estimate).toBeCloseTo(expected, 10)
    expect(((found.ci?.low ?? 0) + (found.ci?.high ?? 0)) / 2).toBeCloseTo(expected, 0)
    expect(found.arms.candidate.mean).toBeCloseTo((found.arms.control.mean ?? 0) + expected, 10)
    expect([ask(evidence).estimate, found.estimate].map(own => Math.sign(own ?? 0))).toEqual([1, -1])
    expect(found.sentence).toContain('paired on 24 tasks, weighted by weight')
    expect(found.test).toBe('weighted paired t and studentised bootstrap within strata, the larger p')
    expect(found.weighting).toMatchObject({ weights: 'weight', strata: null })
    expect(found.weighting?.effective_units).toBeCloseTo(
      total ** 2 / tasks.reduce((sum, { weight }) => sum + weight ** 2, 0),
      9,
    )
  })

  test('may be given for each task, and must be complete', () => {
    const given = Object.fromEntries(tasks.map(({ name, weight }) => [name, weight]))
    expect(ask(evidence, { weights: given }).estimate).toBe(found.estimate)
    const { t3: _, ...others } = given
    expect(() => ask(evidence, { weights: others })).toThrow('task t3 has no weight')
    expect(() => ask(evidence, { weights: { ...given, t3: 0 } })).toThrow('the weight of task t3 is 0')
    expect(() => ask(evidence, { weights: 'colour' })).toThrow('task t0 has no weight')
  })

  test('that are equal change nothing but the name of the test', () => {
    const same = ask(evidence, { weights: Object.fromEntries(tasks.map(({ name }) => [name, 7])), method: 't' })
    const plain = ask(evidence, { method: 't' })
    expect(same.estimate).toBeCloseTo(plain.estimate ?? 0, 12)
    expect(same.p).toBeCloseTo(plain.p ?? 0, 12)
    expect(same.ci?.low).toBeCloseTo(plain.ci?.low ?? 0, 10)
  })
})

describe('strata', () => {
  test('keep the estimate of equally weighted units, and remove the variation between strata', () => {
    const [plain, found] = [ask(evidence, { method: 't' }), ask(evidence, { strata: { by: 'kind' }, method: 't' })]
    expect(found.estimate).toBeCloseTo(plain.estimate ?? 0, 12)
    const width = (of: typeof found) => (of.ci?.high ?? 0) - (of.ci?.low ?? 0)
    expect(width(found)).toBeLessThan(width(plain) / 3)
    expect(found.weighting?.strata).toEqual([
      { stratum: 'easy', share: expect.closeTo(2 / 3, 12), control: 16, candidate: 16 },
      { stratum: 'hard', share: expect.closeTo(1 / 3, 12), control: 8, candidate: 8 },
    ])
    expect(found.sentence).toContain('stratified (easy 66.7%, hard 33.3%)')
  })

  test('may represent other shares than were run', () => {
    const found = ask(evidence, { strata: { by: 'kind', shares: { easy: 1, hard: 3 } } })
    expect(found.estimate).toBeCloseTo(0.25 * mean(gains('easy')) + 0.75 * mean(gains('hard')), 10)
    expect(found.verdict).toBe('worse')
  })

  test('may be listed', () => {
    const groups = Object.fromEntries(
      ['easy', 'hard'].map(kind => [kind, tasks.filter(task => task.kind === kind).map(({ name }) => name)]),
    )
    expect(ask(evidence, { strata: { groups } }).estimate).toBe(ask(evidence, { strata: { by: 'kind' } }).estimate)
    expect(() => ask(evidence, { strata: { groups: { easy: groups.easy ?? [] } } })).toThrow(
      'task t0 belongs to no stratum',
    )
  })

  test('of independent groups are weighted by the same shares in both arms', () => {
    // The candidate was run on more easy tasks: without strata it would look better than it is.
    const runs = evidence.runs.filter(
      run =>
        run.params.arm === 'a' || run.columns?.kind === 'easy' || Number(String(run.block.task).slice(1)) % 2 === 0,
    )
    const found = ask({ ...evidence, runs }, { strata: { by: 'kind', shares: { easy: 1, hard: 1 } }, isPaired: false })
    const hard = tasks.filter((task, at) => task.kind === 'hard' && at % 2 === 0).map(({ b }) => b)
    expect(found.estimate).toBeCloseTo((mean(gains('easy')) + mean(hard) - 20) / 2, 10)
    expect(found.test).toContain('weighted t')
    const easyOnly = evidence.runs.filter(run => run.params.arm === 'a' || run.columns?.kind === 'easy')
    expect(() => ask({ ...evidence, runs: easyOnly }, { strata: { by: 'kind' }, isPaired: false })).toThrow(
      'stratum hard',
    )
  })

  test('a unit belongs to one stratum', () => {
    const runs = evidence.runs.map((run, at) => ({ ...run, columns: { kind: at % 2 === 0 ? 'easy' : 'hard' } }))
    expect(() => ask({ ...evidence, runs }, { strata: { by: 'kind' } })).toThrow('task t0 has several, easy and hard')
  })

  test('with fewer than seven units use t alone', () => {
    const few = evidenceOf(tasks.slice(0, 12))
    expect(ask(few, { strata: { by: 'kind' } }).ci?.method).toBe('t')
    const single = evidenceOf(tasks.slice(0, 3))
    expect(ask(single, { strata: { by: 'kind' } })).toMatchObject({
      ci: null,
      verdict: 'inconclusive',
      reason: 'too few values',
    })
  })
})

test('options that do not support weights are refused by name', () => {
  expect(() => ask(evidence, { weights: 'weight', statistic: { kind: 'median' } })).toThrow(
    'weights and strata are for means',
  )
  expect(() => ask(evidence, { weights: 'weight', method: 'bca' })).toThrow('the method bca has no form with weights')
  expect(() => ask(evidence, { weights: 'weight', also: ['sign'] })).toThrow('--also needs the value of every run')
})

test('weights and strata work with worst ranks and with bounds', () => {
  const runs = evidence.runs.map(run =>
    run.params.arm === 'b' && run.block.task === 't3'
      ? { ...run, metrics: {}, outcome: { kind: 'failed' as const } }
      : run,
  )
  const found = ask({ ...evidence, runs }, { weights: 'weight', missing: 'worst-rank' })
  const sign = tasks.map(({ name, a, b, weight }) => weight * (name === 't3' ? -1 : Math.sign(b - a)))
  expect(found.estimate).toBeCloseTo(
    sign.reduce((sum, one) => sum + one, 0) / tasks.reduce((sum, { weight }) => sum + weight, 0),
    10,
  )
  const metrics = [{ name: 'score', goal: 'maximize', primary: true, range: [0, 60] }] as const
  const bounds = ask({ ...evidence, runs, metrics }, { weights: 'weight', missing: 'bounds' })
  expect(bounds.n.pairs).toBe(24)
  expect(bounds.ci?.low ?? 0).toBeLessThan(found.ci?.low ?? 0)
})

test('two groups without spread are permuted within strata', () => {
  const flat = (units: number, gainOf: (kind: string) => number) =>
    evidenceOf(
      Array.from({ length: units }, (_, at): Task => {
        const kind = at % 2 === 0 ? 'easy' : 'hard'
        return {
          name: `t${at}`,
          kind,
          weight: 1 + (at % 3),
          a: kind === 'easy' ? 5 : 1,
          b: (kind === 'easy' ? 5 : 1) + gainOf(kind),
        }
      }),
    )
  const groups = (found: Evidence, more: Partial<Question>) => ask(found, { isPaired: false, ...more })
  // Of the 70 ways to deal four and four in each stratum, the one seen, and both turned round.
  const strata = { by: 'kind' }
  expect(
    groups(
      flat(8, () => 1),
      { strata, weights: 'weight' },
    ),
  ).toMatchObject({
    estimate: expect.closeTo(1, 12),
    ci: null,
    p: expect.closeTo(2 / 70 ** 2, 12),
    test: 'permutation within strata',
    verdict: 'better',
  })
  const one = groups(
    flat(8, kind => Number(kind === 'hard')),
    { strata, alternative: 'greater' },
  )
  expect(one).toMatchObject({ p: expect.closeTo(1 / 70, 12), verdict: 'better' })
  expect(
    groups(
      flat(8, () => 1),
      { strata, alternative: 'less' },
    ).p,
  ).toBe(1)
  expect(
    groups(
      flat(8, kind => (kind === 'hard' ? 1 : -1)),
      { strata },
    ).p,
  ).toBeNull()
  expect(
    groups(
      flat(3000, () => 1),
      { strata },
    ).p,
  ).toBeGreaterThan(0)
})

test('the interval of a weighted arm counts the seeds that all its units share', () => {
  const random = counterRandom(3)
  const shift = [-2, -1, 0, 1, 2]
  const runs = tasks.flatMap(({ name, weight, a }) =>
    shift.flatMap((of, seed) =>
      ['a', 'b'].map(arm =>
        scored({ arm }, { task: name, seed }, a / 10 + of + random.next(), { columns: { weight } }),
      ),
    ),
  )
  const width = (blocks: readonly string[], more: Partial<Question> = {}) => {
    const { ci } = ask(evidenceWith(runs, { blocks }), { weights: 'weight', ...more }).arms.candidate
    return (ci?.high ?? 0) - (ci?.low ?? 0)
  }
  for (const isPaired of [true, false]) {
    // Five seeds of these shifts alone: t of 4 degrees of freedom × 1.58 / √5 on either side.
    expect(width(['task', 'seed'], { isPaired })).toBeGreaterThan(2 * 2.776 * Math.sqrt(2.5 / 5) * 0.98)
    expect(width(['task', 'seed'], { isPaired })).toBeGreaterThan(1.2 * width(['task'], { isPaired }))
  }
})

describe('in simulations', () => {
  test('the default keeps its level with unequal weights and different strata', () => {
    const random = counterRandom(8)
    const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
    const trials = 400
    const counts = { weights: 0, strata: 0, weightsOfGroups: 0 }
    for (let trial = 0; trial < trials; trial++) {
      const drawn = Array.from({ length: 21 }, (_, at): Task => {
        const isHard = at % 3 === 0
        const skill = normal()
        // Kinds differ in how the arms compare, and even out at equal shares.
        const noise = (isHard ? 3 : 1) * normal()
        return { name: `t${at}`, kind: isHard ? 'hard' : 'easy', weight: 1 + (at % 4) ** 2, a: skill, b: skill + noise }
      })
      const own = evidenceOf(drawn)
      const shifted = evidenceOf(drawn.map(task => ({ ...task, b: task.b + (task.kind === 'hard' ? 1 : -1) })))
      const drawing = { seed: trial, resamples: 199, rng: 'assay' } as const
      if (pOf(own, { weights: 'weight', drawing }) <= 0.05) counts.weights++
      if (pOf(own, { weights: 'weight', isPaired: false, drawing }) <= 0.05) counts.weightsOfGroups++
      const strata = { by: 'kind', shares: { easy: 1, hard: 1 } }
      if (pOf(shifted, { strata, drawing }) <= 0.05) counts.strata++
    }
    for (const count of Object.values(counts)) expect(count / trials).toBeLessThan(0.08)
  })
})
