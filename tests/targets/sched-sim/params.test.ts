import { describe, expect, test } from 'vitest'
import { checkedSettings } from '../../../src/targets/sched-sim/check-settings.ts'
import { parseParams } from '../../../src/targets/sched-sim/params.ts'
import { errorOf } from '../../define/example.ts'
import { settingsWith } from './support/settings.ts'

test('the defaults are those of agent_sched_sim', () => {
  expect(parseParams({})).toMatchObject({
    workflows: 100,
    pdfs: 10,
    iters: 3,
    subqueries: 4,
    policy: 'full',
    seed: 1n,
    time_scale: 50,
    enable_model_routing: false,
    disable_hedging: false,
    disable_escalation: false,
    disable_dag_priority: false,
  })
  expect(settingsWith().model.heavy_tail).toEqual({ probability: 0.02, multiplier: 50 })
})

test('a seed may have 64 bits, as text', () => {
  expect(parseParams({ seed: '18446744073709551615' }).seed).toBe(18446744073709551615n)
})

test.each([
  ['workflows', -5, 'expected a whole number from 1 to 10,000,000, got -5'],
  ['workflows', 2.5, 'whole number'],
  ['pdfs', 0, 'from 1 to 100,000, got 0'],
  ['subqueries', -1, 'from 0 to 100,000, got -1'],
  ['iters', 0, 'from 1 to 1000, got 0'],
  ['time_scale', 0, 'got 0'],
  ['heavy_tail_prob', 2, 'expected a probability from 0 to 1, got 2'],
  ['heavy_tail_prob', -1, 'expected a probability from 0 to 1, got -1'],
  ['heavy_tail_mult', -3, 'expected a number above 0, got -3'],
  ['policy', 'ful', 'expected one of fifo_cheapest, dag_cheapest, dag_escalation, full, got "ful"'],
  ['seed', -1, 'expected a whole number from 0 to 18446744073709551615, got -1'],
  ['seed', '18446744073709551616', 'expected a whole number from 0 to 18446744073709551615'],
  ['seed', 2 ** 60, 'expected a whole number'],
  ['spill', 'yes', 'expected true or false, got "yes"'],
  ['trace', 'some', 'expected all, attempts or none, got "some"'],
])('%s %s is refused', (name, value, message) => {
  expect(errorOf(() => parseParams({ [name]: value })).message).toContain(`${name}: `)
  expect(errorOf(() => parseParams({ [name]: value })).message).toContain(message)
})

test('an unknown parameter is refused with the nearest one', () => {
  expect(errorOf(() => parseParams({ polcy: 'full' })).message).toMatch(
    /polcy: the simulator has no such parameter; .*policy/,
  )
})

describe('errors in the combination of model and sizes are refused too', () => {
  const step = { after: [], size: 0, service_ms: 5, critical: false, decides: false, on: 'cpu' }

  test('too many nodes', () => {
    const error = errorOf(() => settingsWith({ pdfs: 100_000, subqueries: 100 }))
    expect(error.message).toContain('with pdfs 100000 and subqueries 100 one iteration has')
  })

  test('no work', () => {
    const settings = settingsWith({ subqueries: 0 }, { steps: { a: { ...step, for_each: ['subqueries'] } } })
    expect(errorOf(() => checkedSettings(settings)).message).toContain('a workflow has nothing to do')
  })

  test('a formula that fails for these sizes, or in a later iteration', () => {
    const steps = (formula: string) => ({ a: { ...step, for_each: [], service_ms: formula } })
    const refused = (params: Parameters<typeof settingsWith>[0], formula: string) =>
      errorOf(() => checkedSettings(settingsWith(params, { steps: steps(formula) }))).message
    expect(refused({ subqueries: 0 }, '100 / subqueries')).toContain('steps.a.service_ms')
    expect(refused({ iters: 5 }, '100 - 40 * iteration')).toContain('got -60 (with pdfs 10, subqueries 4, iteration 4)')
  })
})

test.each([
  [0, false],
  [null, false],
  ['', false],
  [1, true],
  [true, true],
])('enable_model_routing may be %j, as in files of the sweep runner', (value, meant) => {
  expect(parseParams({ enable_model_routing: value }).enable_model_routing).toBe(meant)
})

test('text is not a flag: Python treats "false" as true', () => {
  expect(() => parseParams({ enable_model_routing: 'false' })).toThrow('expected true or false, got "false"')
})
