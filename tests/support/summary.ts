import { expect } from 'vitest'
import { outcomeKinds } from '../../src/define/outcome.ts'

const states = [...outcomeKinds, 'quarantined', 'stale', 'running', 'pending']

/** Every planned run is in exactly one state. */
export function expectAddsUp(summary: Record<string, unknown>): void {
  const sum = states.reduce((total, state) => total + Number(summary[state]), 0)
  expect(sum, JSON.stringify(summary)).toBe(summary.planned)
}
