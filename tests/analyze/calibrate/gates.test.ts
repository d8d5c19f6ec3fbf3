import { expect, it } from 'vitest'
import { gateErrors } from '../../../src/analyze/calibrate/calibrate.ts'

const passedBy = (data: string, n: number) => {
  const found = [...gateErrors({ seed: 5, trials: 300, resamples: 99 }, [n], name => name === data)]
  return (gate: 'better' | 'not-worse', goal: 'maximize' | 'minimize') =>
    found.find(one => one.gate === gate && one.goal === goal)?.passed ?? Number.NaN
}

it.each(['normal, paired', 'normal, unequal groups', 'tasks × rollouts, paired', 'n tasks × 5 seeds, crossed'])(
  'gates keep their level: %s',
  data => {
    const passed = passedBy(data, 8)
    for (const goal of ['maximize', 'minimize'] as const) {
      // Three standard errors above 2.5% and 5%.
      expect(passed('better', goal)).toBeLessThan(0.052)
      expect(passed('not-worse', goal)).toBeLessThan(0.088)
    }
  },
)

it('differences with one long tail pass the gate against the tail too often, and the other gate hardly ever', () => {
  const passed = passedBy('skewed differences, paired', 6)
  expect(passed('not-worse', 'minimize')).toBeGreaterThan(0.12)
  expect(passed('not-worse', 'maximize')).toBeLessThan(0.05)
})

it('tasks of several runs, a few of which break, pass hardly more often than they should', () => {
  const passed = passedBy('n tasks × 5 runs solved in 95%, a few of which break: a loss of 10 points', 12)
  expect(passed('not-worse', 'maximize')).toBeLessThan(0.01)
  expect(passed('better', 'maximize')).toBeLessThan(0.052)
})

it.each([
  ['normal, paired', 3],
  ['normal, two groups', 4],
  ['costs with one long tail, n candidates against 10 n controls', 5],
  ['grades from 1 to 5, most of them alike, paired', 4],
  ['grades from 1 to 5, most of them alike, paired', 12],
  ['n tasks × 5 seeds, crossed, 20% of cells missing', 6],
  ['n tasks × 5 seeds, crossed, 50% of cells missing', 12],
] as const)('gates keep their level with little data: %s, n = %i', (data, n) => {
  const passed = passedBy(data, n)
  for (const goal of ['maximize', 'minimize'] as const) {
    expect(passed('better', goal)).toBeLessThan(0.052)
    expect(passed('not-worse', goal)).toBeLessThan(0.088)
  }
})
