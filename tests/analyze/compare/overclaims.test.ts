import { describe, expect, it } from 'vitest'
import { readingOf } from '../../../src/analyze/reading.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { steadyWelchTest } from '../../../src/stats/index.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { ask } from '../ask.ts'
import { aRun, evidenceWith, scored, twoArms } from '../evidence.ts'

it('two runs against more use the degrees of freedom of the two, because their spread is hardly known', () => {
  const random = counterRandom(8)
  const runs = [...Array(22).keys()].map(at =>
    scored({ arm: at < 2 ? 'b' : 'a' }, {}, random.next(), { name: `run ${at}`, replicate: at + 1 }),
  )
  const { p, ci } = ask(evidenceWith(runs))
  const values = (arm: string) => runs.flatMap(run => (run.params.arm === arm ? (run.metrics.score ?? []) : []))
  const [few, more] = [values('b'), values('a')]
  const known = steadyWelchTest(few, more)
  if (!isAvailable(known)) throw new Error(known.unavailable)
  expect(known.df).toBe(1)
  expect(p).toBe(known.p)
  expect((ci?.high ?? 0) - (ci?.low ?? 0)).toBeCloseTo(known.interval.high - known.interval.low, 12)
})

describe('steps to a value', () => {
  const evidence = evidenceWith(
    ['fast', 'slow'].flatMap(arm =>
      [1, 2, 3, 4, 5, 6, 7, 8].map(seed => {
        const reach = (arm === 'fast' ? 40 : 80) + seed * (arm === 'fast' ? 1 : 2)
        const steps = Array.from({ length: 100 }, (_, step) => step)
        const values = steps.map(step => Math.min(1, (0.9 * step) / reach))
        return aRun({
          name: `${arm}-${seed}`,
          params: { arm },
          block: { seed },
          series: [{ metric: 'score', steps, values }],
        })
      }),
    ),
    { blocks: ['seed'], levels: { arm: ['slow', 'fast'] } },
  )
  const reduction = { kind: 'time-to', threshold: 0.9 } as const
  const reading = readingOf(evidence, { summary: { reduction, window: { kind: 'all' }, minPoints: 1 } })

  it('are better if fewer, although a higher metric is better', () => {
    const { verdict, sentence, goal } = ask(evidence, { reading })
    expect({ verdict, goal }).toEqual({ verdict: 'better', goal: 'minimize' })
    expect(sentence).toMatch(/^fast is better on steps to 0\.9 of score than slow by 4\d/)
  })
})

describe('what could have been found', () => {
  it('is never smaller than the interval allows, also with unequal groups and spreads', () => {
    const random = counterRandom(5)
    const normal = () => Array.from({ length: 12 }, () => random.next()).reduce((sum, value) => sum + value, -6)
    const runs = [
      ...Array.from({ length: 30 }, (_, at) => scored({ arm: 'a' }, { task: at }, 0.5 * normal())),
      ...Array.from({ length: 4 }, (_, at) => scored({ arm: 'b' }, { task: 100 + at }, 3 * normal())),
    ]
    const { ci, detectable } = ask(evidenceWith(runs, { blocks: ['task'] }), { isPaired: false })
    expect(detectable?.difference).toBeGreaterThan(((ci?.high ?? 0) - (ci?.low ?? 0)) / 2)
  })

  it('does not exist if no outcome of the test could be significant', () => {
    expect(ask(twoArms([0, 1, 0, 1], [1, 1, 0, 0])).detectable).toBeNull()
    expect(ask(twoArms([1, 2, 3, 4, 5], [2, 4, 3, 5, 9]), { method: 'permutation' }).detectable).toBeNull()
  })
})

it('names the direction of a one-sided test', () => {
  const { sentence } = ask(twoArms([1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 7, 7, 8, 10, 10]), { alternative: 'less' })
  expect(sentence).toMatch(/^that b is lower than a on score is not shown: 2\.\d+ \(95% CI up to /)
})

it('agrees with the one-sided interval of yes or no', () => {
  const a = [...Array(12).fill(0), ...Array(5).fill(1), ...Array(13).fill(1)] as number[]
  const b = [...Array(12).fill(1), ...Array(5).fill(0), ...Array(13).fill(1)] as number[]
  const { p, ci, test } = ask(twoArms(a, b), { alternative: 'greater' })
  expect(test).toBe('unconditional score')
  expect(p).toBeCloseTo(0.0492, 3)
  expect(ci?.low).toBeGreaterThan(0)
})

it('stays within the range of a share although rollouts were averaged', () => {
  const runs = ['a', 'b'].flatMap(arm =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap(task =>
      [1, 2, 3].map(seed => {
        const isExtra = arm === 'a' && (task === 0 || task === 4) && seed < 3
        return scored({ arm }, { task, seed }, task % 2 === 1 || isExtra ? 1 : 0)
      }),
    ),
  )
  const { ci, arms } = ask(evidenceWith(runs, { blocks: ['task', 'seed'] }))
  expect(ci?.low).toBeGreaterThanOrEqual(-1)
  expect(ci?.high).toBeLessThanOrEqual(1)
  expect(arms.control.ci?.low).toBeGreaterThanOrEqual(0)
  expect(arms.control.ci?.high).toBeLessThanOrEqual(1)
})
