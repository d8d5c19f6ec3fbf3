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

it('differences with one long tail pass the gate against it too often, and the other one hardly ever', () => {
  const passed = passedBy('skewed differences, paired', 6)
  expect(passed('not-worse', 'minimize')).toBeGreaterThan(0.12)
  expect(passed('not-worse', 'maximize')).toBeLessThan(0.05)
})
