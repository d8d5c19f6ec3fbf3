import { describe, expect, it } from 'vitest'
import { formatRate, parseRate } from '../../src/define/limit-kinds.ts'
import { limits } from '../../src/define/schema/limits-schema.ts'

describe('a rate', () => {
  it.each([
    ['500rpm', { rpm: 500, tpm: null, concurrency: null }],
    ['500rpm,200000tpm', { rpm: 500, tpm: 200_000, concurrency: null }],
    ['200k tpm, 500 RPM', { rpm: 500, tpm: 200_000, concurrency: null }],
    ['1.5M tpm, 8 at once', { rpm: null, tpm: 1_500_000, concurrency: 8 }],
  ])('%s', (text, expected) => {
    expect(parseRate(text)).toEqual(expected)
  })

  it.each(['', '500', 'rpm', '0rpm', '500rpm,', '500rpm,400rpm', '1.5rpm', '500 rps', '-5rpm'])(
    'refuses "%s"',
    text => {
      expect(parseRate(text)).toBeNull()
    },
  )

  it('reads back as written', () => {
    expect(formatRate({ rpm: 5, tpm: 10, concurrency: 2 })).toBe('5rpm,10tpm,2 at once')
    expect(parseRate(formatRate({ rpm: 5, tpm: 10, concurrency: 2 }))).toEqual({ rpm: 5, tpm: 10, concurrency: 2 })
  })

  it('may be a text or a map in the limits', () => {
    const both = { a: '60rpm', b: { rpm: 60, concurrency: 2 } }
    expect(limits.parse({ rate: both }).rate).toEqual({
      a: { rpm: 60, tpm: null, concurrency: null },
      b: { rpm: 60, tpm: null, concurrency: 2 },
    })
    expect(limits.safeParse({ rate: { a: 'fast' } }).error?.issues[0]?.message).toBe(
      'expected a rate such as "500rpm", "500rpm,200000tpm" or "60rpm,4 at once"',
    )
    expect(limits.safeParse({ rate: { a: { rps: 4 } } }).success).toBe(false)
  })
})
