import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { valueAxis } from '../../src/charts/drawing/axis.ts'
import { estimateTexts } from '../../src/charts/drawing/interval.ts'
import { fixed, readable } from '../../src/charts/drawing/numbers.ts'
import { baselineLabel } from '../../src/charts/drawing/short-labels.ts'
import { estimatesChart } from '../../src/charts/estimates.ts'
import { learningCurves } from '../../src/charts/learning-curves.ts'
import { paretoChart } from '../../src/charts/pareto.ts'
import { parallelCoordinates } from '../../src/charts/search.ts'
import { searchSlices } from '../../src/charts/search-slices.ts'
import { bootstrapDistribution } from '../../src/charts/shapes.ts'
import { chartDocument } from '../../src/report/pictures/write-picture.ts'
import { plainNumber } from '../../src/util/words.ts'
import { textBoxes } from './svg-boxes.ts'

const options = { document: chartDocument() }
/** The labels of the x axis. */
const texts = (svg: string): readonly string[] =>
  [...svg.replaceAll(/<title>[^<]*<\/title>/g, '').matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text)

describe('an axis', () => {
  it('has at least two ticks, however narrow it is', () => {
    expect(valueAxis('x', [0.33, 0.61], 2).ticks.length).toBeGreaterThan(1)
    expect(valueAxis('x', [0.22, 0.79], 2).ticks.length).toBeGreaterThan(1)
  })

  it('writes small costs as decimals', () => {
    const points = [0.0002, 0.0006].map((cost, at) => ({ label: `v${at}`, cost, score: at }))
    const svg = paretoChart(
      { cost: { label: 'cost', unit: 'USD' }, score: { label: 'score', goal: 'maximize' }, points },
      options,
    )
    expect(texts(svg)).toEqual(expect.arrayContaining(['0.00020', '0.00060']))
    expect(svg).not.toContain('e−4')
  })
})

describe('bootstrap distributions', () => {
  const resampled = Array.from({ length: 500 }, (_, at) => Math.sin(at))
  const drawn = (shift: number) =>
    bootstrapDistribution(
      { metric: 'm', label: 'b − a', resampled: resampled.map(value => value + shift), estimate: shift },
      options,
    )

  it('include 0 if it is near', () => {
    expect(drawn(3)).toContain('no difference (0)')
  })

  it('omit a distant 0, and say where it is', () => {
    expect(drawn(60)).not.toContain('no difference (0)')
    expect(drawn(60)).toContain('No difference (0) is far outside, to the left.')
    expect(texts(drawn(60))).toContain('60.0')
  })
})

describe('curves', () => {
  const curve = (means: readonly number[], more: object = {}) => ({
    label: 'a',
    n: 2,
    points: means.map((mean, step) => ({ step, mean })),
    ...more,
  })
  const ticks = (svg: string) => texts(svg).filter(text => /^\d+(\.\d+)?$/.test(text))

  it('have ticks at whole steps', () => {
    expect(ticks(learningCurves({ metric: 'm', curves: [curve([100, 200, 300])] }, options))).not.toContain('0.5')
  })

  it('have ticks at whole steps too where runs reported at different ones, so that means lie between them', () => {
    const run = [0, 1, 2].map(step => ({ step, value: 100 * step }))
    const points = [0, 0.5, 1, 1.5, 2].map(step => ({ step, mean: 100 * step }))
    const svg = learningCurves({ metric: 'm', curves: [{ label: 'a', n: 2, points, runs: [run] }] }, options)
    expect(ticks(svg)).not.toContain('0.5')
  })

  it('support a billion steps', () => {
    const points = [0, 3e9].map((step, at) => ({ step, mean: 100 * at }))
    const svg = learningCurves({ metric: 'm', curves: [{ label: 'a', n: 2, points }] }, options)
    expect(texts(svg).some(text => text.endsWith('B'))).toBe(true)
  })

  it('extend to the longest run', () => {
    const run = [0, 1, 2, 3, 4, 5, 6].map(step => ({ step, value: 100 }))
    const svg = learningCurves({ metric: 'm', curves: [curve([100, 200], { runs: [run] })] }, options)
    expect(ticks(svg)).toContain('6')
  })

  it('of a single step are points', () => {
    const run = [{ step: 1, value: 3 }]
    const svg = learningCurves({ metric: 'm', curves: [curve([3], { runs: [run] })] }, options)
    expect(svg.match(/<circle /g)?.length).toBeGreaterThan(1)
  })

  it('show a band far wider than the curves in full', () => {
    const points = [3.5, 3.6].map((mean, step) => ({ step, mean, interval: { low: mean - 1, high: mean + 1 } }))
    const svg = learningCurves({ metric: 'm', curves: [{ label: 'a', n: 2, points }] }, options)
    expect(ticks(svg)).toContain('2.5')
  })
})

describe('numbers', () => {
  it('are rounded as in sentences', () => {
    for (const value of [0.1805, 0.4305, 1.005, 2.675]) {
      expect(fixed(value, 3).slice(0, 5)).toBe(value.toFixed(3))
      expect(Number(readable(value))).toBe(Number(plainNumber(value)))
    }
  })

  it('of a much more precise row keep their digits', () => {
    const row = (value: number, half: number) => ({ value, interval: { low: value - half, high: value + half } })
    expect(estimateTexts([row(364.8, 76), row(259.3, 43), row(8.16, 0.55)])).toEqual([
      '365 [289, 441]',
      '259 [216, 302]',
      '8.16 [7.61, 8.71]',
    ])
  })

  it('without intervals have three digits each', () => {
    expect(estimateTexts([0.97, 0.9784, 120].map(value => ({ value })))).toEqual(['0.970', '0.978', '120'])
    expect(estimateTexts([3, 12].map(value => ({ value })))).toEqual(['3', '12'])
  })
})

it('does not label a variant called baseline twice', () => {
  const rows = ['baseline', 'other'].map((label, at) => ({ label, value: at, n: 2, isBaseline: at === 0 }))
  expect(estimatesChart({ metric: 'm', rows }, options)).not.toContain('baseline (baseline)')
  expect(baselineLabel('plain')).toBe('plain (baseline)')
})

it('many hidden labels are counted, not listed', () => {
  const points = Array.from({ length: 9 }, (_, at) => ({ label: `variant-with-a-long-name-${at}`, cost: 1, score: 1 }))
  const svg = paretoChart({ cost: { label: 'cost' }, score: { label: 'score', goal: 'maximize' }, points }, options)
  expect(svg).toMatch(/\d labels are hidden to avoid overlap; the table has all\./)
})

it('parallel axes have round ticks, and the objective has those of the other charts', () => {
  const rows = [0.2, 1.3, 5.4].map((loss, at) => ({ label: `variant ${at}`, values: [-4.45 + 7.2 * at, loss] }))
  const axes = [
    { name: 'x', kind: 'number' as const, min: -4.45, max: 10, isLog: false },
    { name: 'loss', kind: 'number' as const, min: 0.2, max: 5.4, isLog: false },
  ]
  const shown = texts(parallelCoordinates({ goal: 'minimize', axes, rows }, options))
  expect(shown).toEqual(expect.arrayContaining(['0', '5', '10', '0.5', '2']))
  expect(shown).not.toContain('−0.838')
})

it('names of parallel axes do not touch each other on a telephone', () => {
  const names = ['model.width', 'optimizer.lr', 'optimizer.name', 'use-bias', 'score']
  const axes = names.map(name => ({ name, kind: 'number' as const, min: 0, max: 1, isLog: false }))
  const rows = [0.2, 0.8].map((at, index) => ({ label: `variant ${index}`, values: names.map(() => at) }))
  const svg = parallelCoordinates({ goal: 'maximize', axes, rows }, { ...options, width: 350 })
  const boxes = textBoxes(parseHTML(`<html><body>${svg}</body></html>`).document.querySelector('svg') as never)
  const titles = names.map(name => boxes.find(({ text }) => text === name))
  expect(titles.map(box => box?.text)).toEqual(names)
  for (const [at, one] of titles.entries())
    for (const other of titles.slice(at + 1))
      expect(
        (one?.right ?? 0) < (other?.left ?? 0) || (one?.bottom ?? 0) !== (other?.bottom ?? 0),
        `${one?.text} and ${other?.text}`,
      ).toBe(true)
})

it('on a phone, names and numbers are above the full-width plot', () => {
  const rows = ['a strategy with a name that is long', 'b'].map((label, at) => ({
    ...{ label, value: 10 * at, n: 5 },
    interval: { low: 10 * at - 4, high: 10 * at + 4 },
  }))
  const svg = estimatesChart({ metric: 'm', rows }, { ...options, width: 390 })
  const boxes = textBoxes(parseHTML(`<html><body>${svg}</body></html>`).document.querySelector('svg') as never)
  const boxOf = (start: string) => boxes.find(({ text }) => text.startsWith(start))
  const dots = [...svg.matchAll(/<path[^>]* transform="translate\(([\d.]+),([\d.]+)\)"/g)]
  const [xs, ys] = [1, 2].map(at => dots.map(dot => Number(dot[at])))
  expect(boxOf('a strategy')?.left).toBeLessThan(20)
  expect(boxOf('b')?.left).toBeLessThan(20)
  const between = (boxOf('b')?.bottom ?? 0) - (boxOf('a strategy')?.bottom ?? 0)
  expect(ys?.some(y => ys.some(other => Math.abs(other - y - between) < 1))).toBe(true)
  expect(Math.max(...(xs ?? [])) - Math.min(...(xs ?? []))).toBeGreaterThan(200)
  expect(boxOf('0 [')?.bottom ?? boxOf('0.0 [')?.bottom).toBe(boxOf('a strategy')?.bottom)
})

it('pictures of a search mark the same best variant, also among equals', () => {
  const axes = [
    { name: 'rate', kind: 'number' as const, min: 0, max: 1, isLog: false },
    { name: 'score', kind: 'number' as const, min: 0, max: 1, isLog: false },
  ]
  const rows = [0.1, 0.5, 0.9].map((rate, at) => ({ label: `variant ${at + 1}`, values: [rate, rate > 0.3 ? 1 : 0] }))
  const legends = (best?: string) =>
    [parallelCoordinates, searchSlices].map(
      draw => /best: (variant \d)/.exec(draw({ goal: 'maximize', axes, rows, ...(best && { best }) }, options))?.[1],
    )
  expect(legends()).toEqual(['variant 2', 'variant 2'])
  expect(legends('variant 3')).toEqual(['variant 3', 'variant 3'])
})
