import { expect, it } from 'vitest'
import { timeLeft } from '../../../src/engine/status/experiment-status.ts'

const left = (work: Partial<Parameters<typeof timeLeft>[0]>) =>
  timeLeft({ typicalMs: 1000, waiting: 0, running: [], lanes: 2, ...work }, 10_000)

it('is the pending work shared among slots, plus the rest of running runs', () => {
  expect(left({ waiting: 4 })).toBe(2000)
  expect(left({ waiting: 3, running: [9500, 9000] })).toBe(1750)
  expect(left({ running: [9900] })).toBe(900)
  expect(left({ running: [1000] })).toBe(0)
  expect(left({})).toBeNull()
})
