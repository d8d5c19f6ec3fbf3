import { expect, it } from 'vitest'
import { armInterval } from '../../src/analyze/arm-interval.ts'
import { analyzeBatch } from '../../src/analyze/batch/analyze-batch.ts'
import { defaultDrawing } from '../../src/analyze/choices.ts'
import { readingOf } from '../../src/analyze/reading.ts'
import { variantMetrics, variantsOf } from '../../src/analyze/variants.ts'
import type { Evidence } from '../../src/define/observation.ts'
import { isAvailable } from '../../src/stats/estimate.ts'
import { wilsonInterval } from '../../src/stats/intervals/proportion.ts'
import { ask } from './ask.ts'
import { aRun, evidenceWith, scored, twoArms } from './evidence.ts'

const drawing = defaultDrawing
const skewed = (n: number, from = 0): number[] =>
  Array.from({ length: n }, (_, at) => Math.exp(Math.sin(7 * (at + from))))

/** The intervals of arm a and arm b, as analyze and as compare have them. */
function intervals(evidence: Evidence) {
  const { arms } = ask(evidence, { drawing })
  const analysed = Object.values(analyzeBatch(evidence, { drawing }).variations).map(one => one.metrics.score?.ci)
  return { analysed, compared: [arms.control.ci, arms.candidate.ci] }
}

const tasks = (seeds: number, value: (task: number, seed: number, arm: string) => number): Evidence =>
  evidenceWith(
    ['a', 'b'].flatMap(arm =>
      // Not in the order of their names: 10 comes before 9.
      [10, 3, 9, 1, 2, 4, 5, 6, 7, 8].flatMap(task =>
        Array.from({ length: seeds }, (_, seed) => scored({ arm }, { task, seed }, value(task, seed, arm))),
      ),
    ),
    { blocks: ['task', 'seed'] },
  )

it.each([
  ['numbers of few units', twoArms(skewed(5), skewed(5, 40))],
  ['numbers of 7 units', twoArms(skewed(7), skewed(7, 40))],
  ['numbers of 40 units', twoArms(skewed(40), skewed(40, 40))],
  [
    'independent runs',
    evidenceWith(
      ['a', 'b'].flatMap(arm =>
        skewed(12, arm.length).map((score, at) => scored({ arm }, {}, score, { name: `${arm}${at}` })),
      ),
    ),
  ],
  ['numbers of tasks with several seeds', tasks(3, (task, seed, arm) => Math.exp(task / 4) + seed + arm.length)],
  ['yes or no', twoArms([1, 1, 0, 1, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1, 1])],
  [
    'yes or no of tasks with several seeds',
    tasks(4, (task, seed, arm) => ((task * 7 + seed * 3) % 10 < (arm === 'a' ? 4 : 7) ? 1 : 0)),
  ],
  ['all passed, of tasks with several seeds', tasks(2, (task, _, arm) => (arm === 'b' || task > 4 ? 1 : 0))],
] as const)('compare and analyze give the same interval for an arm: %s', (_, evidence) => {
  const { analysed, compared } = intervals(evidence)
  expect(analysed).toHaveLength(2)
  for (const [at, own] of analysed.entries()) {
    expect(own).not.toBeNull()
    expect(own?.method).toBe(compared[at]?.method)
    expect(own?.low).toBeCloseTo(compared[at]?.low ?? Number.NaN, 10)
    expect(own?.high).toBeCloseTo(compared[at]?.high ?? Number.NaN, 10)
  }
})

it('uses t below 7 units, the wider of t and bootstrap from 7 on, and t again for thousands', () => {
  const of = (n: number) => armInterval({ means: skewed(n), runs: n }, { level: 0.95, drawing, isRate: false }).method
  expect([6, 7, 100, 2000, 2001].map(of)).toEqual(['t', 'wider', 'wider', 'wider', 't'])
})

it('bounds tasks that passed every time by the number of tasks', () => {
  const { interval, method } = armInterval({ means: [1, 1, 1, 1], runs: 40 }, { level: 0.95, drawing, isRate: true })
  expect(method).toBe('wilson on the effective size')
  expect(interval).toEqual(wilsonInterval({ successes: 4, n: 4 }, 0.95))
  expect(isAvailable(interval) && interval.low).toBeLessThan(0.6)
})

it('counts identical rollouts of a task as one, and rollouts that differ by chance individually', () => {
  const alike = armInterval({ means: [1, 0, 1, 0, 1, 0, 1, 0, 1, 0], runs: 50 }, { level: 0.95, drawing, isRate: true })
  const apart = armInterval(
    { means: Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? 0.4 : 0.6)), runs: 50 },
    { level: 0.95, drawing, isRate: true },
  )
  const width = ({ interval }: ReturnType<typeof armInterval>) =>
    isAvailable(interval) ? interval.high - interval.low : Number.NaN
  expect(width(alike) / width(apart)).toBeGreaterThan(1.8)
  expect(apart.interval).toEqual(wilsonInterval({ successes: 25, n: 50 }, 0.95))
})

it('still uses the interval of compare for the main metric of a large batch', () => {
  const runs = ['a', 'b'].flatMap(arm =>
    Array.from({ length: 60 }, (_, seed) =>
      aRun({
        name: `${arm}${seed}`,
        params: { arm },
        block: { seed },
        metrics: Object.fromEntries(
          Array.from({ length: 200 }, (_, at) => [at === 0 ? 'score' : `m${at}`, Math.exp(Math.sin(seed * 7 + at))]),
        ),
      }),
    ),
  )
  const evidence = evidenceWith(runs, { blocks: ['seed'] })
  const [first] = Object.values(analyzeBatch(evidence, { drawing }).variations)
  expect(first?.metrics.score?.ci).toEqual(ask(evidence, { drawing }).arms.control.ci)
  expect(first?.metrics.m1?.ci?.method).toBe('t')
})

it('stays within the data although one run was a hundred times as slow as the others', () => {
  const means = [0.148, 0.0011, 0.0012, 0.001, 0.0013, 0.0011, 0.0012, 0.0011]
  const { interval } = armInterval({ means, runs: 8 }, { level: 0.95, drawing, isRate: false })
  expect(isAvailable(interval) && interval.high).toBeLessThan(0.3)
})

it('keeps the mean of a built-in measure at or above 0, in every command', () => {
  const walls = [0.148, 0.0011, 0.0012, 0.001, 0.0013, 0.0011, 0.0012, 0.0011]
  const evidence = twoArms(walls, walls.toReversed())
  const timed = { ...evidence, runs: evidence.runs.map(run => ({ ...run, wall_s: run.metrics.score ?? null })) }
  const { arms } = ask(timed, { drawing, reading: readingOf(timed, { metric: 'wall_s' }) })
  expect([arms.control.ci?.low, arms.candidate.ci?.low]).toEqual([0, 0])
  const rows = variantMetrics(timed, variantsOf(timed), readingOf(timed, { metric: 'wall_s' }), {
    level: 0.95,
    drawing,
  })
  expect(rows.map(({ ci }) => ci)).toEqual([arms.control.ci, arms.candidate.ci])
  // Other numbers have no known minimum.
  expect(ask(timed, { drawing }).arms.control.ci?.low).toBeLessThan(0)
})

/** Whole and in part: each seed shifts all of its tasks, by up to 2. */
it.each([
  ['whole tables', () => true],
  ['tables with missing runs', (task: number, seed: number) => (task + seed) % 4 > 0],
  ['yes or no', () => true],
] as const)('counts the effect of a seed on all tasks of an arm, in compare and in analyze: %s', (kind, isRun) => {
  const isYesNo = kind === 'yes or no'
  const runs = tasks(5, (task, seed) => {
    const value = 2 * Math.cos(2 * seed) + 0.3 * Math.sin(5 * task + 3 * seed)
    return isYesNo ? Number(value > 0) : value
  }).runs.filter(({ block }) => isRun(Number(block.task), Number(block.seed)))
  const widths = (blocks: readonly string[]) => {
    const { analysed, compared } = intervals(evidenceWith(runs, { blocks }))
    return [analysed[1], compared[1]].map(ci => (ci?.high ?? 0) - (ci?.low ?? 0))
  }
  const [counted, averaged] = [widths(['task', 'seed']), widths(['task'])]
  for (const [at, width] of counted.entries()) {
    expect(width).toBeGreaterThan(1.5 * (averaged[at] ?? 0))
    // Five seeds: t with four degrees of freedom.
    expect(width).toBeGreaterThan(isYesNo ? 0.6 : 2)
  }
})

/** Shares of the tests of a task that pass: nearly all of them, or nearly none. */
const shares = (name: 'score' | 'other', more: Partial<Evidence> = {}): Evidence => {
  const evidence = tasks(3, (task, seed, arm) => {
    const rest = task > 8 ? 0.9 - seed / 10 : 0
    return arm === 'a' ? rest : 1 - rest
  })
  const runs = evidence.runs.map(run => ({ ...run, metrics: { [name]: run.metrics.score ?? 0 } }))
  return { ...evidence, runs, metrics: [{ name, goal: 'maximize', primary: true }], ...more }
}

it.each([
  ['scores of tasks', shares('score')],
  [
    'a metric with a range',
    shares('other', { metrics: [{ name: 'other', goal: 'maximize', primary: true, range: [0, 1] }] }),
  ],
] as const)('keeps every interval within the possible values: %s', (_, evidence) => {
  const { arms, ci } = ask(evidence, { drawing })
  const [metric = ''] = evidence.metrics.map(({ name }) => name)
  const variants = Object.values(analyzeBatch(evidence, { drawing }).variations).map(one => one.metrics[metric]?.ci)
  expect(variants).toHaveLength(2)
  expect(variants.map(one => [one?.low, one?.high])).toEqual([
    [0, expect.closeTo(arms.control.ci?.high ?? Number.NaN, 10)],
    [expect.closeTo(arms.candidate.ci?.low ?? Number.NaN, 10), 1],
  ])
  expect(arms.control.ci?.low).toBe(0)
  expect(arms.candidate.ci?.high).toBe(1)
  expect(ci?.high).toBe(1)
})

it('leaves the interval of numbers without a known range unchanged', () => {
  const { arms } = ask(shares('other'), { drawing })
  expect(arms.control.ci?.low).toBeLessThan(0)
  expect(arms.candidate.ci?.high).toBeGreaterThan(1)
})
