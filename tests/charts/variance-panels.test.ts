import { expect, it } from 'vitest'
import { cutLine } from '../../src/charts/drawing/cut-line.ts'
import { type VarianceCurve, variancePanels } from '../../src/charts/enough-runs.ts'
import { chartDocument } from '../../src/report/pictures/write-picture.ts'

const curve = (label: string, cvs: readonly (number | null)[], more: Partial<VarianceCurve> = {}): VarianceCurve => ({
  label,
  points: cvs.map((cv, at) => ({
    n: at + 1,
    cv,
    interval: cv === null ? null : { low: cv / 2, high: cv * (1 + 4 / (at + 1)) },
  })),
  enough: null,
  ...more,
})

const draw = (auc: VarianceCurve, slope = curve('Derivative', [null, 0.03, 0.03, 0.03])) =>
  variancePanels({ metric: 'm', threshold: 0.05, auc, slope, band: '95% CI' }, { document: chartDocument() })

const settled = [0.31, 0.3, 0.29, 0.3, 0.28, 0.27, 0.28, 0.27]

/** The largest number on a vertical axis of percents. */
const largestTick = (svg: string): number =>
  Math.max(...[...svg.matchAll(/>([\d,.]+)<\/text>/g)].map(([, text = '']) => Number(text.replace(',', ''))))

it('the value of two runs does not set the scale, and is noted below the chart', () => {
  const svg = draw(curve('AUC', [null, 9.98, 0.5, ...settled]))
  expect(largestTick(svg)).toBeLessThan(100)
  expect(svg).toContain('Above the frame: 998% at N = 2')
  expect(draw(curve('AUC', [null, 0.45, 0.35, ...settled]))).not.toContain('Above the frame')
})

it('promises no number of runs if there is none', () => {
  expect(draw(curve('AUC', [null, ...settled]))).not.toContain('shown to be under it')
  expect(draw(curve('AUC', [null, ...settled]))).toContain('AUC: not shown to be under 5% within these 9 runs.')
  const shown = draw(curve('AUC', [null, 0.03, 0.02, 0.02, 0.02], { enough: 4 }))
  expect(shown).toContain('shown to be under it')
  expect(shown).toContain('the upper bound is under 5% from N = 4 on')
})

it('says where a value is undefined, and why', () => {
  expect(draw(curve('AUC', [null, 0.3, null, ...settled]))).toContain('Not defined at N = 1 and 3.')
  expect(draw(curve('AUC', [null, ...settled], { reason: 'its mean may be 0' }))).toContain('AUC: its mean may be 0.')
})

it('clips a line at the frame', () => {
  const line = [10, 2, 1, Number.NaN, 3, 6].map((cv, at) => ({ x: at + 1, cv }))
  expect(cutLine(line, 4)).toEqual([
    { x: 1, y: Number.NaN },
    { x: 1.75, y: 4 },
    { x: 2, y: 2 },
    { x: 3, y: 1 },
    { x: 4, y: Number.NaN },
    { x: 5, y: 3 },
    { x: 5 + 1 / 3, y: 4 },
    { x: 6, y: Number.NaN },
  ])
})
