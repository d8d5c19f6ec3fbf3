import { expect, it } from 'vitest'
import { ratiosChart } from '../../src/charts/estimates.ts'
import { chartDocument } from '../../src/report/pictures/write-picture.ts'

const document = chartDocument()
const interval = (low: number, high: number) => ({ low, high })
const draw = (own: { readonly low: number; readonly high: number }) =>
  ratiosChart(
    {
      metric: 'p95',
      baseline: 'full',
      intervalLabel: '95% CI',
      ratios: [
        { label: 'a', value: 1.5, interval: own },
        { label: 'b', value: 0.9, interval: interval(0.8, 1.1) },
      ],
    },
    { document },
  )

const cap = /d="M0,-4L0,4"/g
const arrow = /d="M(-?6),-4L0,0L\1,4"/g
const found = (svg: string) => ({ caps: svg.match(cap)?.length ?? 0, arrows: svg.match(arrow)?.length ?? 0 })

it('an interval has a cap at each end', () => {
  expect(found(draw(interval(1.2, 1.8)))).toEqual({ caps: 4, arrows: 0 })
})

it('has an arrow out of the frame for a missing end', () => {
  expect(found(draw(interval(1.2, Number.POSITIVE_INFINITY)))).toEqual({ caps: 3, arrows: 1 })
})

it('has no line without ends, and gives the reason', () => {
  const svg = draw(interval(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY))
  expect(found(svg)).toEqual({ caps: 2, arrows: 0 })
  expect(svg).toContain('1.50, no bounds')
  expect(svg).toContain('a: 1.5, which nothing bounds')
})
