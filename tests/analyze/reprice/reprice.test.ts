import { expect, it } from 'vitest'
import { everyPrefix } from '../../../src/analyze/reprice/cache-rule.ts'
import { type RepriceArm, RepriceStudy } from '../../../src/analyze/reprice/reprice.ts'
import type { Message, Usage } from '../../../src/models/model-call.ts'
import { builtInStrategy, type StrategyName } from '../../../src/targets/agent/strategies/registry.ts'
import { seededRandom } from '../../../src/util/random.ts'
import { trajectoryOf } from './trajectories.ts'

const model = { name: 'some', sizeOf: ({ content }: Message) => 4 + String(content).length / 4 }
const cost = ({ input_tokens, cached_input_tokens, output_tokens }: Usage): number =>
  (input_tokens - 0.5 * cached_input_tokens + 4 * output_tokens) / 1e6

function arm(strategy: StrategyName, more: Partial<RepriceArm> = {}): RepriceArm {
  const choice = builtInStrategy(strategy, {})
  if (choice.problems !== undefined) throw new Error(choice.problems[0]?.message)
  return {
    label: strategy,
    params: { strategy },
    strategy: choice.strategy,
    cache: everyPrefix,
    cost,
    summaryCost: cost,
    summaryTokens: 300,
    usesRecordedSummaries: false,
    context: null,
    ...more,
  }
}

const random = seededRandom(7)
const works = Array.from({ length: 12 }, (_, at) =>
  trajectoryOf(
    Array.from({ length: 30 + at * 4 }, (_, turn) => ({
      says: `turn ${turn}`,
      outputs: ['x'.repeat(Math.floor(4000 * random.next()))],
    })),
    `task ${at}`,
  ),
)

function answerOf(arms: readonly RepriceArm[]) {
  const study = new RepriceStudy(arms)
  for (const work of works) study.add(work, model)
  return study.finish()
}

it('compares arms on the same instances, with an interval and the turn from which one pays off', () => {
  const [raw, masking] = answerOf([arm('raw'), arm('observation_masking')])
  expect(raw?.comparison).toBeNull()
  expect(raw?.ci?.low).toBeLessThan(raw?.mean_cost_usd ?? 0)
  const saved = (masking?.mean_cost_usd ?? 0) - (raw?.mean_cost_usd ?? 0)
  expect(saved).toBeLessThan(0)
  expect(masking?.comparison?.estimate).toBeCloseTo(saved, 10)
  expect(masking?.comparison).toMatchObject({ verdict: 'better', n: { pairs: 12 } })
  // With ten outputs in sight both show the same until turn 11, and a broken cache costs more at first.
  expect(masking?.pays_from_turn).toBeGreaterThan(11)
  expect(masking?.pays_from_turn).toBeLessThan(40)
})

it('counts cost up to the last turn that fits, and the number of turns that did not', () => {
  const [raw, masking] = answerOf([arm('raw', { context: 20_000 }), arm('observation_masking', { context: 20_000 })])
  expect(raw?.overflows).toBeGreaterThan(0)
  expect(masking?.overflows).toBe(0)
  expect(raw?.longest_prompt).toBeLessThan(20_000)
})

it('has sizes but no cost if the price is unknown', () => {
  const [raw, masking] = answerOf([arm('raw', { cost: () => null }), arm('observation_masking')])
  expect(raw).toMatchObject({ mean_cost_usd: null, ci: null, curve: [] })
  expect(masking?.comparison).toBeNull()
  expect(raw?.mean_input_tokens).toBeGreaterThan(0)
})

it('has a mean for each turn over all instances, which ends at the mean of the table', () => {
  for (const { curve, mean_cost_usd } of answerOf([arm('raw'), arm('observation_masking')])) {
    expect(curve[0]?.instances).toBe(12)
    expect(curve.at(-1)).toMatchObject({ turn: 74, instances: 1 })
    expect(curve.at(-1)?.mean_usd).toBeCloseTo(mean_cost_usd ?? 0, 9)
    const means = curve.map(({ mean_usd }) => mean_usd)
    expect(means, 'a sum never falls').toEqual(means.toSorted((a, b) => a - b))
  }
})
