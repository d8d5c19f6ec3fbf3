import { expect, test } from 'vitest'
import { record } from '../support/record.ts'
import { settingsWith } from '../support/settings.ts'

const original = record(settingsWith({ workflows: 30, original_rules: true }))
const ours = record(settingsWith({ workflows: 30 }))

test('under the original rules stragglers never time out, under assay’s they do', () => {
  const longest = (recording: typeof ours) => Math.max(...recording.started.map(({ attempt }) => attempt.durationMs))
  expect(longest(original)).toBeGreaterThan(30_000)
  expect(original.ended.filter(({ ending }) => ending === 'timeout')).toEqual([])
  expect(ours.ended.filter(({ ending }) => ending === 'timeout').length).toBeGreaterThan(0)
  const provided = ours.started.filter(({ attempt }) => !attempt.tier.isLocal)
  expect(Math.max(...provided.map(({ attempt }) => attempt.durationMs))).toBe(30_000)
})

test('under the original rules the losers of hedges are free', () => {
  const wasted = ({ ended, result }: typeof ours) => {
    const failed = ended.filter(({ ending }) => ending === 'failed' || ending === 'timeout')
    const wastedCost = result.workflows.reduce((sum, { totals }) => sum + totals.wasted_cost, 0)
    return wastedCost - failed.reduce((sum, { attempt }) => sum + attempt.price, 0)
  }
  expect(original.ended.some(({ ending }) => ending === 'cancelled')).toBe(true)
  expect(wasted(original)).toBeCloseTo(0, 9)
  expect(wasted(ours)).toBeGreaterThan(0.01)
})

test('under the original rules every policy uses the expensive LLM tier for most calls', () => {
  for (const policy of ['fifo_cheapest', 'dag_cheapest', 'dag_escalation', 'full']) {
    const { started } = record(settingsWith({ policy, workflows: 30, original_rules: true }))
    const llm = started.filter(({ attempt }) => attempt.tier.owner === 'llm_provider')
    const share = llm.filter(({ attempt }) => attempt.tier.index === 1).length / llm.length
    expect(share).toBeGreaterThan(0.55)
    expect(share).toBeLessThan(0.75)
  }
})

test('under the original rules escalation has no effect: dag_escalation equals dag_cheapest', () => {
  const starts = (policy: string) =>
    record(settingsWith({ policy, workflows: 30, original_rules: true })).started.map(({ at, key }) => [at, key])
  expect(starts('dag_escalation')).toEqual(starts('dag_cheapest'))
})

test('under the original rules a plan goes last although everything waits for it', () => {
  const plansBefore = (recording: typeof ours, ms: number) =>
    recording.started.filter(({ node, at }) => node === 0 && at < ms).length
  const order = (original_rules: boolean) =>
    record(settingsWith({ workflows: 30, policy: 'dag_cheapest', original_rules, spill: true }))
  expect(plansBefore(order(true), 20_000)).toBeLessThan(plansBefore(order(false), 20_000))
})

test('spill can be turned off again among the original rules', () => {
  const { model } = settingsWith({ original_rules: true, spill: false })
  expect(model.rules).toEqual({
    spill: false,
    timeout_sees_tail: false,
    charge_losers: false,
    gates_count: false,
    back_off: false,
  })
})
