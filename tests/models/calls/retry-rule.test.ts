import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultRetryPolicy, type RetryPolicy, waitBeforeRetry } from '../../../src/models/calls/retry-rule.ts'
import { modelFaults } from '../../../src/models/model-error.ts'

const never = [
  'content_filtered',
  'context_too_long',
  'missing_key',
  'wrong_key',
  'no_credit',
  'unknown_model',
  'bad_request',
  'missing_recording',
] as const

const policies = fc.record({
  tries: fc.integer({ min: 1, max: 20 }),
  backoff_ms: fc.integer({ min: 1, max: 5000 }),
  longest_backoff_ms: fc.integer({ min: 5000, max: 100_000 }),
  longest_retry_after_ms: fc.integer({ min: 0, max: 1_000_000 }),
  fail_on_rate_limit: fc.boolean(),
})
const faults = fc.constantFrom(...modelFaults)
const told = fc.option(fc.integer({ min: 0, max: 2_000_000 }))
const draws = fc.double({ min: 0, max: 0.999999, noNaN: true })

test('permanent failures are never retried', () => {
  for (const fault of never)
    expect(
      waitBeforeRetry({ fault, retry_after_ms: null }, { tries: 1, retries: 0 }, defaultRetryPolicy, {
        next: () => 0.5,
      }),
    ).toBeNull()
})

test('no wait is shorter than requested by the provider, or longer than the policy allows', () => {
  fc.assert(
    fc.property(faults, told, policies, fc.integer({ min: 1, max: 25 }), draws, (fault, wait, policy, tries, draw) => {
      const ms = waitBeforeRetry({ fault, retry_after_ms: wait }, { tries, retries: 0 }, policy, {
        next: () => draw,
      })
      if (ms === null) return
      expect(tries).toBeLessThan(policy.tries)
      if (wait === null) expect(ms).toBeLessThanOrEqual(policy.longest_backoff_ms)
      else {
        expect(ms).toBeGreaterThanOrEqual(wait)
        expect(wait).toBeLessThanOrEqual(policy.longest_retry_after_ms)
        expect(ms).toBeLessThanOrEqual(wait * 1.5)
      }
    }),
  )
})

test('every series of failures ends', () => {
  fc.assert(
    fc.property(fc.array(faults, { minLength: 30, maxLength: 30 }), policies, (series, policy) => {
      const retries = new Map<string, number>()
      let tries = 0
      for (const fault of series) {
        tries++
        const before = retries.get(fault) ?? 0
        const rule = { tries: tries, retries: before }
        if (waitBeforeRetry({ fault, retry_after_ms: null }, rule, policy, { next: () => 0 }) === null) break
        retries.set(fault, before + 1)
      }
      expect(tries).toBeLessThanOrEqual(policy.tries)
    }),
  )
})

test('waits double, and are half random', () => {
  const policy: RetryPolicy = { ...defaultRetryPolicy, tries: 10, backoff_ms: 100, longest_backoff_ms: 800 }
  const wait = (tries: number, draw: number): number | null =>
    waitBeforeRetry({ fault: 'overloaded', retry_after_ms: null }, { tries, retries: 0 }, policy, {
      next: () => draw,
    })
  expect([1, 2, 3, 4, 5].map(tries => wait(tries, 0))).toEqual([50, 100, 200, 400, 400])
  expect(wait(3, 0.5)).toBe(300)
})

test('only a 429 stops calls that are told not to wait', () => {
  const policy = { ...defaultRetryPolicy, fail_on_rate_limit: true }
  const wait = (fault: 'rate_limited' | 'server_error') =>
    waitBeforeRetry({ fault, retry_after_ms: null }, { tries: 1, retries: 0 }, policy, { next: () => 0 })
  expect(wait('rate_limited')).toBeNull()
  expect(wait('server_error')).not.toBeNull()
})
