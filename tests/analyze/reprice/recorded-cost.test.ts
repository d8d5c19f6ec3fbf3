import { describe, expect, it } from 'vitest'
import { cacheRuleOf } from '../../../src/analyze/reprice/cache-rule.ts'
import { calibrationOf, scaled } from '../../../src/analyze/reprice/calibrate-sizes.ts'
import { repriceTurns } from '../../../src/analyze/reprice/reprice-turns.ts'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { pricedModel } from '../../../src/models/model-facts.ts'
import { builtInStrategy, type StrategyName, strategyNames } from '../../../src/targets/agent/strategies/registry.ts'
import { bash, workOn } from '../../targets/agent/support.ts'

/** Short answers and outputs of many sizes: the overhead per message is a large part of its prompt. */
const work = bash('echo x >> n; seq $(( ($(wc -l < n) * 37) % 300 ))')

/** Cached input costs a tenth, as it does at most providers. */
const settings: ModelSettings = {
  'sim/a': {
    price: [{ above: 0, input: 1, cached_input: 0.1, output: 4 }],
    tokens: { cached: 'prefix' },
    rules: [{ purpose: 'summary', answer: 'Counted on.' }, work],
  },
}

const params = { hp_obs_n: 3, hp_sum_n: 8, hp_sum_keep_m: 3 }

function strategyOf(name: StrategyName) {
  const chosen = builtInStrategy(name, params)
  if (chosen.problems !== undefined) throw new Error(chosen.problems[0]?.message)
  return chosen.strategy
}

describe.each(strategyNames)('a recording made with %s', name => {
  it('costs the same under the same strategy and model, turn by turn', async () => {
    const own = Object.fromEntries(
      Object.entries(params).filter(([key]) =>
        key.startsWith('hp_obs')
          ? ['observation_masking', 'hybrid'].includes(name)
          : ['llm_summary', 'hybrid'].includes(name),
      ),
    )
    const { trajectory } = await workOn({ models: settings, settings: { strategy: name, call_limit: 60, ...own } })
    const model = await pricedModel('sim/a', { settings, env: {} })
    const found = calibrationOf(trajectory, model.sizeOf)
    expect(found).toMatchObject({ scale: expect.closeTo(1, 9), turns: expect.any(Number) })
    const { turns } = repriceTurns(trajectory, {
      strategy: strategyOf(name),
      sizeOf: scaled(model.sizeOf, found?.scale ?? Number.NaN),
      overhead: found?.overhead ?? Number.NaN,
      cache: cacheRuleOf(model.provider) ?? { kind: 'none' },
      cost: model.cost,
      summaryCost: model.cost,
      summaryTokens: 500,
      usesRecordedSummaries: true,
      context: null,
    })
    const made = trajectory.turns.filter(({ kind }) => kind === 'turn')
    expect(made.length).toBeGreaterThan(50)
    const recorded = made.map(({ usage, cost_usd }) => ({
      input: usage?.input_tokens,
      cached: usage?.cached_input_tokens,
      usd: cost_usd === null ? null : expect.closeTo(cost_usd, 12),
    }))
    const repriced = turns.map(({ usage, cost_usd }) => ({
      input: usage.input_tokens,
      cached: usage.cached_input_tokens,
      usd: cost_usd,
    }))
    expect(repriced).toEqual(recorded)
    // With a few outputs between summaries there is nothing left that is long enough to be cached.
    if (name !== 'hybrid') expect(recorded.reduce((sum, { cached = 0 }) => sum + cached, 0)).toBeGreaterThan(5_000)
    const summaries = turns.reduce((sum, { summary_cost_usd }) => sum + (summary_cost_usd ?? Number.NaN), 0)
    expect(summaries).toBeCloseTo(trajectory.totals.summary.cost_usd ?? Number.NaN, 12)
  })
})
