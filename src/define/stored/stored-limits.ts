import * as z from 'zod'
import {
  count,
  countFrom0,
  dollars,
  type HaltRule,
  halt,
  milliseconds,
  millisecondsFrom0,
  type RateLimit,
  type Retries,
  rates,
  retries,
  yesOrNo,
} from '../limit-kinds.ts'
import { type Limits, limitFields, limitTable } from '../limits.ts'
import { number, object, text, yesOrNo as yes } from './fields.ts'

const haltRule: z.ZodType<HaltRule> = z.lazy(() =>
  z.union([z.strictObject({ failures: number }), z.strictObject({ share: number })]),
)
const rate = object<RateLimit>({
  rpm: number.nullable(),
  tpm: number.nullable(),
  concurrency: number.nullable(),
})
const retriesByClass = object<Retries>({
  failed: number,
  timed_out: number,
  infra_error: number,
  rate_limited: number,
  backoff_ms: number,
})

/** How the value of each kind of limit is stored: a new limit of a known kind needs no line here. */
const kept = new Map<unknown, z.ZodType>([
  [count, number],
  [countFrom0, number],
  [dollars, number],
  [milliseconds, number],
  [millisecondsFrom0, number],
  [yesOrNo, yes],
  [halt, haltRule],
  [rates, z.record(text, rate)],
  [retries, retriesByClass],
])

function keptValue(field: keyof Limits): z.ZodType {
  const { kind, usual } = limitTable[field]
  const value = kept.get(kind)
  if (value === undefined) throw new Error(`stored-limits.ts does not know how a limit of kind "${kind.name}" is kept`)
  return usual() === null ? value.nullable() : value
}

const fields = limitFields.map(field => [field, keptValue(field)] as const)

export const storedLimits = z.lazy(() => z.strictObject(Object.fromEntries(fields)) as unknown as z.ZodType<Limits>)

/** Some limits, put over others; null removes one, and a null rate removes the rate of that provider. */
export const storedLimitsSet = z.lazy(() =>
  z.strictObject({
    ...Object.fromEntries(fields.map(([field, value]) => [field, value.nullable().optional()])),
    rate: z.record(text, rate.nullable()).nullable().optional(),
  }),
)
