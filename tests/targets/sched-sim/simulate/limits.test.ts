import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitrarySimulation, sameExamples } from '../support/arbitrary-simulation.ts'
import { chargeOf, grouped, type Recording, record } from '../support/record.ts'

const holds = (check: (recording: Recording) => void) =>
  fc.assert(
    fc.property(arbitrarySimulation, settings => check(record(settings))),
    sameExamples,
  )

test('a tier never has more calls than slots, and no two in one lane', () => {
  holds(({ happenings }) => {
    const lanes = new Map<object, Set<number>>()
    for (const happening of happenings) {
      if (happening.kind !== 'started' && happening.kind !== 'ended') continue
      const { tier, lane } = happening.attempt
      const taken = lanes.get(tier) ?? new Set()
      lanes.set(tier, taken)
      expect(taken.has(lane)).toBe(happening.kind === 'ended')
      if (happening.kind === 'ended') taken.delete(lane)
      else taken.add(lane)
      expect(lane).toBeLessThan(tier.spec.slots)
    }
  })
})

test('a token bucket never exceeds its capacity', () => {
  holds(({ started }) => {
    const buckets = new Map<object, { tokens: number; at: number }>()
    for (const { at, attempt } of started) {
      const { rate_per_s, burst } = attempt.tier.spec
      if (rate_per_s === null) continue
      const bucket = buckets.get(attempt.tier) ?? { tokens: burst, at: 0 }
      const tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) * rate_per_s) / 1000)
      expect(tokens).toBeGreaterThan(1 - 1e-6)
      buckets.set(attempt.tier, { tokens: tokens - 1, at })
    }
  })
})

test('a workflow is charged the cost of its calls, and with routing never more than its budget', () => {
  holds(({ settings, result, ended }) => {
    const { model, enable_model_routing } = settings
    const limit = enable_model_routing
      ? (model.budget_per_workflow ?? Number.POSITIVE_INFINITY)
      : Number.POSITIVE_INFINITY
    const spent = new Map<number, number>()
    for (const end of ended) {
      const sum = (spent.get(end.workflow) ?? 0) + chargeOf(end, settings)
      spent.set(end.workflow, sum)
      expect(sum).toBeLessThanOrEqual(limit + 1e-6)
    }
    for (const { id, totals } of result.workflows) expect(totals.cost).toBeCloseTo(spent.get(id) ?? 0, 9)
    const tiers = result.resources.flatMap(resource => resource.tiers)
    const all = [...spent.values()].reduce((sum, cost) => sum + cost, 0)
    expect(tiers.reduce((sum, { totals }) => sum + totals.cost, 0)).toBeCloseTo(all, 6)
  })
})

test('a workflow runs out of budget only when it could not pay its cheapest tier', () => {
  holds(({ settings, result }) => {
    for (const { status, totals } of result.workflows) {
      if (status !== 'out_of_budget') continue
      expect(settings.enable_model_routing).toBe(true)
      const dearest = Math.max(
        ...Object.values(settings.model.providers).map(({ tiers }) => Math.min(...tiers.map(tier => tier.price))),
      )
      // Reservations of running calls may be released when they are cancelled: each at most its price.
      const highest = Math.max(
        ...Object.values(settings.model.providers).flatMap(({ tiers }) => tiers.map(tier => tier.price)),
      )
      const inFlight = totals.cancellations * highest
      expect(totals.cost + dearest + inFlight).toBeGreaterThan(settings.model.budget_per_workflow ?? 0)
    }
  })
})

test('no call outlives its timeout, tail included', () => {
  holds(({ settings, ended }) => {
    for (const { attempt, ending } of ended) {
      const timeout = attempt.tier.spec.timeout_ms ?? Number.POSITIVE_INFINITY
      if (settings.model.rules.timeout_sees_tail) expect(attempt.durationMs).toBeLessThanOrEqual(timeout)
      if (ending === 'timeout') expect(attempt.durationMs).toBeGreaterThanOrEqual(timeout)
      if (attempt.tier.isLocal) expect(['ok', 'cancelled']).toContain(ending)
    }
  })
})

test('a node is retried at most as often as its tier allows, and then its workflow fails', () => {
  holds(({ settings, result, ended }) => {
    const failures = ended.filter(({ ending }) => ending === 'failed' || ending === 'timeout')
    const hopeless = new Set<number>()
    for (const [, own] of grouped(failures, ({ key }) => key)) {
      const allowed = own.map(({ attempt }) => attempt.tier.spec.retries)
      // A hedge that fails with its twin uses up one more.
      expect(own.length).toBeLessThanOrEqual(Math.max(...allowed) + 1 + settings.model.hedging.max_per_step)
      const last = own.at(-1)
      if (last !== undefined && own.length > last.attempt.tier.spec.retries) hopeless.add(last.workflow)
    }
    for (const { id, status } of result.workflows) if (status === 'failed') expect(hopeless.has(id)).toBe(true)
  })
})

test('the back-off before a retry doubles with each failure', () => {
  holds(({ settings, happenings }) => {
    const { retry, rules } = settings.model
    const failures = new Map<string, number[]>()
    for (const happening of happenings) {
      if (happening.kind === 'ended' && (happening.ending === 'failed' || happening.ending === 'timeout'))
        failures.set(happening.key, [...(failures.get(happening.key) ?? []), happening.at])
      if (happening.kind !== 'queued') continue
      const own = failures.get(happening.key) ?? []
      const since = own.at(-1)
      if (since === undefined) continue
      const longest = rules.back_off ? Math.min(retry.max_ms, retry.backoff_ms * 2 ** (own.length - 1)) : 0
      expect(happening.at - since).toBeLessThanOrEqual(longest + 1e-6)
      expect(happening.at - since).toBeGreaterThanOrEqual(longest * (1 - retry.jitter) - 1e-6)
    }
  })
})
