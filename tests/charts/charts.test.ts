import { globSync, readFileSync } from 'node:fs'
import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { qqPlot } from '../../src/charts/shapes.ts'
import { chartDocument } from '../../src/report/pictures/write-picture.ts'
import { everyChart, oddCharts, openIntervals } from './every-chart.ts'
import { type TextBox, textBoxes } from './svg-boxes.ts'

const document = chartDocument()
const parsed = (svg: string) => parseHTML(`<html><body>${svg}</body></html>`).document.querySelector('svg')

describe.each(Object.entries(everyChart))('%s', (name, draw) => {
  it('matches its golden file', async () => {
    await expect(draw({ document })).toMatchFileSnapshot(`__golden__/${name}.svg`)
  })

  it('is the same in another document, and after other charts', () => {
    expect(draw({ document: chartDocument() })).toBe(draw({ document }))
  })

  it('describes itself in words', () => {
    const svg = parsed(draw({ document, title: 'What <we> & they found' }))
    expect(svg?.getAttribute('role')).toBe('img')
    expect(svg?.querySelector('title')?.textContent).toBe('What <we> & they found')
    expect(svg?.querySelector('desc')?.textContent?.length).toBeGreaterThan(20)
  })

  it('is independent of its page', () => {
    const svg = draw({ document })
    expect(svg).not.toMatch(/<style|\sid="|url\(|var\(|class="|href/)
    expect(svg).not.toMatch(/NaN|undefined|null|Infinity/)
  })

  it.each([480, 640, 960])('has no overlapping or clipped text at a width of %i', width => {
    const svg = draw({ document, width })
    const boxes = textBoxes(parsed(svg) as never)
    expect(boxes.length).toBeGreaterThan(5)
    expect(overlapping(boxes)).toEqual([])
    expect(boxes.filter(box => box.left < 0 || box.right > width + 1).map(box => box.text)).toEqual([])
  })
})

it.each(Object.entries({ ...oddCharts, ...openIntervals }))('%s is a picture', (_, draw) => {
  const svg = draw({ document })
  expect(svg).toMatch(/^<svg .*<\/svg>\n$/s)
  expect(svg).not.toMatch(/NaN|undefined|Infinity/)
})

/** The message of each chart without data. */
const nothing: Readonly<Record<string, string>> = {
  'variance-panels': 'AUC: nothing to draw.',
  'learning-curves': 'No arm has a point to draw.',
  radial: 'There is no ratio to draw.',
  'bootstrap-distribution': 'There are no resampled differences to draw.',
  'q-q': 'There are no values to draw.',
  'q-q-two-samples': 'There are no values to draw.',
  estimates: 'There is no estimate to draw.',
  differences: 'There is no difference to draw.',
  'power-curve': 'There is no power to draw.',
  pareto: 'No variant has both a cost and a score.',
  bars: 'There is no value to draw.',
  ratios: 'There is no value to draw.',
  distributions: 'No run has a value to draw.',
  'search-history': 'No variant that was tried has a value.',
  slices: 'There are no parameters that vary, or no variant has a value.',
  'parallel-coordinates': 'There are no parameters that vary, or no variant has a value.',
}

it.each(Object.entries(oddCharts).filter(([name]) => /0 ×|nothing|nan/.test(name)))(
  '%s reports missing data',
  (name, draw) => {
    const words = nothing[name.split(',')[0] ?? ''] ?? expect.unreachable(name)
    const texts = [...(parsed(draw({ document }))?.querySelectorAll('text') ?? [])].map(text => text.textContent)
    expect(texts).toContainEqual(expect.stringMatching(new RegExp(`^${words}`)))
  },
)

it.each(['estimates', 'differences'])('%s are above their full-width plots on a phone', async name => {
  const draw = everyChart[name] ?? expect.unreachable(name)
  const svg = draw({ document, width: 360 })
  await expect(svg).toMatchFileSnapshot(`__golden__/${name}-phone.svg`)
  const boxes = textBoxes(parsed(svg) as never)
  expect(overlapping(boxes)).toEqual([])
  expect(boxes.filter(box => box.left < 0 || box.right > 361).map(box => box.text)).toEqual([])
})

it('thins a hundred thousand values to distinguishable points, including the outermost', () => {
  const values = Array.from({ length: 100_000 }, (_, at) => Math.tan((at - 50_000) / 32_000))
  const dots = [
    ...(parsed(qqPlot({ metric: 'score', sample: { label: 'all', values } }, { document }))?.querySelectorAll(
      'circle',
    ) ?? []),
  ]
  expect(dots.length).toBe(600)
  const outermost = (kept: readonly number[]) =>
    parsed(qqPlot({ metric: 'score', sample: { label: 'all', values: kept } }, { document }))
  const heights = (svg: ReturnType<typeof parsed>) =>
    [...(svg?.querySelectorAll('circle') ?? [])].map(dot => Number(dot.getAttribute('cy')))
  expect(Math.max(...dots.map(dot => Number(dot.getAttribute('cy'))))).toBeCloseTo(
    Math.max(...heights(outermost(values.slice(0, 300).concat(values.slice(-300))))),
    0,
  )
})

it('uses neither Node nor a global document', () => {
  for (const file of globSync('src/charts/**/*.ts'))
    expect(readFileSync(file, 'utf8'), file).not.toMatch(/from 'node:|from 'linkedom|globalThis|window\./)
})

function overlapping(boxes: readonly TextBox[]): string[] {
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter(b => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom)
      .map(b => `${a.text} / ${b.text}`),
  )
}
