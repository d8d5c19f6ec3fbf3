import { describe, expect, it } from 'vitest'
import { defaultDrawing } from '../../../src/analyze/choices.ts'
import { type Variance, varianceReadings, variances } from '../../../src/analyze/variance/variance.ts'
import { type Evidence, type Observation, observed } from '../../../src/define/observation.ts'
import type { JsonObject } from '../../../src/util/json.ts'

const metric = 'overview/reward'
const range = (length: number) => Array.from({ length }, (_, index) => index)

/** A run whose reward climbs to this height and stays there. */
function runWith(name: string, height: number, more: Partial<Observation> & { points?: number } = {}): Observation {
  const { points = 100, ...rest } = more
  const steps = range(points).map(step => 10 * step)
  return observed({
    name,
    source: 'here',
    block: { seed: name },
    metrics: { [metric]: height },
    series: [{ metric, steps, values: steps.map((_, at) => (height * (at + 1)) / points) }],
    ...rest,
  })
}

const evidenceOf = (runs: readonly Observation[], factors: readonly string[] = []): Evidence => ({
  runs,
  metrics: [{ name: metric, goal: 'maximize', primary: true }],
  blocks: ['seed'],
  factors,
  levels: {},
  baseline: null,
  sources: [],
})

function ask(evidence: Evidence, wish: Parameters<typeof varianceReadings>[1] = {}): readonly Variance[] {
  return variances(evidence, {
    readings: varianceReadings(evidence, wish),
    threshold: 0.05,
    level: 0.95,
    drawing: defaultDrawing,
  })
}

function askOne(evidence: Evidence, wish: Parameters<typeof varianceReadings>[1] = {}): Variance {
  const [only, ...others] = ask(evidence, wish)
  if (only === undefined || others.length > 0) throw new Error('expected one variant')
  return only
}

const heights = [1, 1.02, 0.97, 1.01, 0.99, 1.03, 0.98, 1, 1.01, 0.99, 1.02, 0.98, 1, 1.01, 0.97]
const pilot = heights.map((height, index) => runWith(`run${index + 1}`, height))

describe('enough runs', () => {
  const found = askOne(evidenceOf(pilot))

  it('are found from the upper bound, area and slope over the same runs', () => {
    const [auc, slope] = found.statistics
    expect(found.statistics.map(({ name, summary, values }) => [name, summary, values.length])).toEqual([
      ['AUC', 'auc of the last 25% of the points', 15],
      ['Derivative', 'slope of the last 25% of the points', 15],
    ])
    // Straight lines through 0: area and slope are in proportion, and so are their spreads.
    expect(auc?.cv).toBeCloseTo(0.0183, 3)
    expect(slope?.cv).toBeCloseTo(auc?.cv ?? 0, 10)
    expect(auc?.enough).toBe(slope?.enough)
    expect(auc?.curve[(auc.enough ?? 0) - 1]?.high).toBeLessThan(0.05)
    expect(auc?.curve[(auc.enough ?? 0) - 2]?.high).toBeGreaterThan(0.05)
  })

  it('are stated in one sentence', () => {
    expect(found.sentence).toMatchInlineSnapshot(
      `"overview/reward (AUC) varies by less than 5% between runs: CV 1.85% (95% CI 1.35% to 2.92%), shown by 7 of the 15 runs; the mean is known to ± 1.02% (95% CI)"`,
    )
  })

  it('come with how well the mean is known, up to twice as many', () => {
    const [auc] = found.statistics
    expect(auc?.precision.map(({ n }) => n)).toEqual(range(29).map(index => index + 2))
    const now = auc?.precision.find(({ n }) => n === 15)
    expect(now?.relative_standard_error).toBeCloseTo((auc?.cv ?? 0) / Math.sqrt(15), 10)
    expect(auc?.runs_for_mean).toEqual({ runs: 3, to_be_sure: 4 })
  })

  it('are deterministic to the last digit', () => {
    expect(JSON.stringify(askOne(evidenceOf(pilot)))).toBe(JSON.stringify(found))
  })
})

it('too few runs come with the number that is enough', () => {
  const found = askOne(evidenceOf(pilot.slice(0, 4)))
  const [auc] = found.statistics
  expect(auc?.enough).toBeNull()
  expect(auc?.would_be_enough).toBeGreaterThan(4)
  expect(found.sentence).toMatchInlineSnapshot(
    `"4 runs do not show that overview/reward (AUC) varies by less than 5% between runs: CV 2.16% (95% CI 1.22% to 8.07%); about 7 would, if that is the true CV; the mean is known to ± 3.44% (95% CI)"`,
  )
})

it('a bound that was once below the threshold does not count if it is above it with all runs', () => {
  const calm = [1, 1.001, 0.999, 1, 1.001, 1, 0.999, 1]
  const runs = [...calm, 1.4, 0.6].map((height, index) => runWith(`run${index}`, height))
  const [auc] = askOne(evidenceOf(runs)).statistics
  expect(auc?.curve[7]?.high).toBeLessThan(0.05)
  expect(auc).toMatchObject({ enough: null, would_be_enough: null, first_below: 2 })
})

it('more runs do not help if runs vary too much', () => {
  const runs = [1, 2, 0.5, 1.5, 0.8, 1.9, 0.4, 1.2].map((height, index) => runWith(`run${index}`, height))
  expect(askOne(evidenceOf(runs)).sentence).toMatchInlineSnapshot(
    `"overview/reward (AUC) varies by more than 5% between runs, which no number of runs will change: CV 51.8% (95% CI 32.1% to 142%); the mean is known to ± 43.3% (95% CI)"`,
  )
})

describe('unusable runs are named with the reason', () => {
  it.each<[string, Observation, string]>([
    ['failed', runWith('odd', 1, { outcome: { kind: 'failed' } }), 'AUC: failed'],
    ['without the series', runWith('odd', 1, { series: [] }), 'AUC: no such series'],
    ['with fewer than 15 points in the window', runWith('odd', 1, { points: 56 }), 'AUC: too few values'],
    ['with a NaN', withValue(Number.NaN), 'AUC: not a number'],
    ['with an infinity', withValue(Number.POSITIVE_INFINITY), 'AUC: infinite value'],
  ])('%s', (_, odd, reason) => {
    const found = askOne(evidenceOf([...pilot.slice(0, 3), odd]))
    expect(found.left_out).toEqual([{ run: 'odd', reason }])
    expect(found.runs).toEqual(['run1', 'run2', 'run3'])
    expect(found.statistics.map(({ values }) => values.length)).toEqual([3, 3])
  })

  it('one run has no variation', () => {
    const found = askOne(evidenceOf([runWith('only', 1)]))
    expect(found).toMatchObject({ statistics: [], reason: '1 of 1 runs can be used, and it takes two' })
  })
})

it('two runs have a mean and a spread, but no statement about variation', () => {
  const found = askOne(evidenceOf([runWith('one', 94), runWith('other', 127)]))
  const reason = 'two runs say too little about it, it takes three'
  expect(found.statistics[0]).toMatchObject({
    cv: null,
    ci: null,
    curve: [],
    enough: null,
    runs_for_mean: null,
    reason,
  })
  expect(found.statistics[0]?.sd).toBeGreaterThan(0)
  expect(found.sentence).toContain(`has no coefficient of variation over these 2 runs: ${reason}`)
  expect(askOne(evidenceOf(pilot.slice(0, 3))).statistics[0]?.cv).toBeGreaterThan(0)
})

describe('yes or no', () => {
  const solved = (values: readonly number[], more: Partial<Observation> = {}) =>
    values.map((value, at) => runWith(`${JSON.stringify(more.params ?? {})}${at}`, value, { series: [], ...more }))

  it('has a share, and no coefficient of variation', () => {
    const found = askOne(evidenceOf(solved([1, 0, 0, 1, 1])))
    expect(found.statistics[0]).toMatchObject({ cv: null, ci: null, curve: [], precision: [], enough: null })
    expect(found.statistics[0]?.share?.low).toBeCloseTo(0.2307, 4)
    expect(found.sentence).toBe(
      'overview/reward is yes or no: 3 of 5 runs say yes, 60% (95% CI 23.1% to 88.2%), and of that there is no coefficient of variation',
    )
  })

  it('follows from the metric, not from the values of one variant', () => {
    const all = [...solved([1, 1, 1], { params: { arm: 'a' } }), ...solved([0, 1, 0], { params: { arm: 'b' } })]
    expect(ask(evidenceOf(all, ['arm'])).map(({ statistics }) => statistics[0]?.share !== null)).toEqual([true, true])
    const numbers = [...solved([1, 1, 0], { params: { arm: 'a' } }), ...solved([0.5, 1, 0], { params: { arm: 'b' } })]
    expect(ask(evidenceOf(numbers, ['arm'])).map(({ statistics }) => statistics[0]?.share)).toEqual([null, null])
  })
})

function withValue(value: number): Observation {
  const run = runWith('odd', 1)
  const [series] = run.series
  return series === undefined ? run : { ...run, series: [{ ...series, values: [...series.values.slice(1), value] }] }
}

it('57 points are the fewest of which a quarter is 15', () => {
  const runs = range(3).map(index => runWith(`run${index}`, 1 + index / 100, { points: 57 }))
  expect(askOne(evidenceOf(runs)).left_out).toEqual([])
})

it('equal runs have no variation to measure: no interval, no number of runs, no claim', () => {
  const found = askOne(evidenceOf(range(5).map(index => runWith(`run${index}`, 0.7))))
  expect(found.statistics[0]).toMatchObject({
    cv: null,
    ci: null,
    enough: null,
    precision: [],
    reason: 'zero variance',
  })
  expect(found.sentence).toMatchInlineSnapshot(
    `"all 5 runs give the same overview/reward (AUC), 0.616: there is no variation between them to measure"`,
  )
})

it('a constant series has a slope of 0, of which there is no coefficient of variation', () => {
  const flat = range(4).map(index => {
    const run = runWith(`run${index}`, 1)
    return { ...run, series: run.series.map(one => ({ ...one, values: one.values.map(() => 1 + index / 10) })) }
  })
  const [auc, slope] = askOne(evidenceOf(flat)).statistics
  expect(auc?.reason).toBeNull()
  expect(slope).toMatchObject({ cv: null, ci: null, enough: null, runs_for_mean: null, reason: 'zero mean' })
})

it('a mean that may be 0 gives no bound', () => {
  const runs = [1, -0.8, 0.5, -0.4, 0.9].map((height, index) => runWith(`run${index}`, height))
  const found = askOne(evidenceOf(runs))
  expect(found.statistics[0]).toMatchObject({ ci: { high: null }, runs_for_mean: null, enough: null })
  expect(found.sentence).toMatchInlineSnapshot(
    `"the mean of overview/reward (AUC) may be 0 (5 runs), and then there is no coefficient of variation to bound"`,
  )
})

it('unequal lengths are reported', () => {
  const runs = [runWith('long', 1, { points: 100 }), runWith('short', 1.1, { points: 80 })]
  expect(askOne(evidenceOf(runs)).warnings).toEqual([
    'the runs are not equally long: they end at steps 790 to 990, so their windows differ',
  ])
})

it('runs of several tasks or code versions are reported', () => {
  const block = (task: string, seed: number): JsonObject => ({ task, seed })
  const runs = [
    runWith('a', 1, { block: block('x', 1), code: 'c1' }),
    runWith('b', 1.1, { block: block('y', 2), code: 'c2' }),
  ]
  expect(askOne({ ...evidenceOf(runs), blocks: ['task', 'seed'] }).warnings).toEqual([
    'the runs differ in task and seed: what differs between tasks counts as variation between runs (--filter looks at one alone)',
    'the runs were made with different versions of the code: c1, c2',
  ])
})

describe('variants', () => {
  const of = (architecture: string, source: string, height: number) =>
    range(3).map(index =>
      runWith(`${architecture}${index}`, height + index / 100, { params: { architecture }, source }),
    )

  it('are never pooled', () => {
    const found = ask(evidenceOf([...of('trxl', 'here', 1), ...of('vit_reset', 'here', 2)], ['architecture']))
    expect(found.map(({ variant, runs }) => [variant, runs.length])).toEqual([
      ['trxl', 3],
      ['vit_reset', 3],
    ])
  })

  it('of different experiments are named by their differences', () => {
    const factors = ['experiment', 'architecture']
    const apart = ask(evidenceOf([...of('trxl', 'a', 1), ...of('vit_reset', 'b', 2)], factors))
    expect(apart.map(({ variant }) => variant)).toEqual(['trxl', 'vit_reset'])
    const same = ask(evidenceOf([...of('trxl', 'a', 1), ...of('trxl', 'b', 2)], factors))
    expect(same.map(({ variant }) => variant)).toEqual(['a', 'b'])
  })
})

describe('the analysed value', () => {
  it('is a plain number if there is no series', () => {
    const runs = heights.map((height, index) => runWith(`run${index}`, height, { series: [] }))
    const { statistics } = askOne(evidenceOf(runs))
    expect(statistics.map(({ name, summary }) => [name, summary])).toEqual([['Value', null]])
  })

  it('is the primary metric if there is no overview/reward', () => {
    const renamed = pilot.map(run => ({
      ...run,
      metrics: { score: run.metrics[metric] ?? 0 },
      series: run.series.map(series => ({ ...series, metric: 'score' })),
    }))
    const evidence = { ...evidenceOf(renamed), metrics: [{ name: 'score', goal: null, primary: true }] }
    expect(askOne(evidence).metric).toBe('score')
  })

  it('can be another part of the series for the slope alone, as in Metta’s pipeline', () => {
    const { statistics } = askOne(evidenceOf(pilot), { slopeWindow: { kind: 'all' } })
    expect(statistics.map(({ summary }) => summary)).toEqual(['auc of the last 25% of the points', 'slope'])
  })
})

it('variants come in the order of the levels in the file, whichever ran first', () => {
  const runs = ['large', 'small', 'medium'].flatMap(size =>
    [2, 1].flatMap(depth =>
      [0, 1].map(at => runWith(`${size}${depth}-${at}`, 1 + at / 10, { params: { size, depth } })),
    ),
  )
  const levels = { size: ['small', 'medium', 'large'], depth: [1, 2] }
  const found = ask({ ...evidenceOf(runs, ['size', 'depth']), levels })
  expect(found.map(({ variant }) => variant)).toEqual([
    'size=small depth=1',
    'size=small depth=2',
    'size=medium depth=1',
    'size=medium depth=2',
    'size=large depth=1',
    'size=large depth=2',
  ])
})
