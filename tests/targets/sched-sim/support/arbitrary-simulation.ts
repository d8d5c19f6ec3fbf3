import fc from 'fast-check'
import type { DistributionSpec } from '../../../../src/targets/sched-sim/model/distribution-schema.ts'
import type { Model, StepSpec, TierSpec } from '../../../../src/targets/sched-sim/model/model-schema.ts'
import { policies, type SimSettings } from '../../../../src/targets/sched-sim/settings.ts'
import { graphSize } from '../../../../src/targets/sched-sim/simulate/graph/graph-size.ts'
import { settingsWith } from './settings.ts'

const service: fc.Arbitrary<DistributionSpec> = fc.oneof(
  fc.integer({ min: 1, max: 500 }),
  fc.record({ kind: fc.constant('exponential' as const), mean: fc.integer({ min: 5, max: 500 }) }),
  fc.record({ kind: fc.constant('lognormal' as const), mu: fc.constantFrom(3, 5), sigma: fc.constantFrom(0, 0.5, 1) }),
  fc.record({
    kind: fc.constant('empirical' as const),
    values: fc.constant<number[]>([0, 10, 10, 200]),
    tail: fc.constant({ probability: 0.2, multiplier: 8 }),
  }),
)

const tier: fc.Arbitrary<TierSpec> = fc.record({
  slots: fc.integer({ min: 1, max: 3 }),
  rate_per_s: fc.constantFrom(null, null, 0.7, 5, 30),
  burst: fc.constantFrom(1, 2.5, 5),
  price: fc.constantFrom(0, 0.01, 0.03, 0.1),
  failure: fc.constantFrom(0, 0.05, 0.4),
  timeout_ms: fc.constantFrom(null, null, 100, 700),
  retries: fc.integer({ min: 0, max: 4 }),
  speed: fc.constantFrom(0.5, 1, 2),
})

const resources = ['a', 'b', 'cpu']

const steps: fc.Arbitrary<Model['steps']> = fc
  .array(
    fc.record({
      on: fc.constantFrom(...resources),
      before: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }),
      for_each: fc.constantFrom<StepSpec['for_each']>([], ['pdfs'], ['subqueries'], ['pdfs', 'subqueries']),
      service_ms: service,
      critical: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .chain(drafts => fc.tuple(fc.constant(drafts), fc.boolean()))
  .map(([drafts, isDecided]) => {
    const names = drafts.map((_, index) => `s${index}`)
    const made = drafts.map(({ before, ...draft }, index): StepSpec => {
      const after = index === 0 ? [] : [...new Set(before.map(number => `s${number % index}`))]
      return { ...draft, after, size: 0, decides: false }
    })
    const decider: StepSpec = {
      on: 'a',
      after: names,
      for_each: [],
      size: 0,
      service_ms: 50,
      critical: true,
      decides: true,
    }
    const all = made.map((step, index) => [names[index], step] as const)
    return Object.fromEntries(isDecided ? [...all, ['decide', decider]] : all)
  })

const provider = fc.record({ tiers: fc.array(tier, { minLength: 1, maxLength: 3 }) })

const parts: fc.Arbitrary<Partial<Model>> = fc.record({
  steps,
  providers: fc.record({ a: provider, b: provider }),
  local: fc.record({ cpu: fc.record({ slots: fc.integer({ min: 1, max: 3 }) }) }),
  arrivals: fc.constantFrom<Model['arrivals']>('all_at_once', { poisson_per_s: 0.5 }, { poisson_per_s: 5 }),
  heavy_tail: fc.record({ probability: fc.constantFrom(0, 0.1), multiplier: fc.constant(20) }),
  budget_per_workflow: fc.constantFrom(null, 0, 0.05, 0.3, 2),
  estimates: fc.record({ window: fc.constantFrom(1, 5, 1000), initial_ms: fc.constant(100) }),
  escalation: fc.record({
    min_benefit_ms_per_usd: fc.constantFrom(0, 0.5, 2000),
    initial_queue_wait_ms: fc.constantFrom(0, 50),
  }),
  hedging: fc.record({
    after_p95: fc.constantFrom(0.3, 1.5),
    min_samples: fc.constantFrom(1, 5),
    max_per_step: fc.integer({ min: 1, max: 2 }),
  }),
  rules: fc.record({
    spill: fc.boolean(),
    timeout_sees_tail: fc.boolean(),
    charge_losers: fc.boolean(),
    gates_count: fc.boolean(),
    back_off: fc.boolean(),
  }),
})

const params = fc.record({
  workflows: fc.integer({ min: 1, max: 12 }),
  pdfs: fc.integer({ min: 1, max: 3 }),
  subqueries: fc.integer({ min: 0, max: 3 }),
  iters: fc.integer({ min: 1, max: 3 }),
  seed: fc.nat(),
  // The policy with all parts twice as often.
  policy: fc.constantFrom(...policies, 'full' as const),
  enable_model_routing: fc.constantFrom(true, true, false),
  disable_hedging: fc.constantFrom(false, false, true),
  disable_escalation: fc.boolean(),
  disable_dag_priority: fc.boolean(),
})

/** Any workload on any providers under any policy and rules; small, so that many can be tried. */
export const arbitrarySimulation: fc.Arbitrary<SimSettings> = fc
  .tuple(params, parts)
  .filter(([{ pdfs, subqueries }, { steps = {} }]) => graphSize({ steps }, { pdfs, subqueries }).nodes > 0)
  .map(([some, changed]) => settingsWith(some, changed))

/** The same examples every time: a test that fails once fails until it is mended. */
export const sameExamples = { seed: 20_261_116, numRuns: 250 } as const
