import * as z from 'zod'
import {
  count,
  countFrom0,
  defaultRetries,
  dollars,
  expectedRate,
  type HaltRule,
  halt as haltKind,
  milliseconds,
  millisecondsFrom0,
  parseHaltRule,
  parseRate,
  type RateLimit,
  rates as rateKind,
  retries as retriesKind,
  retriesOf,
  yesOrNo,
} from '../limit-kinds.ts'
import { defaultLimits, type LimitField, type Limits, limitFields, limitTable } from '../limits.ts'
import { duration, text, usd, wholeNumberAbove0, wholeNumberFrom0 } from './parts.ts'

const expectedHalt = 'expected a number of failed runs (5, "fail=5") or a share of them ("10%", "fail=10%")'
/** For editors. */
const haltPattern = String.raw`^ *(fail *= *)?([\d ]+|(100(\.0+)?|\d?\d(\.\d+)?) *%) *$`

const halt = z.lazy(() =>
  z
    .union([z.string(), z.number()], { error: expectedHalt })
    .meta({ pattern: haltPattern, minimum: 1, multipleOf: 1 })
    .transform((written, context): HaltRule => {
      const rule = parseHaltRule(String(written).replaceAll(' ', ''))
      if (rule !== null) return rule
      context.addIssue(expectedHalt)
      return z.NEVER
    }),
)

const retriesByClass = z.lazy(() =>
  z.strictObject({
    failed: wholeNumberFrom0.optional().describe('The program ended with an error. Default 0.'),
    timed_out: wholeNumberFrom0.optional().describe('The run took longer than the timeout. Default 0.'),
    infra_error: wholeNumberFrom0.optional().describe("Not the program's fault: the machine, the network. Default 3."),
    rate_limited: wholeNumberFrom0.optional().describe('A provider said to wait. Default 5.'),
    backoff: duration.optional().describe('Wait before the first retry; doubles from then on. Default 1s.'),
  }),
)

const retries = z.lazy(() =>
  z.union(
    [
      wholeNumberFrom0.transform(times => retriesOf(times, defaultRetries)),
      retriesByClass.transform(({ backoff = defaultRetries.backoff_ms, ...counts }) => ({
        ...defaultRetries,
        ...counts,
        backoff_ms: backoff,
      })),
    ],
    { error: 'expected a whole number, 0 or more, or a map such as { failed: 1, infra_error: 3 }' },
  ),
)

const rateParts = z.lazy(() =>
  z.strictObject({
    rpm: wholeNumberAbove0.optional().describe('Requests in any minute.'),
    tpm: wholeNumberAbove0.optional().describe('Tokens in any minute, input and output together.'),
    concurrency: wholeNumberAbove0.optional().describe('Calls under way at the same time.'),
  }),
)

const rateLimit = z.lazy(() =>
  z.union([z.string(), rateParts], { error: expectedRate }).transform((written, context): RateLimit => {
    if (typeof written !== 'string')
      return { rpm: written.rpm ?? null, tpm: written.tpm ?? null, concurrency: written.concurrency ?? null }
    const rate = parseRate(written)
    if (rate !== null) return rate
    context.addIssue(expectedRate)
    return z.NEVER
  }),
)

/** How the value of each kind of limit is written: a new limit of a known kind needs no line here. */
const written = new Map<unknown, z.ZodType>([
  [count, wholeNumberAbove0],
  [countFrom0, wholeNumberFrom0],
  [dollars, usd],
  [milliseconds, duration.refine(ms => ms > 0, { error: 'expected a duration above 0' })],
  [millisecondsFrom0, duration],
  [yesOrNo, z.boolean()],
  [haltKind, halt],
  [rateKind, z.record(text, rateLimit)],
  [retriesKind, retries],
])

function writtenAs(field: LimitField): z.ZodType {
  const { kind } = limitTable[field]
  const value = written.get(kind)
  if (value === undefined)
    throw new Error(`limits-schema.ts does not know how a limit of kind "${kind.name}" is written`)
  return value
}

const shape = Object.fromEntries(
  limitFields.map(field => [limitTable[field].key, writtenAs(field).optional().describe(limitTable[field].about)]),
)

/** Limits can be changed without changing the identity of any run. */
export const limits = z.lazy(() =>
  z
    .strictObject(shape)
    .transform((given): Limits => {
      const read = limitFields.flatMap(field => {
        const value = given[limitTable[field].key]
        return value === undefined ? [] : [[field, value] as const]
      })
      return { ...defaultLimits(), ...Object.fromEntries(read) }
    })
    .describe('Limits of time, money, calls, rates, jobs at once and retries.'),
)
