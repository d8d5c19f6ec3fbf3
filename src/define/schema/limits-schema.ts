import { availableParallelism } from 'node:os'
import * as z from 'zod'
import type { HaltRule, Limits, RateLimit, Retries } from '../experiment.ts'
import { expectedRate, parseRate } from '../rate.ts'
import { duration, text, usd, wholeNumberAbove0, wholeNumberFrom0 } from './parts.ts'

const expectedHalt = 'expected a number of failed runs (5, "fail=5") or a share of them ("10%", "fail=10%")'
/** For editors. */
const haltPattern = String.raw`^ *(fail *= *)?([\d ]+|(100(\.0+)?|\d?\d(\.\d+)?) *%) *$`
const defaultRetries: Retries = { failed: 0, timed_out: 0, infra_error: 3, rate_limited: 5, backoff_ms: 1000 }

const halt = z
  .union([z.string(), z.number()], { error: expectedHalt })
  .meta({ pattern: haltPattern, minimum: 1, multipleOf: 1 })
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

const rateParts = z.strictObject({
  rpm: wholeNumberAbove0.optional().describe('Requests in any minute.'),
  tpm: wholeNumberAbove0.optional().describe('Tokens in any minute, input and output together.'),
  concurrency: wholeNumberAbove0.optional().describe('Calls under way at the same time.'),
})

const rateLimit = z.union([z.string(), rateParts], { error: expectedRate }).transform((written, context): RateLimit => {
  if (typeof written !== 'string')
    return { rpm: written.rpm ?? null, tpm: written.tpm ?? null, concurrency: written.concurrency ?? null }
  const rate = parseRate(written)
  if (rate !== null) return rate
  context.addIssue(expectedRate)
  return z.NEVER
})

const rate = z
  .record(text, rateLimit)
  .describe('By provider, what may be sent with one key: { openai: { rpm: 500, tpm: 200000 } }, or "500rpm,200000tpm".')

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
    run_budget_usd: usd
      .optional()
      .describe('The most that one run may cost, in USD. 0 declares commands and functions free; models: no limit.'),
    run_calls: wholeNumberAbove0.optional().describe('How often one run may call a model. Default: no limit.'),
    run_tokens: wholeNumberAbove0
      .optional()
      .describe("How many tokens one run's calls may take, input and output together. Default: no limit."),
    rate: rate.optional(),
    fail_on_rate_limit: z
      .boolean()
      .optional()
      .describe('Stop when a provider says that it is too much, instead of waiting. Default false.'),
    retries: retries.optional(),
    quarantine_after: wholeNumberAbove0
      .optional()
      .describe('A run that failed the same way this often in a row is left alone. Default 5.'),
    halt: halt.optional(),
    initial_failures: wholeNumberFrom0
      .optional()
      .describe(
        'No new runs are started when this many first runs of a call, of several variants, all failed within a minute and in the same way. 0: go on. Default 5.',
      ),
  })
  .transform(
    (written): Limits => ({
      jobs: written.jobs ?? availableParallelism(),
      timeout_ms: written.timeout ?? null,
      grace_ms: written.grace ?? 5000,
      budget_usd: written.budget_usd ?? null,
      run_budget_usd: written.run_budget_usd ?? null,
      run_calls: written.run_calls ?? null,
      run_tokens: written.run_tokens ?? null,
      rate: written.rate ?? {},
      fail_on_rate_limit: written.fail_on_rate_limit ?? false,
      retries: written.retries ?? defaultRetries,
      quarantine_after: written.quarantine_after ?? 5,
      halt: written.halt ?? null,
      ...(written.initial_failures === undefined ? {} : { initial_failures: written.initial_failures }),
    }),
  )
  .describe('What is allowed: time, money, calls, rates, jobs at once, retries.')
