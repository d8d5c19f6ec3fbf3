import { expect, it } from 'vitest'
import { numberOf, numbersOf } from '../../web/runs/run-numbers.ts'
import { aRun } from '../analyze/evidence.ts'

it('has a cost once, even if a metric has its name', () => {
  const runs = [aRun({ metrics: { cost_usd: 0.02, score: 1 }, cost_usd: 0.02 }), aRun({ cost_usd: 0.01 })]
  expect(numbersOf(runs).filter(name => name === 'cost_usd')).toHaveLength(1)
  expect(numbersOf(runs, ['cost_usd', 'score']).filter(name => name === 'cost_usd')).toHaveLength(1)
  expect(runs.map(run => numberOf(run, 'cost_usd'))).toEqual([0.02, 0.01])
})

it('has no cost if no run has one', () => {
  expect(numbersOf([aRun({ cost_usd: null, metrics: { score: 1 } })])).not.toContain('cost_usd')
})

it('prefers a metric to the booked cost, like every analysis', () => {
  expect(numberOf(aRun({ metrics: { wall_s: 3 }, wall_s: 7 }), 'wall_s')).toBe(3)
  expect(numberOf(aRun({ metrics: {} }), 'score')).toBe(null)
})
