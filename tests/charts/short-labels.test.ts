import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { shortLabels } from '../../src/charts/drawing/short-labels.ts'
import { textWidth } from '../../src/charts/drawing/text-width.ts'
import { differencesChart } from '../../src/charts/estimates.ts'
import { chartDocument } from '../../src/report/pictures/write-picture.ts'
import { textBoxes } from './svg-boxes.ts'

const long = 'strategy_of_the_retrieval_augmented_reasoning_about_the_configuration'
const short = (labels: readonly string[], room = 260) => shortLabels(labels, 12, room)

describe('short names', () => {
  it('are whole if all fit', () => {
    expect(short(['model=large', 'model=small'])).toEqual(['model=large', 'model=small'])
  })

  it('omit the factor if there is only one', () => {
    expect(short([`${long}=v1`, `${long}=v2`])).toEqual(['v1', 'v2'])
    expect(short([`${long}: v2 − v1`, `${long}: short − v1`])).toEqual(['v2 − v1', 'short − v1'])
  })

  it('keep fitting names whole beside longer ones', () => {
    expect(short([`${long}: large − small`, 'scenario.turns: 4 − 2'])[1]).toBe('scenario.turns: 4 − 2')
  })

  it('cut each part separately, so that short ones stay whole', () => {
    const [first = '', second = ''] = short([`${long}=v1, seed=3`, `${long}=v2, seed=3`])
    expect(first).toMatch(/^strat.*….*tion=v1, seed=3$/)
    expect(second).toMatch(/^strat.*….*tion=v2, seed=3$/)
  })

  it.each([
    [[`${long}_v1`, `${long}_v2`, `${long}_short`]],
    [[`x${long}_a_${long}`, `x${long}_b_${long}`]],
    [[`a=${long}_1_${long}, b=1`, `a=${long}_2_${long}, b=1`]],
  ])('are distinct and fit: %s', labels => {
    for (const room of [90, 160, 260]) {
      const texts = short(labels, room)
      expect(new Set(texts).size, texts.join(' | ')).toBe(labels.length)
      for (const text of texts) expect(textWidth(text, 12), text).toBeLessThanOrEqual(room)
    }
  })

  it('keep equal names equal', () => {
    expect(new Set(short([`${long}${long}`, `${long}${long}`])).size).toBe(1)
  })
})

const options = (width: number) => ({ document: chartDocument(), width })

it('a chart of long names has a distinct name for every row', () => {
  const row = (level: string) => ({ label: `${long}: ${long}_${level} − ${long}_v1`, value: 1, n: 3 })
  const svg = differencesChart({ metric: 'm', baseline: 'b', rows: [row('v2'), row('short')] }, options(640))
  const names = [...svg.matchAll(/<text[^>]*>([^<]*)<title>/g)].map(match => match[1])
  expect(new Set(names).size).toBe(2)
  expect(names[0]).toContain('v2')
  expect(names[1]).toContain('short')
})

it('an axis keeps a long name inside a small chart', () => {
  const rows = [{ label: `${long}_v2`, value: 31_000, n: 12, interval: { low: 29_280, high: 32_930 } }]
  const svg = differencesChart({ metric: `${long}_ms`, unit: 'ms', baseline: 'b', rows }, options(420))
  const boxes = textBoxes(parseHTML(`<html><body>${svg}</body></html>`).document.querySelector('svg') as never)
  expect(boxes.filter(box => box.left < 0 || box.right > 421).map(box => box.text)).toEqual([])
})
