import { availableParallelism } from 'node:os'
import * as z from 'zod'
import type { HaltRule, Limits, Retries } from '../experiment.ts'
import { duration, usd, wholeNumberAbove0, wholeNumberFrom0 } from './parts.ts'

const expectedHalt = 'expected a number of failed runs (5, "fail=5") or a share of them ("10%", "fail=10%")'
const defaultRetries: Retries = { failed: 0, timed_out: 0, infra_error: 3, rate_limited: 5, backoff_ms: 1000 }

const halt = z
  .union([z.string(), z.number()], { error: expectedHalt })
  .transform((written, context): HaltRule => {
    const [, number, percent] = /^(?:fail=)?(\d+(?:\.\d+)?)(%?)$/.exec(String(written).replaceAll(' ', '')) ?? []
    const amount = Number(number)
    if (percent === '%' && amount > 0 && amount <= 100) return { share: amount / 100 }
    if (percent === '' && Number.isInteger(amount) && amount > 0) return { failures: amount }
    context.addIssue(expectedHalt)
    return z.NEVER
  })
  .describe('No new runs are started once this many runs have failed: 5, or "10%".')

const retriesByClass = z.strictObject({
  failed: wholeNumberFrom0.optional().describe('The program ended with an error. Default 0.'),
  timed_out: wholeNumberFrom0.optional().describe('The run took longer than the timeout. Default 0.'),
  infra_error: wholeNumberFrom0.optional().describe("Not the program's fault: the machine, the network. Default 3."),
  rate_limited: wholeNumberFrom0.optional().describe('A provider said to wait. Default 5.'),
  backoff: duration.optional().describe('Wait before the first retry; doubles from then on. Default 1s.'),
})

const retries = z
  .union(
    [
      wholeNumberFrom0.transform(n => ({ ...defaultRetries, failed: n, timed_out: n, infra_error: n })),
      retriesByClass.transform(({ backoff = defaultRetries.backoff_ms, ...counts }) => ({
        ...defaultRetries,
        ...counts,
        backoff_ms: backoff,
      })),
    ],
    { error: 'expected a whole number, 0 or more, or a map such as { failed: 1, infra_error: 3 }' },
  )
  .describe('How often a run is tried again by itself: a number, or one for each class of failure.')

/** Limits can be changed without changing the identity of any run. */
export const limits = z
  .strictObject({
    jobs: wholeNumberAbove0.optional().describe('How many runs at once. Default: the number of processor cores.'),
    timeout: duration
      .refine(ms => ms > 0, { error: 'expected a duration above 0' })
      .optional()
      .describe('How long one attempt may take: 30m, 1h30m, 90 (seconds). Default: no limit.'),
    grace: duration
      .optional()
      .describe('How long a run may take to end when asked to, before it is killed. Default 5s.'),
    budget_usd: usd.optional().describe('The most that the whole experiment may cost, in USD.'),
    run_budget_usd: usd.optional().describe('The most that one run may cost, in USD; 0 declares runs free.'),
    retries: retries.optional(),
    quarantine_after: wholeNumberAbove0
      .optional()
      .describe('A run that failed the same way this often in a row is left alone. Default 5.'),
    halt: halt.optional(),
  })
  .transform(
    (written): Limits => ({
      jobs: written.jobs ?? availableParallelism(),
      timeout_ms: written.timeout ?? null,
      grace_ms: written.grace ?? 5000,
      budget_usd: written.budget_usd ?? null,
      run_budget_usd: written.run_budget_usd ?? null,
      retries: written.retries ?? defaultRetries,
      quarantine_after: written.quarantine_after ?? 5,
      halt: written.halt ?? null,
    }),
  )
  .describe('What is allowed: time, money, jobs at once, retries.')
