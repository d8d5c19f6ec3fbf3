import { describe, expect, it } from 'vitest'
import { forecastText } from '../../../src/cli/views/forecast-text.ts'
import { rateLine } from '../../../src/cli/views/rate-lines.ts'
import { rateNow } from '../../../src/engine/status/experiment-status.ts'
import { unusedRate } from '../../../src/record/rates/rate-store.ts'
import { experimentWith } from '../../plan/experiment.ts'

describe('the forecast in words', () => {
  const forecast = { estimate_usd: 3.4, low_usd: 3.1, high_usd: 3.8, level: 0.9, runs: 10, to_come: 20 }
  it.each([
    [null, 'about $3.40 in the end ($3.10 to $3.80)'],
    [5, 'about $3.40 in the end ($3.10 to $3.80)'],
    [3.5, 'about $3.40 in the end ($3.10 to $3.80), perhaps more than the budget of $3.50'],
    [3, 'about $3.40 in the end ($3.10 to $3.80), more than the budget of $3.00'],
  ])('with a budget of %s', (budget, text) => {
    expect(forecastText(forecast, budget)).toBe(text)
  })
})

describe('a rate in words', () => {
  const { limits } = experimentWith({})
  const line = (state: Partial<typeof unusedRate>, rate = {}) =>
    rateLine(
      rateNow(
        { provider: 'openai', key: 'k', state: { ...unusedRate, at: 100_000, ...state } },
        { ...limits, rate },
        100_000,
      ),
    )

  it('the used share, and the provider’s complaints', () => {
    const seconds = [
      { at: 38_000, requests: 7, tokens: 70 },
      { at: 60_000, requests: 40, tokens: 3000 },
      { at: 99_000, requests: 5, tokens: 200 },
    ]
    expect(line({ seconds })).toBe('openai: 45 requests and 3200 tokens this minute')
    const openai = { rpm: 500, tpm: 20_000, concurrency: null }
    expect(line({ seconds, ceiling: 4.3, complained_at_once: 8, blocked_until: 112_000 }, { openai })).toBe(
      'openai: 45 of 500 requests and 3200 of 20000 tokens this minute, at most 4 calls at once (it complained at 8), paused for 12s',
    )
  })
})
