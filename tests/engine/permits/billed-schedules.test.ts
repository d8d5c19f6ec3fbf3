import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { LimitReached } from '../../../src/define/permits.ts'
import { ModelError } from '../../../src/models/model-error.ts'
import { type Models, openModels } from '../../../src/models/open-models.ts'
import { CallMeter } from '../../../src/perform/calls/call-meter.ts'
import { number } from '../../../src/record/journal/columns.ts'
import {
  type Answered,
  type Asked,
  type Bill,
  type BillingServer,
  environmentOf,
  startBillingServer,
} from '../../models/billing-server.ts'
import { money, planned, settle } from '../../record/support.ts'
import { openOffice } from './office.ts'

/** Enough for every change; `ASSAY_SCHEDULES=10000` for all that is promised. */
const schedules = Number(process.env.ASSAY_SCHEDULES ?? 25)

const price = { above: 0, input: 3, cached_input: 0.3, cache_write: 3.75, output: 15 }
const models = ['claude-haiku-4.5', 'gpt-5.1', 'google/gemini-2.5-flash', 'deepseek-chat', 'xai/grok-4'] as const
const settings: ModelSettings = Object.fromEntries(
  models.map(model => [model, { price: [price], stream: false, ...(model === 'gpt-5.1' && { api: 'responses' }) }]),
)

/** A server's treatment of the tries of a call, and its bill, encoded in the prompt. */
interface Treatment {
  /** The fate of the first tries, before one is answered. */
  readonly faults: readonly ('cut' | 'failed' | 'turned_away')[]
  /** Percent of the output that is allowed, of it that is reasoning, of the input that is cached. */
  readonly output: number
  readonly reasoning: number
  readonly cached: number
  /** Tokens beyond what is allowed: hidden reasoning. */
  readonly beyond: number
}

/** A server counts by its own rule: a token for each byte of the prompt, and as much output as it likes within limits. */
function treat({ body, limit }: Asked, tries: Map<string, number>): Answered {
  const text = JSON.stringify(body)
  const told = /treat(\d+) ([\w-]+)/.exec(text)
  const [faults = '', output = '0', reasoning = '0', cached = '0', beyond = '0'] = (told?.[2] ?? '').split('-')
  const nth = tries.get(told?.[1] ?? '') ?? 0
  tries.set(told?.[1] ?? '', nth + 1)
  const input = told?.[0].length ?? 0
  const written = Math.round((limit * Number(output)) / 100) + Number(beyond)
  const bill: Bill = {
    input,
    cached: Math.floor((input * Number(cached)) / 100),
    output: written,
    reasoning: Math.floor((written * Number(reasoning)) / 100),
  }
  const fault = faults[nth]
  if (fault === 'f') return { kind: 'status', status: 500 }
  if (fault === 't') return { kind: 'status', status: 429 }
  return { kind: fault === 'c' ? 'cut' : 'answer', bill }
}

const usdOf = ({ input, cached = 0, written = 0, output }: Bill): number =>
  ((input - cached - written) * price.input +
    cached * price.cached_input +
    written * price.cache_write +
    output * price.output) /
  1e6

const treatment = (beyond: fc.Arbitrary<number>): fc.Arbitrary<Treatment> =>
  fc.record({
    faults: fc.array(fc.constantFrom('cut' as const, 'failed' as const, 'turned_away' as const), { maxLength: 2 }),
    output: fc.integer({ min: 0, max: 100 }),
    reasoning: fc.integer({ min: 0, max: 100 }),
    cached: fc.integer({ min: 0, max: 100 }),
    beyond,
  })

const schedule = (beyond: fc.Arbitrary<number>) =>
  fc.record({
    /** In thousandths of a USD. */
    budget: fc.integer({ min: 1, max: 600 }),
    cap: fc.option(fc.integer({ min: 1, max: 300 })),
    runs: fc.array(
      fc.array(
        fc.record({
          model: fc.constantFrom(...models),
          reasoning: fc.constantFrom(undefined, 'none' as const, 'low' as const, 'high' as const),
          max_output_tokens: fc.constantFrom(16, 300, 2000),
          treatment: treatment(beyond),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      { minLength: 1, maxLength: 4 },
    ),
  })

type Schedule = ReturnType<typeof schedule> extends fc.Arbitrary<infer Made> ? Made : never

let calls = 0

/** Plays all runs at once, and returns the server's bill. */
async function play({ budget, cap, runs }: Schedule, all: Models, server: BillingServer) {
  const { journal, workerId } = planned(...runs.map((_, index) => `run-${index}`))
  const at = openOffice(journal, workerId, { budget_usd: budget / 1000 })
  const billedBefore = server.bills.length
  const perform = async (asked: Schedule['runs'][number], seed: number): Promise<void> => {
    const { permits, token } = at.start(cap === null ? null : cap / 1000)
    if (!journal.has('SELECT 1 FROM attempts WHERE token = ?', token)) return
    let cost = 0
    const meter = new CallMeter(
      permits,
      ({ value }) => {
        cost += value
      },
      reason => {
        throw new Error(reason)
      },
    )
    const client = all.client({ permits: meter, seed })
    try {
      for (const { treatment: to, ...settings } of asked) {
        const faults = to.faults.map(fault => fault[0]).join('')
        const content = `treat${calls++} ${faults}-${to.output}-${to.reasoning}-${to.cached}-${to.beyond}`
        const call = { ...settings, messages: [{ role: 'user' as const, content }], purpose: `purpose ${seed}` }
        await client.call(call, new AbortController().signal).catch((error: unknown) => {
          if (!(error instanceof ModelError)) throw error
        })
      }
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error
    }
    journal.transaction(() => {
      at.office.bookCallsOf(token)
      settle(journal, token, 'completed', {
        worker: workerId,
        cost_usd: cost,
        cost_at_least_usd: cost,
        cost_assumed: meter.hasAssumed,
      })
    })
    at.office.forget(token)
  }
  let isOver = false
  const over = Promise.all(runs.map(perform)).finally(() => {
    isOver = true
  })
  // A provider that refused a call is not called for a while.
  while (!isOver) {
    await setImmediate()
    at.clock.pass(250)
  }
  await over
  const bills = server.bills.slice(billedBefore)
  const { spent_usd = 0, reserved_usd = 0, overrun_usd = 0 } = money(journal) ?? {}
  const lines = journal.get(
    { usd: number, overrun: number, nobodys: number },
    `SELECT coalesce(sum(usd), 0) AS usd, coalesce(sum(overrun_usd), 0) AS overrun,
       count(*) FILTER (WHERE purpose IS NULL OR model IS NULL) AS nobodys
     FROM ledger WHERE kind IN ('charge', 'assumed')`,
  )
  expect(lines?.usd).toBeCloseTo(spent_usd, 9)
  expect(lines?.overrun).toBeCloseTo(overrun_usd, 9)
  expect(lines?.nobodys).toBe(0)
  expect(reserved_usd).toBeCloseTo(0, 9)
  // Ten thousand open journals are too many.
  at.office.close()
  journal.close()
  return { billed: bills.reduce((sum, bill) => sum + usdOf(bill), 0), spent_usd, overrun_usd, bills }
}

const open = (server: BillingServer): Models =>
  openModels({ env: environmentOf(server), settings, retry: { tries: 4, backoff_ms: 0 } })

it('bills for thinking, cached, cut and retried calls never exceed the budget', async () => {
  const tries = new Map<string, number>()
  const server = await startBillingServer(asked => treat(asked, tries))
  const all = open(server)
  await fc.assert(
    fc.asyncProperty(schedule(fc.constant(0)), async one => {
      const { billed, spent_usd, overrun_usd } = await play(one, all, server)
      expect(billed).toBeLessThanOrEqual(one.budget / 1000 + 1e-9)
      expect(spent_usd).toBeGreaterThanOrEqual(billed - 1e-9)
      expect(overrun_usd).toBe(0)
    }),
    { numRuns: schedules, seed: 16 },
  )
})

it('a provider that bills beyond its limits exceeds a budget only by the booked overrun', async () => {
  const tries = new Map<string, number>()
  const server = await startBillingServer(asked => treat(asked, tries))
  await fc.assert(
    fc.asyncProperty(schedule(fc.integer({ min: 0, max: 20_000 })), async one => {
      // No answer is cut, because the bill of a cut answer is unknown.
      const heard = {
        ...one,
        cap: null,
        runs: one.runs.map(run =>
          run.map(call => ({
            ...call,
            treatment: { ...call.treatment, faults: call.treatment.faults.filter(fault => fault !== 'cut') },
          })),
        ),
      }
      const { billed, spent_usd, overrun_usd, bills } = await play(heard, open(server), server)
      expect(spent_usd).toBeCloseTo(billed, 9)
      expect(billed).toBeLessThanOrEqual(one.budget / 1000 + overrun_usd + 1e-9)
      if (bills.length === 0) expect(overrun_usd).toBe(0)
    }),
    { numRuns: schedules, seed: 16 },
  )
})
