import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { otlpOf } from '../../../src/models/trace/read-trace.ts'
import { functionTarget } from '../../../src/targets/function/function-target.ts'
import { CountedPermits } from '../../models/support.ts'
import { experimentWith, functions, performOne } from '../../perform/support.ts'
import { temporaryDirectory } from '../../process/support.ts'
import { spansOf } from '../../support/otlp-receiver.ts'
import { problemsOfOtlp } from '../../support/valid-otlp.ts'

afterAll(() => functionTarget.close?.())

const price = [{ above: 0, input: 1000, output: 1000 }]
const models: ModelSettings = {
  'sim/m': {
    price,
    rules: [
      { contains: ['FAIL'], fail: 'server_error' },
      { matches: '(.*)', answer: 'echo {1}' },
    ],
  },
  'sim/small-context': { price, context: 1000 },
  'sim/slow': { price, latency: { base_ms: 600_000, per_token_ms: 0, spread: 0 } },
}
const calls = { rehearse: false, cache: false, record: null, replay: null, trace: 'content' } as const

const calling = (name: string, more: object = {}) =>
  experimentWith(
    { kind: 'function', module: 'calls-models.ts', export: name, models: true },
    { folder: functions, models, calls, ...more },
  )

const valuesOf = ({ metrics }: Awaited<ReturnType<typeof performOne>>) =>
  Object.fromEntries(metrics.map(one => [one.metric, 'value' in one ? one.value : one.problem]))

describe('context.models', () => {
  test('calls with permits of the run, and adds up their costs', async () => {
    const dir = temporaryDirectory()
    const permits = new CountedPermits()
    const result = await performOne(calling('default'), dir, { permits })
    expect(result.outcome).toEqual({ kind: 'completed' })
    const spent = permits.settled.reduce((sum, { usd }) => sum + (usd ?? Number.NaN), 0)
    expect(permits.settled).toHaveLength(2)
    expect(spent).toBeGreaterThan(0)
    expect(result.cost_usd).toBeCloseTo(spent, 12)
    expect(result).toMatchObject({ calls: 2 })
    expect(valuesOf(result)).toMatchObject({ own_calls: 2, summaries: 1, model_calls: 2, price_usd: spent })
    expect(valuesOf(result).own_cost).toBeCloseTo(spent, 12)
    expect(valuesOf(result).input_tokens).toBeGreaterThan(0)
    const trace = readFileSync(join(dir, 'runs/the-run/trace.jsonl'), 'utf8')
    expect(trace).toContain('echo two')
    expect(trace).toContain('"summary"')
  })

  describe('has spans for agents and tools', () => {
    const spansAfter = async (name: string) => {
      const dir = temporaryDirectory()
      const notes: string[] = []
      const result = await performOne(calling(name), dir, { onNote: note => notes.push(note) })
      const file = join(dir, 'runs/the-run/trace.jsonl')
      const document = JSON.parse([...otlpOf([{ run: 'r', file, text: readFileSync(file, 'utf8') }], 'e')].join(''))
      expect(problemsOfOtlp(document)).toEqual([])
      const spans = spansOf(document)
      const parentOf = (id: string | undefined) =>
        spans.find(({ spanId }) => spanId === id)?.name.replace(/^run .*/, 'run')
      return {
        result,
        notes,
        spans,
        tree: spans.map(({ name: of, parentSpanId }) => `${parentOf(parentSpanId)} > ${of}`),
      }
    }

    test('below the run, from a thread, with results, failures and scores', async () => {
      const { result, spans, tree } = await spansAfter('traced')
      expect(valuesOf(result)).toMatchObject({ right: 1, model_calls: 2 })
      expect(tree.slice(0, -1)).toEqual([
        'invoke_agent planner > chat sim/m',
        'invoke_agent planner > execute_tool ls',
        'invoke_agent planner > execute_tool rm',
        'invoke_agent worker > chat sim/m',
        'invoke_agent planner > invoke_agent worker',
        'run > invoke_agent planner',
      ])
      expect(spans[1]?.facts).toMatchObject({
        'gen_ai.tool.call.id': 'call-1',
        'gen_ai.tool.call.arguments': '{"path":"."}',
        'gen_ai.tool.call.result': '["a","b"]',
      })
      expect(spans[2]?.status).toEqual({ code: 2, message: 'not allowed' })
      expect(spans.at(-1)).toMatchObject({
        facts: { 'assay.outcome': 'completed' },
        events: [{ facts: { 'gen_ai.evaluation.name': 'tests', 'gen_ai.evaluation.score.label': 'fail' } }],
      })
    })

    test('including those that the function left open', async () => {
      const { spans, tree } = await spansAfter('leavesOpen')
      expect(tree).toContain('run > invoke_agent left')
      expect(spans.find(({ name }) => name === 'invoke_agent left')?.status.message).toBe('the run is over')
    })

    test('with checked facts: invalid ones are reported, and the work is done', async () => {
      const { result, notes } = await spansAfter('wrongSpans')
      expect(valuesOf(result)).toMatchObject({ right: 1 })
      expect(notes).toEqual([expect.stringContaining('context.models.agent: description')])
    })
  })

  test('answers many calls at once, each its own', async () => {
    expect(valuesOf(await performOne(calling('atOnce'), temporaryDirectory()))).toMatchObject({ right: 1 })
  })

  test('ends at the limits of the run, even if the function catches the error', async () => {
    for (const name of ['untilTheEnd', 'swallows']) {
      const permits = new CountedPermits()
      const result = await performOne(calling(name), temporaryDirectory(), { run_calls: 3, permits })
      expect(result.outcome).toMatchObject({ kind: 'cost_limited', limit: 'run_calls', limit_at: 3 })
      expect(permits.settled).toHaveLength(3)
    }
    const result = await performOne(calling('untilTheEnd'), temporaryDirectory(), { run_budget_usd: 20 })
    expect(result.outcome).toMatchObject({ kind: 'cost_limited', limit: 'run_budget_usd' })
    expect(result.cost_usd).toBeLessThanOrEqual(20)
  })

  test('a call without an answer ends the run as its fault says, also as the cause of another error', async () => {
    const retry = { limits: { ...calling('failing').limits, fail_on_rate_limit: true } }
    const failed = calling('failing', { ...retry, models: { 'sim/m': { price, rules: [{ fail: 'content_filter' }] } } })
    expect((await performOne(failed, temporaryDirectory())).outcome).toMatchObject({
      kind: 'failed',
      error_class: 'content_filtered',
    })
    const limited = {
      models: { 'sim/m': { price, failures: { retry_after_ms: 1 }, rules: [{ fail: 'rate_limited' }] } },
    }
    const result = await performOne(calling('wrapping', { ...retry, ...limited }), temporaryDirectory())
    expect(result.outcome).toMatchObject({ kind: 'rate_limited', error_class: 'rate_limited' })
    expect(result.outcome.message).toContain('step 3 went wrong')
  })

  test('a prompt that is too long is an error with used and allowed, and its size is known before', async () => {
    const values = valuesOf(await performOne(calling('tooLong'), temporaryDirectory()))
    expect(values).toMatchObject({ named: 1, allowed: 1000, context: 1000 })
    expect(values.used).toBe(values.estimated)
    expect(values.used).toBeGreaterThan(4000)
  })

  test('streams to listeners', async () => {
    expect(valuesOf(await performOne(calling('listens'), temporaryDirectory()))).toMatchObject({ same: 1, pieces: 11 })
  })

  test('refuses an invalid call by name', async () => {
    const { outcome } = await performOne(calling('misspelt'), temporaryDirectory())
    expect(outcome).toMatchObject({ kind: 'failed', error_class: 'TypeError' })
    expect(outcome.message).toContain('unrecognized key: "temprature"; did you mean "temperature"?')
    const plain = await performOne(calling('notPlain'), temporaryDirectory())
    expect(plain.outcome.message).toContain('context.models: a call is plain data')
  })

  test('aborts a call on the function’s signal, and settles its permit', async () => {
    const permits = new CountedPermits()
    expect(valuesOf(await performOne(calling('givesUp'), temporaryDirectory(), { permits }))).toMatchObject({
      given_up: 1,
    })
    expect(permits.open).toBe(0)
  })

  test('unawaited calls are aborted with the run', async () => {
    const permits = new CountedPermits()
    const { outcome } = await performOne(calling('forgets'), temporaryDirectory(), { permits })
    expect(outcome).toEqual({ kind: 'completed' })
    expect(permits.open).toBe(0)
  })

  test('a call after the function has returned is refused with a notice', async () => {
    const notes: string[] = []
    const permits = new CountedPermits()
    await performOne(calling('tooLate'), temporaryDirectory(), { permits, onNote: note => void notes.push(note) })
    await expect.poll(() => notes.join()).toContain('called a model after it had returned')
    expect(permits.asked).toHaveLength(0)
  })

  test('a run that is cancelled ends its calls', async () => {
    const controller = new AbortController()
    const permits = new CountedPermits()
    const { outcome } = await performOne(calling('waits'), temporaryDirectory(), {
      permits,
      signal: controller.signal,
      onPoint: ({ metric }) => metric === 'started' && controller.abort({ kind: 'cancelled', message: 'enough' }),
    })
    expect(outcome.kind).toBe('cancelled')
    expect(permits.open).toBe(0)
  })

  test('a metric that the function reports by itself stays its own', async () => {
    expect(valuesOf(await performOne(calling('reportsItself'), temporaryDirectory()))).toMatchObject({
      input_tokens: 12345,
    })
  })
})
