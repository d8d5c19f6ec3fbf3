import { expect, it } from 'vitest'
import { estimatesChart } from '../../src/charts/estimates.ts'
import { chartDocument } from '../../src/report/pictures/write-picture.ts'

const row = (label: string, isBaseline: boolean) => ({ label, value: label.length, n: 3, isBaseline })
const drawn = (rows: readonly ReturnType<typeof row>[]) =>
  estimatesChart({ metric: 'm', rows }, { document: chartDocument() })

it('marks the baseline and draws its line', () => {
  const svg = drawn([row('a', true), row('bcd', false)])
  expect(svg).toContain('a (baseline)')
  expect(svg).toContain('stroke-dasharray="2 3"')
})

it('marks no baseline if several rows have its level', () => {
  const svg = drawn([row('a', true), row('bc', true), row('def', false)])
  expect(svg).not.toContain('(baseline)')
  expect(svg).not.toContain('stroke-dasharray="2 3"')
})
