import { expect, it } from 'vitest'
import { noFolder } from '../../../src/report/dataset/dataset.ts'
import { thinSeries } from '../../../src/report/dataset/pack.ts'
import { comparisonsOf } from '../../../src/report/findings/comparisons.ts'
import { variationOf } from '../../../src/report/findings/variants.ts'
import { defaultView } from '../../../src/report/findings/view.ts'
import { aRun, evidenceWith } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

const steps = Array.from({ length: 4000 }, (_, at) => at + 1)

/** 2 arms × 10 seeds × 4000 points: more than a page holds. */
const runs = ['a', 'b'].flatMap((arm, shift) =>
  Array.from({ length: 10 }, (_, seed) =>
    aRun({
      name: `${arm}-${seed}`,
      params: { arm },
      block: { seed },
      series: [
        { metric: 'reward', steps, values: steps.map(step => shift + Math.log(step) + Math.sin(step * (seed + 1))) },
      ],
    }),
  ),
)
const evidence = evidenceWith(runs, {
  blocks: ['seed'],
  metrics: [{ name: 'reward', goal: 'maximize', primary: true }],
})

it('a thinned series gives the same numbers and the same sentence as the whole', () => {
  const whole = aDataset(evidence)
  const { runs: fewer, reduced, points } = thinSeries(runs)
  expect(points).toBe(3000)
  expect(fewer[0]?.series[0]?.values).toHaveLength(3000)
  expect(fewer[0]?.series[0]?.steps.at(0)).toBe(1)
  expect(fewer[0]?.series[0]?.steps.at(-1)).toBe(4000)
  const thinned = {
    ...whole,
    evidence: { ...evidence, runs: fewer },
    folders: reduced.map(one => ({ ...noFolder, reduced: one })),
    kept: { ...whole.kept, series_points: points },
  }
  const view = defaultView(whole)
  expect(comparisonsOf(thinned, view)).toEqual(comparisonsOf(whole, view))
  const [of, ofWhole] = [variationOf(thinned, view), variationOf(whole, view)]
  const first = (found: typeof of) => ('found' in found ? found.found[0]?.statistics[0]?.cv : found.reason)
  expect(first(of)).toBe(first(ofWhole))
})

it('series that fit are kept unchanged', () => {
  const few = runs.slice(0, 2)
  expect(thinSeries(few)).toEqual({ runs: few, reduced: [{}, {}], points: null })
})
