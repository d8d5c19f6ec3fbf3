import { describe, expect, it } from 'vitest'
import { intervalOfVerdict } from '../../../src/analyze/compare/comparison.ts'
import { estimateTexts } from '../../../src/charts/drawing/interval.ts'
import type { Evidence } from '../../../src/define/observation.ts'
import { armsFigure, differencesFigure, shapeFigures } from '../../../src/report/figures/comparison-figures.ts'
import { interactionsFigure, ratiosFigure } from '../../../src/report/figures/effect-figures.ts'
import { figuresOf } from '../../../src/report/figures/figures.ts'
import { variantsFigure } from '../../../src/report/figures/variant-figures.ts'
import { armSamplesOf, comparisonsOf, curvesOf, factorEffectsOf } from '../../../src/report/findings/comparisons.ts'
import { headOf, sectionsOf, titleOf } from '../../../src/report/findings/page.ts'
import { taskFindingsOf } from '../../../src/report/findings/task-scores.ts'
import { profileOf, variantRowsOf, variationOf } from '../../../src/report/findings/variants.ts'
import { defaultView } from '../../../src/report/findings/view.ts'
import { chartDocument } from '../../../src/report/pictures/write-picture.ts'
import type { OrReason } from '../../../src/util/errors.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { aRun, evidenceWith, scored } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

const datasetOf = (evidence: Evidence, search: object | null = null) =>
  aDataset(evidence, { experiments: [{ search, standing: null, definition: null, place: 'results/e' } as never] })

function found<T>(finding: OrReason<T>): T {
  if ('reason' in finding) throw new Error(finding.reason)
  return finding.found
}

const options = { document: chartDocument() }
const seeds = [0, 1, 2, 3, 4, 5, 6, 7]

/** Every variant on every seed. */
const grid = (variants: readonly JsonObject[], value: (params: JsonObject, seed: number) => number | null): Evidence =>
  evidenceWith(
    variants.flatMap(params => seeds.map(seed => scored(params, { seed }, value(params, seed)))),
    { factors: [...new Set(variants.flatMap(params => Object.keys(params)))], blocks: ['seed'] },
  )

const wave = (seed: number, shift: number): number => Math.sin(7 * seed + shift)

describe('the comparison', () => {
  const shifts: Readonly<Record<string, number>> = { a: 0, b: 0.9, c: 3 }
  const dataset = datasetOf(
    grid(
      [{ arm: 'a' }, { arm: 'b' }, { arm: 'c' }],
      ({ arm }, seed) => (shifts[String(arm)] ?? 0) + wave(seed, shifts[String(arm)] ?? 0),
    ),
  )
  const view = defaultView(dataset)

  it('is drawn with the intervals of the headline', () => {
    const compared = found(comparisonsOf(dataset, view))
    const signed = (value: number, decimals: number | undefined) => `${value > 0 ? '+' : ''}${value.toFixed(decimals)}`
    const texts = estimateTexts(
      compared.comparisons.map(one => ({ value: one.estimate, interval: intervalOfVerdict(one) as never })),
      signed,
    ).map(text => text.replaceAll('-', '−'))
    const svg = differencesFigure(compared).draw?.(options)
    for (const text of texts) expect(svg).toContain(text)
    expect(compared.comparisons.every(one => one.ci_simultaneous !== null)).toBe(true)
  })

  it('uses the units of its metric in every figure', () => {
    const slow = datasetOf({
      ...grid([{ arm: 'a' }, { arm: 'b' }], ({ arm }, seed) => 60_000 * wave(seed, arm === 'a' ? 0 : 1) + 200_000),
      metrics: [{ name: 'wait_ms', goal: 'minimize', primary: true }],
    })
    const inMs = {
      ...slow,
      evidence: {
        ...slow.evidence,
        runs: slow.evidence.runs.map(run => ({ ...run, metrics: { wait_ms: run.metrics.score ?? 0 } })),
      },
    }
    const own = defaultView(inMs)
    const [comparison] = found(comparisonsOf(inMs, own)).comparisons
    if (comparison === undefined) throw new Error('nothing was compared')
    const [shape] = shapeFigures(comparison, found(armSamplesOf(inMs, own, comparison.candidate)))
    expect(shape?.draw?.(options)).toContain('difference in wait_ms (s)')
  })

  it('is not drawn twice: single variants appear only if more varies', () => {
    expect(found(variantRowsOf(dataset, view)).conditions).toEqual([])
  })
})

it('the headline has the finding, and the detectable difference is below', () => {
  const dataset = datasetOf(grid([{ arm: 'a' }, { arm: 'b' }], ({ arm }, seed) => wave(seed, arm === 'a' ? 0 : 0.3)))
  const view = defaultView(dataset)
  const { answer } = headOf(dataset, view, comparisonsOf(dataset, view))
  expect(answer?.headline).toMatch(/^No difference between b and a on score is shown: .*, paired on 8 seeds\.$/)
  expect(answer?.others[0]).toMatch(/^A difference of about .* would have been found 80% of the time\.$/)
})

describe('names', () => {
  it('of levels shared by factors include the factor once', () => {
    const models = ['sim/firm', 'sim/soft']
    const dataset = datasetOf(
      grid(
        models.flatMap(buyer => models.map(seller => ({ 'actors.buyer.model': buyer, 'actors.seller.model': seller }))),
        (params, seed) => (params['actors.buyer.model'] === 'sim/soft' ? 5 : 0) + wave(seed, 0),
      ),
    )
    const compared = found(comparisonsOf(dataset, defaultView(dataset)))
    expect(compared.comparisons[0]?.sentence).toMatch(
      /^actors\.buyer\.model=sim\/soft is (better|higher|lower|worse) on score than sim\/firm /,
    )
    expect(differencesFigure(compared).title).toBe('Paired differences from sim/firm')
    expect(differencesFigure(compared).draw?.(options)).not.toContain('actors.buyer.model=')
  })

  it('of variants are short if a factor does not apply to all, with distinguishing digits', () => {
    const variants: readonly JsonObject[] = [
      { kind: 'plain', rate: 0.0141278 },
      { kind: 'heavy', rate: 0.0141391, mass: 0.9 },
    ]
    const dataset = datasetOf(grid(variants, ({ kind }, seed) => (kind === 'plain' ? 0 : 1) + wave(seed, 0)))
    const [figure] = figuresOf.variants(found(variantRowsOf(dataset, defaultView(dataset))))
    expect(figure?.caption).toContain('Names are kind, rate, mass (– where there is none).')
    const svg = figure?.draw?.(options)
    expect(svg).toMatch(/>plain, 0\.0141[ <]/)
    expect(svg).toMatch(/>heavy, 0\.0141, 0\.9</)
  })
})

describe('sections without content are left out', () => {
  it('interactions of levels that never combine, as zipped ones', () => {
    const variants = [64, 256].flatMap(lines => ['on', 'off'].map(cache => ({ lines, ways: lines / 64, cache })))
    const dataset = datasetOf(
      grid(variants, ({ lines, cache }, seed) => Number(lines) * (cache === 'on' ? 1 : 0.1) + wave(seed, 0)),
    )
    const rows = interactionsFigure(found(factorEffectsOf(dataset, defaultView(dataset))))?.table.rows ?? []
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(([, n]) => n === 0)).toEqual([])
  })

  it('the spread of identical runs, and its section', () => {
    const alike = datasetOf(grid([{ arm: 'a' }], () => 1))
    const view = defaultView(alike)
    expect(variationOf(alike, view)).toMatchObject({ reason: expect.stringContaining('no coefficient of variation') })
    expect(sectionsOf(alike, view)).not.toContain('curves')
    const varied = datasetOf(grid([{ arm: 'a' }], (_, seed) => wave(seed, 0)))
    expect(sectionsOf(varied, defaultView(varied))).toContain('curves')
    expect(titleOf('curves', varied, defaultView(varied))).toBe('Variation and chance')
  })

  it('axes of a profile on which an arm has no ratio', () => {
    const names = ['score', 'cost', 'speed', 'size', 'zero']
    const runs = ['a', 'b'].flatMap((arm, shift) =>
      seeds.map(seed => {
        const metrics = Object.fromEntries(
          names.map(name => [name, name === 'zero' ? 0 : 4 + shift + wave(seed, shift)]),
        )
        return aRun({ params: { arm }, block: { seed }, name: `${arm}-${seed}`, metrics })
      }),
    )
    const profileWith = (kept: readonly string[]) => {
      const metrics = kept.map(name => ({ name, goal: 'maximize' as const, primary: name === 'score' }))
      const dataset = datasetOf(evidenceWith(runs, { factors: ['arm'], blocks: ['seed'], metrics }))
      return profileOf(dataset, defaultView(dataset))
    }
    expect(found(profileWith(names)).axes.map(({ metric }) => metric)).toEqual(['score', 'cost', 'speed', 'size'])
    expect(profileWith(['score', 'cost', 'zero'])).toMatchObject({ reason: expect.stringContaining('only 2') })
  })

  it('a profile of metrics that nobody gave a goal', () => {
    const runs = ['a', 'b'].flatMap((arm, shift) =>
      seeds.map(seed => {
        const metrics = { score: 4 + shift, calls: 3 + wave(seed, shift), words: 9 + wave(seed, 2 * shift) }
        return aRun({ params: { arm }, block: { seed }, name: `${arm}-${seed}`, metrics })
      }),
    )
    const metrics = [{ name: 'score', goal: 'maximize' as const, primary: true }]
    const dataset = datasetOf(evidenceWith(runs, { factors: ['arm'], blocks: ['seed'], metrics }))
    expect(profileOf(dataset, defaultView(dataset))).toMatchObject({
      reason: 'no profile of all metrics: it takes 3 with a goal, and there are 1',
    })
  })

  it('multiples where there is a single bar', () => {
    const dataset = datasetOf(
      grid([{ arm: 'a' }, { arm: 'b' }], ({ arm }, seed) => (arm === 'a' ? 4 : 6) + wave(seed, 0)),
    )
    expect(ratiosFigure(found(factorEffectsOf(dataset, defaultView(dataset))))).toBeNull()
  })
})

it('only arms that are paired have paired differences', () => {
  const captionOf = (blocks: readonly string[]) => {
    const dataset = datasetOf({
      ...grid([{ arm: 'a' }, { arm: 'b' }], ({ arm }, seed) => (arm === 'a' ? 4 : 6) + wave(seed, 0)),
      blocks,
    })
    const runs = dataset.evidence.runs.map((run, at) =>
      blocks.length === 0 ? { ...run, block: {}, replicate: at } : run,
    )
    const own = { ...dataset, evidence: { ...dataset.evidence, runs } }
    return armsFigure(found(comparisonsOf(own, defaultView(own)))).caption
  }
  expect(captionOf(['seed'])).toContain('Paired differences are known better')
  expect(captionOf([])).not.toContain('aired')
})

it('names of variants keep whole numbers, and the words in which levels differ', () => {
  const promises = ['residents a noise wall', 'shipping line low dues'].map(what => `They promised the ${what}.`)
  const variants = [1024, 256].flatMap(lines => promises.map(promise => ({ lines, promise })))
  const dataset = datasetOf(grid(variants, ({ lines }, seed) => Number(lines) + wave(seed, 0)))
  const svg = variantsFigure(found(variantRowsOf(dataset, defaultView(dataset)))).draw?.(options)
  expect(svg).toContain('1024, …residents a noise wall…')
  expect(svg).toContain('256, …shipping line low dues…')
})

it('interactions of yes and no are in points', () => {
  const dataset = datasetOf(
    grid(
      ['a', 'b'].flatMap(arm => ['x', 'y'].map(place => ({ arm, place }))),
      ({ arm, place }, seed) => Number(arm === 'b' && place === 'y' ? true : wave(seed, 0) > 0),
    ),
  )
  const { columns = [], rows = [] } =
    interactionsFigure(found(factorEffectsOf(dataset, defaultView(dataset))))?.table ?? {}
  expect(columns[2]?.write?.(Number(rows[0]?.[2]))).toMatch(/^\d+\.\d pts$/)
})

it('ratios are those of the compared factor', () => {
  const variants = ['a', 'b'].flatMap(model => ['raw', 'short', 'none'].map(strategy => ({ model, strategy })))
  const evidence = grid(variants, ({ strategy }, seed) => (strategy === 'raw' ? 4 : 6) + wave(seed, 0))
  const dataset = datasetOf({ ...evidence, baseline: { strategy: 'raw' } })
  const view = defaultView(dataset)
  expect(view.group).toEqual(['strategy'])
  expect(ratiosFigure(found(factorEffectsOf(dataset, view)))?.title).toBe('score as a multiple of raw')
})

describe('curves', () => {
  const series = (steps: readonly number[], to: number) => [
    { metric: 'reward', steps, values: steps.map(step => (to * step) / 10) },
  ]

  it('of a search show the best variant among all others, and no mean of different ones', () => {
    const runs = [0.1, 0.2, 0.3].map((rate, at) =>
      aRun({ name: `r${at}`, params: { rate }, metrics: { reward: at === 1 ? 9 : at }, series: series([1, 2, 3], at) }),
    )
    const metrics = [{ name: 'reward', goal: 'maximize' as const, primary: true }]
    const search = { method: 'random', metric: 'reward', goal: 'maximize', value: 'last', early_stop: null }
    const dataset = datasetOf(evidenceWith(runs, { factors: ['rate'], metrics }), search)
    const curves = found(curvesOf(dataset, defaultView(dataset), 'reward'))
    expect(curves.curves.map(({ label, n, runs: lines }) => [label, n, lines.length])).toEqual([
      ['best: variant 2', 1, 3],
    ])
    expect(figuresOf.curves(curves)[0]?.caption).toBe(
      'The thick line is the best variant. Thin lines are the runs of all variants.',
    )
  })

  it('say that all runs of an arm count where a comparison leaves some out', () => {
    const captionOf = (variants: readonly JsonObject[]) => {
      const runs = variants.flatMap((params, at) =>
        [1, 2].map(seed => aRun({ params, block: { seed }, name: `${at}-${seed}`, series: series([1, 2], seed) })),
      )
      const dataset = datasetOf(evidenceWith(runs, { factors: ['arm', 'rate'], blocks: ['seed'] }))
      return figuresOf.curves(found(curvesOf(dataset, { ...defaultView(dataset), group: ['arm'] }, 'reward')))[0]
        ?.caption
    }
    const matched = [{ arm: 'a' }, { arm: 'b' }]
    expect(captionOf(matched)).not.toContain('partner')
    expect(captionOf([...matched, { arm: 'b', rate: 2 }])).toContain(
      'All runs of an arm count (2 and 4), where a comparison takes only those with a partner.',
    )
  })

  it('are drawn for runs that logged an earlier step late', () => {
    const runs = ['a', 'b'].flatMap(arm =>
      seeds.map(seed =>
        aRun({ name: `${arm}${seed}`, params: { arm }, block: { seed }, series: series([1, 3, 2, 4], seed) }),
      ),
    )
    const dataset = datasetOf(evidenceWith(runs, { factors: ['arm'], blocks: ['seed'] }))
    const [first] = found(curvesOf(dataset, defaultView(dataset), 'reward')).curves
    expect(first?.points.map(({ step }) => step)).toEqual([1, 2, 3, 4])
  })
})

it('scores are ranked, without constant columns', () => {
  const runs = ['poor', 'good'].flatMap(model =>
    ['t1', 't2'].map(task =>
      aRun({
        name: `${model}-${task}`,
        params: { model },
        block: { task },
        metrics: { score: Number(model === 'good') },
      }),
    ),
  )
  const dataset = datasetOf(evidenceWith(runs, { factors: ['model'], blocks: ['task'] }))
  const [{ table } = { table: { columns: [], rows: [] } }] = figuresOf.scores(
    found(taskFindingsOf(dataset, defaultView(dataset))),
  )
  expect(table.rows.map(([variant]) => variant)).toEqual(['good', 'poor'])
  const names = table.columns.map(({ name }) => name)
  expect(names).toContain('resolved')
  for (const same of ['scored', 'unscored']) expect(names).not.toContain(same)
})

it('one variant of yes and no is in percent, as everywhere else', () => {
  const dataset = datasetOf(grid([{ arm: 'a' }], (_, seed) => Number(seed > 0)))
  const view = defaultView(dataset)
  expect(headOf(dataset, view, comparisonsOf(dataset, view)).answer?.headline).toMatch(
    /^score is 87\.5% on average \(95% CI \d/,
  )
})
