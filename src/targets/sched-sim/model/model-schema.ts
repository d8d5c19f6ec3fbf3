import * as z from 'zod'
import { distributionSchema } from './distribution-schema.ts'
import { aboveZero, amount, formula, probability, slots } from './parts.ts'

/** One kind of step in a workflow. */
const stepSchema = z.lazy(() =>
  z.strictObject({
    on: z.string().min(1).describe('The provider, or the local resource, that serves it.'),
    after: z.array(z.string()).default([]).describe('The steps that must have succeeded before.'),
    for_each: z
      .array(z.enum(['pdfs', 'subqueries']))
      .refine(loops => new Set(loops).size === loops.length, { error: 'expected each of them once' })
      .default([])
      .describe(
        'What it is repeated for; a step waits for those that share its item, and for all where nothing is shared.',
      ),
    size: formula
      .default(0)
      .describe('May be used in `service_ms`, and may itself use pdfs, subqueries and iteration.'),
    service_ms: distributionSchema,
    critical: z.boolean().default(false).describe('May be escalated to a dearer tier, and hedged.'),
    decides: z
      .boolean()
      .default(false)
      .describe('Ends the iteration: whether there is another one is decided after it.'),
  }),
)

const tierSchema = z.lazy(() =>
  z.strictObject({
    slots: slots.describe('Calls at the same time.'),
    rate_per_s: aboveZero.nullable().default(null).describe('Tokens per second; null: no limit. A call takes one.'),
    burst: z
      .number()
      .min(1, { error: 'expected 1 or more: a call takes one token' })
      .default(1)
      .describe('Tokens that the bucket holds; it starts full.'),
    price: amount.default(0).describe('Per call, failed ones too.'),
    failure: probability.default(0).describe('Chance that a call fails, after its whole time.'),
    timeout_ms: aboveZero.nullable().default(null).describe('A call that would take longer ends here, as failed.'),
    retries: z.int().min(0).default(3).describe('How often a step is tried again.'),
    speed: aboveZero.default(1).describe('2 halves every service time.'),
  }),
)

const arrivalsSchema = z.lazy(() =>
  z.union(
    [
      z.literal('all_at_once'),
      z.strictObject({ poisson_per_s: aboveZero }),
      z.strictObject({ trace: z.string().min(1).describe('A CSV with a column arrival_ms, one row per workflow.') }),
    ],
    { error: 'expected all_at_once, { poisson_per_s: number } or { trace: file.csv }' },
  ),
)

const stopRule = z.lazy(() => z.strictObject({ coverage: probability, confidence: probability }))

/** Everything about the simulated world that is not a flag. Omitted parts come from the default model. */
export const modelSchema = z.lazy(() =>
  z.strictObject({
    steps: z.record(z.string(), stepSchema).optional(),
    providers: z
      .record(
        z.string(),
        z.strictObject({ tiers: z.array(tierSchema).min(1, { error: 'expected at least one tier' }) }),
      )
      .optional(),
    local: z.record(z.string(), z.strictObject({ slots })).optional(),
    arrivals: arrivalsSchema.optional(),
    heavy_tail: z.strictObject({ probability, multiplier: aboveZero }).optional(),
    budget_per_workflow: amount.nullable().optional(),
    priority: z.strictObject({ critical_path: z.number(), slack: z.number(), age: z.number() }).optional(),
    estimates: z
      .strictObject({ window: slots.max(1_000_000).describe('Latest samples that count.'), initial_ms: aboveZero })
      .optional(),
    escalation: z.strictObject({ min_benefit_ms_per_usd: amount, initial_queue_wait_ms: amount }).optional(),
    hedging: z
      .strictObject({
        after_p95: aboveZero.describe(
          'A call that takes longer than so many times the 95th percentile is a straggler.',
        ),
        min_samples: slots.describe('Finished calls before the percentile is believed.'),
        max_per_step: slots,
      })
      .optional(),
    retry: z
      .strictObject({ backoff_ms: amount, factor: z.number().min(1), max_ms: amount, jitter: probability })
      .optional(),
    early_stop: z
      .strictObject({ strong: stopRule, borderline: stopRule.unwrap().extend({ chance: probability }) })
      .optional(),
    rules: z
      .strictObject({
        spill: z
          .boolean()
          .default(false)
          .describe('Every policy may use a dearer tier when the cheaper ones are full.'),
        timeout_sees_tail: z.boolean().default(true).describe('Timeouts apply after the heavy tail.'),
        charge_losers: z.boolean().default(true).describe('What a cancelled call has used is paid.'),
        gates_count: z.boolean().default(true).describe('A step counts what it gates, even if that is not there yet.'),
        back_off: z.boolean().default(true).describe('Failed calls wait before they are tried again.'),
      })
      .optional(),
  }),
)

export type WrittenModel = z.output<typeof modelSchema>
/** A complete model. */
export type Model = Required<WrittenModel>
export type StepSpec = z.output<typeof stepSchema>
export type TierSpec = z.output<typeof tierSchema>
export type Arrivals = z.output<typeof arrivalsSchema>
