import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../src/define/observation.ts'
import { armsFigure, differencesFigure, shapeFigures } from '../../../src/report/figures/comparison-figures.ts'
import { interactionsFigure, mainEffectsFigure } from '../../../src/report/figures/effect-figures.ts'
import { valueWriting } from '../../../src/report/figures/figure.ts'
import { figuresOf } from '../../../src/report/figures/figures.ts'
import { importancesFigure, parallelFigure } from '../../../src/report/figures/search-figures.ts'
import { armSamplesOf, comparisonsOf, factorEffectsOf } from '../../../src/report/findings/comparisons.ts'
import { findingOf } from '../../../src/report/findings/findings.ts'
import { searchFindingsOf } from '../../../src/report/findings/search.ts'
import { variantRowsOf, variationOf } from '../../../src/report/findings/variants.ts'
import { defaultView } from '../../../src/report/findings/view.ts'
import { chartDocument } from '../../../src/report/pictures/write-picture.ts'
import type { OrReason } from '../../../src/util/errors.ts'
import { aRun, evidenceWith, scored } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

const datasetOf = (evidence: Evidence, search: object | null = null) =>
  aDataset(evidence, { experiments: [{ search, standing: null, place: 'results/e' } as never] })

function found<T>(finding: OrReason<T>): T {
  if ('reason' in finding) throw new Error(finding.reason)
  return finding.found
}

/** Arms a, b and c at two loads on that many seeds. */
const crossed = (seeds: number): Evidence =>
  evidenceWith(
    Object.entries({ a: 0, b: 2, c: 3 }).flatMap(([arm, shift]) =>
      [1, 2].flatMap(load =>
        Array.from({ length: seeds }, (_, at) =>
          scored({ arm, load }, { seed: at }, shift * load + Math.sin(7 * at + shift + load)),
        ),
      ),
    ),
    { factors: ['arm', 'load'], blocks: ['seed'] },
  )

describe('intervals and corrections of several comparisons', () => {
  const dataset = datasetOf(crossed(8))
  const view = defaultView(dataset)

  it('the table of differences has simultaneous intervals, explained in the caption', () => {
    const compared = found(comparisonsOf(dataset, view))
    const { caption, table } = differencesFigure(compared)
    expect(caption).toContain('The intervals hold for these 2 comparisons at once; p is corrected (holm).')
    expect(table.columns.slice(-3).map(({ name }) => name)).toEqual([
      '95% CI of all at once, low',
      '95% CI of all at once, high',
      'p by sign-flip permutation',
    ])
    expect(table.rows.map(row => row.slice(-3))).toEqual(
      compared.comparisons.map(({ ci_simultaneous: all, other_tests: [other] }) => [all?.low, all?.high, other?.p]),
    )
  })

  it('effects give the size of their family, and say that intervals are individual', () => {
    const effects = found(factorEffectsOf(dataset, view))
    const tests = effects.main.length + effects.interactions.length
    const { caption } = mainEffectsFigure(effects)
    expect(caption).toContain(
      `Each interval is by itself. p is corrected for all ${tests} tests of levels and interactions as one family`,
    )
    expect(caption).not.toContain('All are corrected')
    expect(interactionsFigure(effects)?.caption).toContain('Each interval is by itself')
  })

  it('a figure of arms has its own title', () => {
    const { draw } = armsFigure(found(comparisonsOf(dataset, view)))
    expect(draw?.({ document: chartDocument() })).toContain('score: mean of each arm')
  })
})

describe('a Q–Q plot says whether the interval assumes normality', () => {
  const captionOf = (seeds: number) => {
    const dataset = datasetOf(crossed(seeds))
    const view = defaultView(dataset)
    const [comparison] = found(comparisonsOf(dataset, view)).comparisons
    if (comparison === undefined) throw new Error('nothing was compared')
    return shapeFigures(comparison, found(armSamplesOf(dataset, view, comparison.candidate)))[0]?.caption
  }

  it('Student’s t assumes it, and so does the wider of t and the bootstrap', () => {
    expect(captionOf(6)).toContain('The interval above does need it with few seeds: it is Student’s t')
    expect(captionOf(8)).toContain('The interval above leans on it with few seeds')
  })
})

it('the shape of a single arm is that of its values; identical values have none', () => {
  const own = [...Array.from({ length: 8 }, (_, at) => ({ arm: 'a', seed: at, score: 1 }))].concat(
    Array.from({ length: 8 }, (_, at) => ({ arm: 'b', seed: 10 + at, score: Math.sin(at) })),
  )
  const dataset = datasetOf(
    evidenceWith(
      own.map(({ arm, seed, score }) => scored({ arm }, { seed }, score)),
      { blocks: ['seed'] },
    ),
  )
  const view = defaultView(dataset)
  const [comparison] = found(comparisonsOf(dataset, view)).comparisons
  if (comparison === undefined) throw new Error('nothing was compared')
  const figures = shapeFigures(comparison, found(armSamplesOf(dataset, view, 'b')))
  expect(figures.map(({ title }) => title)).toEqual(['Normal Q–Q plot of b'])
  expect(figures[0]?.draw?.({ document: chartDocument() })).not.toContain('difference in score')
})

it('on a phone, the line at 0 leaves the numbers above a plot readable', () => {
  const dataset = datasetOf(crossed(8))
  const figure = differencesFigure(found(comparisonsOf(dataset, defaultView(dataset))))
  const drawn = figure.draw?.({ document: chartDocument(), width: 358 })
  expect(drawn).toMatch(/<g [^>]*paint-order="stroke"[^>]*stroke="#ffffff"[^>]*stroke-width="5"/)
})

describe('what a search found', () => {
  const search = { method: 'random', metric: 'score', goal: 'maximize', also: [], impute: 'worst', early_stop: null }
  const runs = Array.from({ length: 24 }, (_, at) => {
    const [x, y, z] = [(at % 7) / 7, (at % 5) / 5, (at % 3) / 3]
    return aRun({ name: `r${at}`, params: { x, y, z }, metrics: { score: 3 * x + 0.4 * y * z + 1 / 3 } })
  })
  const evidence = evidenceWith(runs, { factors: ['x', 'y', 'z'], search: { ranges: ['x', 'y', 'z'], learns: false } })
  const dataset = datasetOf(evidence, search)
  const view = defaultView(dataset)

  it('importances stay within 0 and 100%, and unresolved ones are marked', () => {
    const figure = importancesFigure({
      ...found(searchFindingsOf(dataset, view)),
      importances: [
        { parameter: 'x', share: 0.75, deviation: 0.34 },
        { parameter: 'y', share: 0.1, deviation: 0.12 },
      ],
    })
    expect(figure?.caption).toContain('Not resolved, because that deviation is as large as the share: y.')
    expect(figure?.table.rows).toEqual([
      ['x', 0.75, 0.34, 'yes'],
      ['y', 0.1, 0.12, 'no'],
    ])
    const svg = figure?.draw?.({ document: chartDocument() }) ?? ''
    expect(svg).toContain('y (not resolved)')
    // A whisker to 109% would have made the axis go on to 120.
    expect(svg).not.toContain('>120<')
  })

  it('its table has readable values', () => {
    const { table } = parallelFigure(found(searchFindingsOf(dataset, view)))
    expect(table.columns.at(-1)?.write?.(1.2345678901234567)).toBe('1.23')
  })

  it('has no effects of factors, with the right reason for its method', () => {
    const reasonOf = (learns: boolean, more: object) => {
      const chosen = datasetOf({ ...evidence, search: { ranges: [], learns } }, { ...search, ...more })
      const effects = factorEffectsOf(chosen, view)
      return 'reason' in effects ? effects.reason : 'found'
    }
    expect(reasonOf(false, {})).toMatch(/^a random search drew the variants/)
    expect(reasonOf(true, { method: 'tpe' })).toMatch(/^a tpe search chose the variants by their results/)
    expect(reasonOf(false, { early_stop: { type: 'asha' } })).toMatch(/^a random search stopped variants early/)
  })

  it('of a grid has effects', () => {
    const grid = datasetOf(crossed(5), { ...search, method: 'grid' })
    const effects = factorEffectsOf(grid, { ...view, metric: 'score', group: [], baseline: {} })
    expect(found(effects).main.map(({ factor }) => factor)).toEqual(['arm', 'arm', 'load'])
  })
})

it('reports no variation of runs that all failed', () => {
  const failed = datasetOf(evidenceWith([1, 2, 3].map(seed => scored({ arm: 'a' }, { seed }, null))))
  expect(variationOf(failed, defaultView(failed))).toEqual({
    reason: 'nothing is known about how much runs differ: no variant has 3 with a value of score',
  })
})

it('leaves out the figure of variation if it has no curve, as with yes or no', () => {
  const solved = datasetOf(
    evidenceWith(
      [0, 1, 1, 0, 1].map((solved, seed) =>
        aRun({ name: `a-${seed}`, params: { arm: 'a' }, block: { seed }, metrics: { solved } }),
      ),
      { factors: ['arm'], blocks: ['seed'], metrics: [{ name: 'solved', goal: 'maximize', primary: true }] },
    ),
  )
  expect(variationOf(solved, defaultView(solved))).toEqual({
    reason: expect.stringMatching(/^runs of solved have no coefficient of variation: /),
  })
  const numbers = datasetOf(evidenceWith([1, 2, 3, 4].map(seed => scored({ arm: 'a' }, { seed }, seed))))
  expect(found(variationOf(numbers, defaultView(numbers)))).toHaveLength(1)
})

it('writes less than a minute in seconds beside minutes', () => {
  const write = valueWriting('wall_s', false, [1200, 900, 48.1])
  expect([1200, 90, 48.1, -30, 0].map(write)).toEqual(['20.0 min', '1.50 min', '48.1 s', '−30.0 s', '0 s'])
  expect(valueWriting('wait_ms', false, [4000, 5000, 400])(400)).toBe('0.400 s')
})

it('draws times in readable units', () => {
  const runs = ['a', 'b'].flatMap((arm, shift) =>
    [1, 2, 3, 4].map(seed =>
      aRun({
        name: `${arm}-${seed}`,
        params: { arm },
        block: { seed },
        metrics: { wait_ms: 17_000 + 4000 * shift + 100 * seed + 70 * Math.sin(seed * (1 + shift)) },
      }),
    ),
  )
  const metrics = [{ name: 'wait_ms', goal: 'minimize', primary: true } as const]
  const dataset = datasetOf(evidenceWith(runs, { metrics, factors: ['arm'], blocks: ['seed'] }))
  const compared = found(comparisonsOf(dataset, defaultView(dataset)))
  const document = chartDocument()
  const drawn = [armsFigure(compared), differencesFigure(compared)].map(({ draw }) => draw?.({ document }) ?? '')
  expect(drawn[0]).toContain('wait_ms (s)')
  expect(drawn[0]).toMatch(/>17\.\d+ \[/)
  expect(drawn[1]).toMatch(/difference in wait_ms \(s\)/)
  // The table has the exact numbers.
  expect(armsFigure(compared).table.rows[0]).toContainEqual(expect.closeTo(17_250, -2))
})

describe('many runs of a time', () => {
  const runs = ['a', 'b'].flatMap((arm, shift) =>
    [1, 2].flatMap(load =>
      [1, 2, 3, 4, 5, 6].map(seed =>
        aRun({
          name: `${arm}-${load}-${seed}`,
          params: { arm, load, fixed: 'x' },
          block: { seed },
          metrics: {
            wait_ms: 900_000 + 900_000 * shift * load + 20_000 * Math.sin(seed * (1 + shift + load)),
            cost_ms: 5000 + seed,
          },
        }),
      ),
    ),
  )
  const metrics = [{ name: 'wait_ms', goal: 'minimize', primary: true } as const]
  const dataset = datasetOf(evidenceWith(runs, { metrics, factors: ['arm', 'load'], blocks: ['seed'] }))
  const view = { ...defaultView(dataset), cost: 'cost_ms' }
  const document = chartDocument()

  it('have one unit in every figure', () => {
    const effects = found(factorEffectsOf(dataset, view))
    const rows = found(variantRowsOf(dataset, view))
    const distributions = found(findingOf(dataset, { name: 'distributions', view, about: '' }))
    const [pareto] = figuresOf.cost(rows)
    const pictures = [
      mainEffectsFigure(effects),
      ...figuresOf.variants(rows),
      ...figuresOf.distributions(distributions),
    ]
    for (const { draw } of pictures) expect(draw?.({ document })).toMatch(/wait_ms \(min\)/)
    expect(pareto?.draw?.({ document })).toContain('mean cost_ms (s)')
  })

  it('have one unit in a table, except for tiny values', () => {
    const table = interactionsFigure(found(factorEffectsOf(dataset, view)))?.table
    const cells = table?.columns.flatMap(({ name, write }, at) =>
      name.startsWith('change of') || name.includes('CI')
        ? table.rows.flatMap(row => (typeof row[at] === 'number' ? [write?.(row[at]) ?? ''] : []))
        : [],
    )
    expect(cells?.length).toBeGreaterThan(2)
    expect(new Set(cells?.map(text => text.split(' ')[1]))).toEqual(new Set(['min']))
    expect(valueWriting('wait_ms', false, [600_000, 1_200_000, 900])(900)).toBe('900 ms')
  })

  it('are labelled by levels only, with the factor in the caption', () => {
    const [figure] = figuresOf.variants(found(variantRowsOf(dataset, view)))
    expect(figure?.draw?.({ document })).toMatch(/>b, 2</)
    expect(figure?.caption).toContain('Names are arm, load.')
    expect(figure?.table.rows.map(([name]) => name)).toContain('arm=b, load=2')
  })
})

describe('points that are runs', () => {
  it('every value of a distribution has its run, its row and a position in the figure', () => {
    const dataset = datasetOf(crossed(4))
    const distributions = found(findingOf(dataset, { name: 'distributions', view: defaultView(dataset), about: '' }))
    const [figure] = figuresOf.distributions(distributions)
    const points = figure?.points?.(720) ?? []
    expect(points.map(({ run, label, value }) => [label, run, value])).toEqual(figure?.table.rows)
    expect(new Set(points.map(({ row }) => row)).size).toBe(distributions.rows.length)
    expect(points.every(({ x, y }) => x > 0 && x < 720 && y > 0)).toBe(true)
  })
})

describe('the series of a run', () => {
  const series = (metric: string, values: readonly number[]) => ({ metric, steps: values.map((_, at) => at), values })
  const experiments = [{ definition: null }]

  it('is a curve and its points in a table', () => {
    const [figure] = figuresOf.run({ series: series('loss', [3, 1]), experiments })
    expect(figure).toMatchObject({ id: 'series-loss', title: 'loss over steps' })
    expect(figure?.table.rows).toEqual([
      [0, 3],
      [1, 1],
    ])
    expect(figure?.draw?.({ document: chartDocument() })).toContain('loss')
  })

  it('of two runs has the rows of both, even if one lacks the metric', () => {
    const runs = [
      { label: 'A', name: 'first', series: [series('loss', [3]), series('other', [9])] },
      { label: 'B', name: 'second', series: [series('loss', [2])] },
    ]
    expect(figuresOf.pair({ metric: 'loss', runs, experiments })[0]?.table.rows).toEqual([
      ['first', 0, 3],
      ['second', 0, 2],
    ])
    expect(figuresOf.pair({ metric: 'other', runs, experiments })[0]?.table.rows).toEqual([['first', 0, 9]])
  })
})
