import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partsOf } from '../../../../src/targets/sched-sim/settings.ts'
import { arbitrarySimulation, sameExamples } from '../support/arbitrary-simulation.ts'
import { chargeOf, grouped, type Recording, record } from '../support/record.ts'
import { settingsWith } from '../support/settings.ts'

const holds = (check: (recording: Recording) => void) =>
  fc.assert(
    fc.property(arbitrarySimulation, settings => check(record(settings))),
    { ...sameExamples, numRuns: 400 },
  )

test('only a running critical call is hedged, on another tier, within the limit per step', () => {
  holds(({ settings, result, started, ended }) => {
    const hedges = started.filter(({ attempt }) => attempt.isHedge)
    if (!partsOf(settings).hedging) expect(hedges).toEqual([])
    const endOf = new Map(ended.map(end => [end.attempt, end.at]))
    for (const { key, at, attempt, node } of hedges) {
      const twin = started.find(
        other => other.key === key && !other.attempt.isHedge && other.at <= at && (endOf.get(other.attempt) ?? 0) >= at,
      )
      expect(twin).toBeDefined()
      expect(twin?.attempt.tier).not.toBe(attempt.tier)
      expect(settings.model.steps[result.graph.steps[result.graph.stepOf[node] ?? 0] ?? '']?.critical).toBe(true)
    }
    for (const [, own] of grouped(hedges, ({ key }) => key))
      expect(own.length).toBeLessThanOrEqual(settings.model.hedging.max_per_step)
  })
})

test('every loser is cancelled the moment its twin succeeds, and charged for its usage', () => {
  holds(({ settings, result, ended }) => {
    const isRich = settings.model.budget_per_workflow === null || !settings.enable_model_routing
    const lost = new Map<number, { ms: number; cost: number }>()
    for (const [, own] of grouped(ended, ({ key }) => key)) {
      const won = own.find(({ ending }) => ending === 'ok')
      for (const end of own) {
        if (end === won) continue
        if (won !== undefined) expect(end.at).toBeLessThanOrEqual(won.at)
        if (won !== undefined && end.ending === 'cancelled' && isRich) expect(end.at).toBe(won.at)
        const { ms, cost } = lost.get(end.workflow) ?? { ms: 0, cost: 0 }
        lost.set(end.workflow, {
          ms: ms + end.at - end.attempt.startedAt,
          cost: cost + chargeOf(end, settings),
        })
      }
    }
    for (const { id, totals } of result.workflows) {
      expect(totals.wasted_ms).toBeCloseTo(lost.get(id)?.ms ?? 0, 5)
      expect(totals.wasted_cost).toBeCloseTo(lost.get(id)?.cost ?? 0, 8)
    }
  })
})

test('the default model hedges stragglers, and pays for losers', () => {
  const { result, ended, settings } = record(settingsWith({ workflows: 40 }))
  const cancelled = ended.filter(({ ending }) => ending === 'cancelled')
  expect(cancelled.length).toBeGreaterThan(20)
  for (const end of cancelled) expect(chargeOf(end, settings)).toBeGreaterThan(0)
  const sum = (part: 'hedges_launched' | 'hedges_won' | 'cancellations') =>
    result.workflows.reduce((all, { totals }) => all + totals[part], 0)
  expect(sum('hedges_won')).toBeGreaterThan(0)
  expect(sum('hedges_launched')).toBeGreaterThanOrEqual(sum('hedges_won'))
  expect(sum('cancellations')).toBe(cancelled.length)
})

test('a straggler is one and a half times as slow as the 95th percentile of calls like it', () => {
  const { ended, started, result, settings } = record(settingsWith({ workflows: 40 }))
  const { after_p95, min_samples } = settings.model.hedging
  for (const hedge of started.filter(({ attempt }) => attempt.isHedge)) {
    const twin = started.findLast(({ key, attempt, at }) => key === hedge.key && !attempt.isHedge && at <= hedge.at)
    if (twin === undefined) throw new Error('a hedge of nothing')
    const step = result.graph.stepOf[hedge.node]
    const known = ended
      .filter(
        ({ attempt, node, at, ending }) =>
          ending !== 'cancelled' &&
          result.graph.stepOf[node] === step &&
          attempt.tier === twin.attempt.tier &&
          at <= twin.at,
      )
      .map(({ attempt }) => attempt.durationMs)
      .slice(-settings.model.estimates.window)
      .sort((a, b) => a - b)
    expect(known.length).toBeGreaterThanOrEqual(min_samples)
    const limit = after_p95 * (known[Math.min(known.length - 1, Math.floor(0.95 * known.length))] ?? 0)
    expect(hedge.at - twin.at).toBeGreaterThanOrEqual(limit - 1e-6)
  }
})

test.each([1, 2, 3])('a step that fails and straggles again and again is hedged at most %i times', max_per_step => {
  const settings = settingsWith({ workflows: 30, pdfs: 2 })
  const tiers = settings.model.providers.llm_provider?.tiers.map(tier => ({
    ...tier,
    failure: 0.7,
    retries: 9,
    slots: 50,
  }))
  const { started } = record({
    ...settings,
    model: {
      ...settings.model,
      providers: { ...settings.model.providers, llm_provider: { tiers: tiers ?? [] } },
      hedging: { after_p95: 0.01, min_samples: 1, max_per_step },
    },
  })
  const hedges = grouped(
    started.filter(({ attempt }) => attempt.isHedge),
    ({ key }) => key,
  )
  expect(Math.max(...[...hedges.values()].map(own => own.length))).toBe(max_per_step)
})

test('a hedge is abandoned if its workflow needs the budget for a step', () => {
  const tier = { rate_per_s: null, burst: 1, failure: 0, timeout_ms: null, retries: 0 }
  const tiers = [
    { ...tier, slots: 2, price: 0.01, speed: 1 },
    { ...tier, slots: 2, price: 0.05, speed: 0.1 },
  ]
  const step = { on: 'llm', after: [], for_each: ['pdfs' as const], size: 0, service_ms: 10, decides: false }
  const { result, ended } = record(
    settingsWith(
      { workflows: 1, pdfs: 12, seed: 14, disable_escalation: true },
      {
        steps: { ask: { ...step, critical: true } },
        providers: { llm: { tiers } },
        heavy_tail: { probability: 0.1, multiplier: 100 },
        hedging: { after_p95: 1.5, min_samples: 1, max_per_step: 1 },
        budget_per_workflow: 0.13,
      },
    ),
  )
  const hedge = ended.find(({ attempt }) => attempt.isHedge)
  expect(hedge).toMatchObject({ ending: 'cancelled', at: 50, attempt: { startedAt: 35 } })
  expect(ended.find(({ key, ending }) => key === hedge?.key && ending === 'ok')?.at).toBeGreaterThan(50)
  expect(result.workflows[0]).toMatchObject({ status: 'completed' })
  // Twelve calls, and the part of the hedge that was used: 15 of its 100 ms.
  expect(result.workflows[0]?.totals.cost).toBeCloseTo(12 * 0.01 + 0.05 * 0.15, 9)
})
