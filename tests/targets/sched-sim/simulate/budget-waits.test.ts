import { expect, test } from 'vitest'
import { simulate } from '../../../../src/targets/sched-sim/simulate/simulation.ts'
import { record } from '../support/record.ts'
import { settingsWith } from '../support/settings.ts'

const tier = { rate_per_s: null, burst: 1, failure: 0, timeout_ms: null, retries: 0, speed: 1 }
const step = { after: [], for_each: ['pdfs' as const], size: 0, service_ms: 100, critical: true, decides: false }
const twoTiers = (budget_per_workflow: number, spill: boolean) =>
  settingsWith(
    { workflows: 1, pdfs: 4, policy: 'dag_escalation', spill },
    {
      steps: { ask: { ...step, on: 'provider' } },
      providers: {
        provider: {
          tiers: [
            { ...tier, slots: 1, price: 0.01 },
            // Faster, so that it is worth its price from the start.
            { ...tier, slots: 3, price: 0.05, speed: 2 },
          ],
        },
      },
      heavy_tail: { probability: 0, multiplier: 1 },
      budget_per_workflow,
    },
  )

const startsOf = (budget: number, spill: boolean) =>
  record(twoTiers(budget, spill)).started.map(({ at, attempt }) => [at, attempt.tier.index])

test.each([true, false])('a step that can’t pay an expensive tier waits for the cheap one (spill: %s)', spill => {
  expect(startsOf(1, spill)).toEqual([
    [0, 0],
    [0, 1],
    [0, 1],
    [0, 1],
  ])
  expect(startsOf(0.08, spill)).toEqual([
    [0, 0],
    [0, 1],
    [100, 0],
    [200, 0],
  ])
})

test('a workflow that can’t pay even the cheap tier ends there, with its spend', () => {
  const [workflow] = simulate(twoTiers(0.025, false)).workflows
  expect(workflow).toMatchObject({ status: 'out_of_budget', endedAt: 200 })
  expect(workflow?.totals.cost).toBeCloseTo(0.02, 12)
})

test('without routing there is no budget', () => {
  const settings = { ...twoTiers(0.025, true), enable_model_routing: false }
  expect(simulate(settings).workflows[0]?.status).toBe('completed')
})

test('a step may fail more often than a byte can count', () => {
  const settings = twoTiers(100, false)
  const failing = { ...tier, slots: 1, price: 0, failure: 1, retries: 300 }
  const model = { ...settings.model, providers: { provider: { tiers: [failing] } } }
  const [workflow] = simulate({ ...settings, pdfs: 1, model }).workflows
  expect(workflow).toMatchObject({ status: 'failed', totals: { retries: 300, failures: 301 } })
})
