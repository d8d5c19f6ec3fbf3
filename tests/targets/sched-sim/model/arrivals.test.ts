import { join } from 'node:path'
import { expect, test } from 'vitest'
import { arrivalTimes, parseArrivals } from '../../../../src/targets/sched-sim/model/arrivals.ts'
import { simulate } from '../../../../src/targets/sched-sim/simulate/simulation.ts'
import { errorOf } from '../../../define/example.ts'
import { folderWith } from '../../../support/assay.ts'
import { settingsWith } from '../support/settings.ts'

test('all at once: all at 0', () => {
  expect([...arrivalTimes('all_at_once', 3, 1n)]).toEqual([0, 0, 0])
})

test('Poisson: independent exponential gaps with the given mean', () => {
  const times = arrivalTimes({ poisson_per_s: 4 }, 40_000, 1n)
  const gaps = [...times].map((time, index) => time - (times[index - 1] ?? 0))
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length
  const neighbours = gaps.slice(1).reduce((sum, gap, index) => sum + (gap - mean) * ((gaps[index] ?? 0) - mean), 0)
  expect(Math.abs(mean / 250 - 1)).toBeLessThan(0.02)
  expect(Math.abs(Math.sqrt(variance) / mean - 1)).toBeLessThan(0.03)
  expect(Math.abs(neighbours / gaps.length / variance)).toBeLessThan(0.02)
  expect(gaps.every(gap => gap > 0)).toBe(true)
})

test('more workflows arrive after the same first ones', () => {
  const few = arrivalTimes({ poisson_per_s: 1 }, 5, 3n)
  expect(arrivalTimes({ poisson_per_s: 1 }, 9, 3n).slice(0, 5)).toEqual(few)
})

test('a trace is sorted by time', () => {
  const folder = folderWith({ 'when.csv': 'user,arrival_ms\nx,500\ny,20.5\nz,9000\n' })
  const arrivals = { trace: join(folder, 'when.csv') }
  expect([...arrivalTimes(arrivals, 2, 1n)]).toEqual([20.5, 500])
  const { workflows } = simulate(settingsWith({ workflows: 3, arrivals: `trace:${arrivals.trace}` }))
  expect(workflows.map(({ submittedAt }) => submittedAt).sort((a, b) => a - b)).toEqual([20.5, 500, 9000])
  for (const { submittedAt, startedAt } of workflows) expect(startedAt).toBeGreaterThanOrEqual(submittedAt)
})

test('a trace that is too short is reported with its length', () => {
  const file = join(folderWith({ 'when.csv': 'arrival_ms\n1\n2\n' }), 'when.csv')
  const error = errorOf(() => settingsWith({ workflows: 3, arrivals: `trace:${file}` }))
  expect(error.message).toContain('has 2 arrivals, and 3 workflows are wanted')
  expect(error.hint).toBe('ask for at most 2 workflows')
})

test.each(['poisson:-1', 'poisson:0', 'poisson:', 'poisson:fast', 'later', 'trace:'])('%s is refused', text => {
  expect(errorOf(() => parseArrivals(text)).message).toContain(`got "${text}"`)
})
