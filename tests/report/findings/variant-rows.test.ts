import { expect, it } from 'vitest'
import { paretoFigure } from '../../../src/report/figures/variant-figures.ts'
import { variantRowsOf } from '../../../src/report/findings/variants.ts'
import { defaultView } from '../../../src/report/findings/view.ts'
import { aRun, evidenceWith } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

const score = { cheap: 1, good: 3, bad: 2, same: 3 }
const cost = { cheap: 1, good: 2, bad: 3, same: 2 }

function rowsOf(loads: readonly number[]) {
  const runs = loads.flatMap(load =>
    (['cheap', 'good', 'bad', 'same'] as const).map(arm =>
      aRun({
        name: `${arm}-${load}`,
        params: { arm, load },
        metrics: { score: score[arm], price: cost[arm] },
      }),
    ),
  )
  const dataset = aDataset(evidenceWith(runs, { factors: ['arm', 'load'] }))
  const found = variantRowsOf(dataset, { ...defaultView(dataset), cost: 'price' })
  if ('reason' in found) throw new Error(found.reason)
  return found.found
}

it('the front has variants that no other beats in both, ties included, in figure and table', () => {
  const rows = rowsOf([1])
  expect(rows.rows.map(({ levels, isOnFront }) => [levels.arm, isOnFront])).toEqual([
    ['cheap', true],
    ['good', true],
    ['bad', false],
    ['same', true],
  ])
  const { table } = paretoFigure(rows)
  expect(table.columns.at(-1)?.name).toBe('on the front')
  expect(table.rows.map(row => row.at(-1))).toEqual(['yes', 'yes', 'no', 'yes'])
})

it('warns that easier conditions look like a better choice', () => {
  expect(paretoFigure(rowsOf([1])).caption).not.toContain('differ in')
  expect(paretoFigure(rowsOf([1, 2])).caption).toContain('They differ in load too: if that is a condition')
})
