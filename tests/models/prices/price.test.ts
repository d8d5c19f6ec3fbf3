import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PriceTier } from '../../../src/define/models/model-settings.ts'
import type { Usage } from '../../../src/models/model-call.ts'
import { boundOf, costOf, type Price } from '../../../src/models/prices/price.ts'
import { loadPriceTable } from '../../../src/models/prices/price-table.ts'

const at = Date.parse('2026-11-16T12:00:00Z')
const amount = fc.double({ min: 0, max: 200, noNaN: true })

const tiers = fc
  .array(
    fc.record({
      above: fc.integer({ min: 1, max: 500_000 }),
      input: amount,
      output: amount,
      cached_input: fc.option(amount, { nil: undefined }),
      cache_write: fc.option(amount, { nil: undefined }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((list): PriceTier[] =>
    list.sort((a, b) => a.above - b.above).map((tier, index) => (index === 0 ? { ...tier, above: 0 } : tier)),
  )

const usages = fc
  .record({
    input: fc.integer({ min: 0, max: 1_000_000 }),
    cached: fc.double({ min: 0, max: 1, noNaN: true }),
    written: fc.double({ min: 0, max: 1, noNaN: true }),
    output: fc.integer({ min: 0, max: 200_000 }),
  })
  .map(({ input, cached, written, output }): Usage => {
    const cached_input_tokens = Math.floor(input * cached)
    return {
      input_tokens: input,
      cached_input_tokens,
      cache_write_tokens: Math.floor((input - cached_input_tokens) * written),
      output_tokens: output,
      reasoning_tokens: 0,
    }
  })

const cost = (usage: Usage, price: Price | null): number | null => costOf(usage, price, at).usd

test('no call within its bound costs more than its bound, for prices of one size', () => {
  fc.assert(
    fc.property(usages, tiers, (usage, [tier]) => {
      if (tier === undefined) return
      const price: Price = { from: 'preset', tiers: [tier] }
      const bound = boundOf({ input: usage.input_tokens + 7, output: usage.output_tokens + 3 }, price, at)
      expect(cost(usage, price)).toBeLessThanOrEqual((bound ?? -1) + 1e-9)
    }),
  )
})

test('no call of exactly its size costs more than its bound, whatever the tiers', () => {
  fc.assert(
    fc.property(usages, tiers, (usage, all) => {
      const price: Price = { from: 'preset', tiers: all }
      const bound = boundOf({ input: usage.input_tokens, output: usage.output_tokens }, price, at)
      expect(cost(usage, price)).toBeLessThanOrEqual((bound ?? -1) + 1e-9)
    }),
  )
})

test('the cost of a call is the sum of its parts', () => {
  fc.assert(
    fc.property(usages, tiers, (usage, [tier]) => {
      if (tier === undefined) return
      const price: Price = { from: 'preset', tiers: [tier] }
      const none = {
        input_tokens: 0,
        cached_input_tokens: 0,
        cache_write_tokens: 0,
        output_tokens: 0,
        reasoning_tokens: 0,
      }
      const input = cost({ ...usage, output_tokens: 0 }, price) ?? 0
      const output = cost({ ...none, output_tokens: usage.output_tokens }, price) ?? 0
      expect(cost(usage, price)).toBeCloseTo(input + output, 9)
    }),
  )
})

test('the tier of the prompt applies to the whole call', () => {
  const price: Price = {
    from: 'preset',
    tiers: [
      { above: 0, input: 1, cached_input: 0.4, output: 5 },
      { above: 32_000, input: 1.8, cached_input: 0.72, output: 9 },
    ],
  }
  const usage = {
    input_tokens: 32_000,
    cached_input_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 1000,
    reasoning_tokens: 0,
  }
  expect(cost(usage, price)).toBeCloseTo(0.032 + 0.005, 12)
  expect(cost({ ...usage, input_tokens: 32_001, cached_input_tokens: 10_000 }, price)).toBeCloseTo(
    (22_001 * 1.8 + 10_000 * 0.72 + 9000) / 1e6,
    12,
  )
})

test('an unknown price stays unknown, even for no tokens', () => {
  const none = { input_tokens: 0, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 0, reasoning_tokens: 0 }
  expect(costOf(none, null, at)).toEqual({ usd: null, from: 'unknown' })
  expect(boundOf({ input: 10, output: 10 }, null, at)).toBeNull()
  expect(costOf(none, { from: 'declared_free' }, at)).toEqual({ usd: 0, from: 'declared_free' })
})

test('the price table covers cached input and tiers by size, and reports unknown prices', async () => {
  const table = await loadPriceTable()
  const usage = {
    input_tokens: 1000,
    cached_input_tokens: 400,
    cache_write_tokens: 0,
    output_tokens: 100,
    reasoning_tokens: 0,
  }
  const mini = table.price('openai', 'gpt-4o-mini')
  expect(mini?.cost(usage, at)).toBeCloseTo((600 * 0.15 + 400 * 0.075 + 100 * 0.6) / 1e6, 12)
  expect(table.price('openai', 'no-such-model')).toBeNull()
  expect(table.price('zai', 'glm-4.6')).toBeNull()
})

test('calls of every model in the price table stay within their bounds', async () => {
  const table = await loadPriceTable()
  const sellers = ['openai', 'anthropic', 'google', 'deepseek', 'aws', 'openrouter', 'moonshotai', 'minimax']
  const entries = sellers.flatMap(seller => table.modelsOf(seller).flatMap(model => table.price(seller, model) ?? []))
  expect(entries.length).toBeGreaterThan(500)
  fc.assert(
    fc.property(usages, fc.constantFrom(...entries), (usage, entry) => {
      const price: Price = { from: 'prices', entry }
      const bound = boundOf({ input: usage.input_tokens, output: usage.output_tokens }, price, at)
      expect(entry.cost(usage, at)).toBeLessThanOrEqual((bound ?? -1) + 1e-9)
    }),
    { numRuns: 500 },
  )
})
