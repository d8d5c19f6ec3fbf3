import { expect, test } from 'vitest'
import { policies } from '../../../../src/targets/sched-sim/settings.ts'
import { record } from '../support/record.ts'
import { settingsWith } from '../support/settings.ts'

/** How long each attempt takes if nothing cuts it off, by workflow, iteration, node and number. */
const durations = (params: Parameters<typeof settingsWith>[0]) => {
  const settings = settingsWith({ workflows: 12, pdfs: 3, ...params })
  const providers = Object.fromEntries(
    Object.entries(settings.model.providers).map(([name, { tiers }]) => [
      name,
      { tiers: tiers.map(tier => ({ ...tier, timeout_ms: null })) },
    ]),
  )
  const { started } = record({ ...settings, model: { ...settings.model, providers } })
  return new Map(started.map(({ key, attempt }) => [`${key}/${attempt.number}`, attempt.durationMs]))
}

const expectSame = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>, least: number) => {
  const common = [...one.keys()].filter(key => other.has(key))
  expect(common.length).toBeGreaterThanOrEqual(least)
  for (const key of common) expect(other.get(key)).toBe(one.get(key))
}

test('the same attempt takes the same time under every policy', () => {
  const [first, ...others] = policies.map(policy => durations({ policy }))
  for (const other of others) expectSame(first as Map<string, number>, other, 12 * 36)
})

test('more workflows don’t change the first ones', () => {
  expectSame(durations({ workflows: 4 }), durations({ workflows: 12 }), 4 * 36)
})

test('another probability of a heavy tail changes only the affected attempts', () => {
  const without = durations({ heavy_tail_prob: 0 })
  const rare = durations({ heavy_tail_prob: 0.02 })
  const common = [...without.keys()].filter(key => rare.has(key))
  const moved = common.filter(key => rare.get(key) !== without.get(key))
  for (const key of moved) expect(rare.get(key)).toBeCloseTo(50 * (without.get(key) ?? 0), 6)
  expect(moved.length / common.length).toBeGreaterThan(0.005)
  expect(moved.length / common.length).toBeLessThan(0.05)
})

test('another seed gives other times', () => {
  const one = durations({ seed: 1 })
  const other = durations({ seed: 2 })
  const equal = [...one].filter(([key, value]) => other.get(key) === value)
  // Searches take exactly 120 ms in every run.
  expect(equal.every(([, value]) => value === 120 || value === 6000)).toBe(true)
})
