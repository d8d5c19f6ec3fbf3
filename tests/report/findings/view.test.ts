import { describe, expect, it } from 'vitest'
import { armsBy, defaultView } from '../../../src/report/findings/view.ts'
import { aRun, evidenceWith, twoArms } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

const datasetOf = (evidence: ReturnType<typeof evidenceWith>) => aDataset(evidence)

const crossed = (more: Parameters<typeof evidenceWith>[1] = {}) =>
  evidenceWith(
    ['x', 'y'].flatMap(arm =>
      [0.7, 0.9].map(load => aRun({ name: `${arm}-${load}`, params: { arm, load }, metrics: { score: load } })),
    ),
    { factors: ['arm', 'load'], ...more },
  )

describe('the first view of a report', () => {
  it('is the primary metric, compared by the one factor that varies', () => {
    expect(defaultView(datasetOf(twoArms([1, 2], [3, 4])))).toMatchObject({
      metric: 'score',
      group: ['arm'],
      baseline: { arm: 'a' },
      alpha: 0.05,
      filter: '',
    })
  })

  it('compares the first of several factors, unless the experiment names a baseline', () => {
    expect(defaultView(datasetOf(crossed())).group).toEqual(['arm'])
    const named = defaultView(datasetOf(crossed({ baseline: { load: 0.9 } })))
    expect(named).toMatchObject({ group: ['load'], baseline: { load: 0.9 } })
  })

  it('compares each ablation, if there are any', () => {
    const ablated = evidenceWith(
      ['full', 'no_hedge'].flatMap(ablation =>
        [0.7, 0.9].map(load =>
          aRun({ name: `${ablation}-${load}`, params: { load, ablation }, metrics: { score: load } }),
        ),
      ),
      { factors: ['load', 'ablation'] },
    )
    expect(defaultView(datasetOf(ablated))).toMatchObject({ group: ['ablation'], baseline: { ablation: 'full' } })
  })

  it('compares no variants of a search', () => {
    const dataset = datasetOf(crossed())
    const search = { method: 'tpe', metric: 'score', goal: 'maximize' } as const
    const experiments = [{ search } as never]
    expect(defaultView({ ...dataset, experiments }).group).toEqual([])
  })

  it('shows cost against the metric if known, else time', () => {
    expect(defaultView(datasetOf(twoArms([1], [2]))).cost).toBe('wall_s')
    const paid = evidenceWith([aRun({ cost_usd: 0.1, metrics: { score: 1 } })])
    expect(defaultView(datasetOf(paid)).cost).toBe('cost_usd')
  })

  it('exists even without runs', () => {
    expect(defaultView(datasetOf(evidenceWith([], { metrics: [] })))).toMatchObject({ group: [], metric: 'wall_s' })
  })
})

it('lists arms in the order of their levels in the file', () => {
  const evidence = crossed({ levels: { arm: ['y', 'x'], load: [0.9, 0.7] } })
  expect(armsBy(evidence, ['arm', 'load'])).toEqual([
    { arm: 'y', load: 0.9 },
    { arm: 'y', load: 0.7 },
    { arm: 'x', load: 0.9 },
    { arm: 'x', load: 0.7 },
  ])
})
