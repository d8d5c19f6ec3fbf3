import { expect, it } from 'vitest'
import { bestLines } from '../../../src/cli/sweep/best-view.ts'
import { fakeIo } from '../fake-io.ts'

it('marks an uncertain importance as uncertain', () => {
  const result = { count: 1, mean: 0.5, ci: null, reason: null } as never
  const winner = { number: 1, params: { x: 1 }, varied: { x: 1 }, runs: ['r'], units: 1, result }
  const ranked = {
    ...{ metric: 'loss', goal: 'minimize' as const, unit: 'run', varying: ['x'], isBestReported: false },
    ...{ tried: 1, runs: 1, incomplete: 0, compared: 1, best: [winner] },
    tied: 0,
  } as const
  const importances = [
    { parameter: 'x', share: 0.75, deviation: 0.34 },
    { parameter: 'kind', share: 0.41, deviation: 0.46 },
  ]
  const found = { id: '1', name: 'e', dir: 'd', ranked, importances, objectives: [], front: [], next: [] }
  const lines = bestLines(found, null, fakeIo('')).map(line => line.trimEnd())
  expect(lines.at(-2)).toMatch(/^x +75% ± 34%$/)
  expect(lines.at(-1)).toMatch(/^kind +41% ± 46% \(not resolved\)$/)
})
