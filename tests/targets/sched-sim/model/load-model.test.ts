import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaultModel } from '../../../../src/targets/sched-sim/model/default-model.ts'
import { loadModel } from '../../../../src/targets/sched-sim/model/load-model.ts'
import { errorOf } from '../../../define/example.ts'
import { folderWith } from '../../../support/assay.ts'

const load = (text: string, files: Readonly<Record<string, string>> = {}) =>
  loadModel('model.yaml', folderWith({ 'model.yaml': text, ...files }))
const problem = (text: string, files: Readonly<Record<string, string>> = {}) => {
  const error = errorOf(() => load(text, files))
  expect(error.code).toBe('config')
  return [error.message, error.hint ?? ''].join('\n')
}

test('missing parts of a file come from the default model', () => {
  const model = load('local: { cpu: { slots: 9 }, io: { slots: 1 } }\nbudget_per_workflow: null\n')
  expect(model).toEqual({
    ...defaultModel,
    local: { cpu: { slots: 9 }, io: { slots: 1 } },
    budget_per_workflow: null,
  })
})

test('a tier has defaults for all but its slots', () => {
  const { providers } = load(
    'steps: { a: { on: p, service_ms: 5 } }\nproviders: { p: { tiers: [{ slots: 2 }] } }\nlocal: {}\n',
  )
  expect(providers.p?.tiers).toEqual([
    { slots: 2, rate_per_s: null, burst: 1, price: 0, failure: 0, timeout_ms: null, retries: 3, speed: 1 },
  ])
})

const fitting = (more: string) =>
  `steps: { ask: { on: cpu, service_ms: { kind: fit, csv: data/latencies.csv, column: ms${more} } } }\n`
const csv = 'model,ms\na,100\na,300\nb,5\nb,7\n'

test('a fit uses the column of a CSV beside the model, with selected rows', () => {
  const files = { 'data/latencies.csv': csv }
  const fitted = (more: string) => load(fitting(more), files).steps.ask?.service_ms
  expect(fitted(', family: exponential')).toEqual({ kind: 'exponential', mean: 103 })
  expect(fitted(', family: exponential, where: { model: b }')).toEqual({ kind: 'exponential', mean: 6 })
  expect(fitted(', family: empirical, where: { model: a }')).toEqual({ kind: 'empirical', values: [100, 300] })
})

test('a trace of arrivals is found beside the model', () => {
  const folder = folderWith({ 'deep/model.yaml': 'arrivals: { trace: when.csv }\n' })
  expect(loadModel('deep/model.yaml', folder).arrivals).toEqual({ trace: join(folder, 'deep/when.csv') })
})

const step = (more: string) => `steps: { a: { on: cpu, service_ms: 5 }, b: { on: cpu, service_ms: 5, ${more} } }\n`

describe('an error is reported with its place', () => {
  test.each([
    ['a tier without slots', 'providers: { p: { tiers: [{ slots: 0 }] } }', 'expected a whole number above 0, got 0'],
    ['no tier', 'providers: { p: { tiers: [] } }', 'expected at least one tier'],
    [
      'a probability over 1',
      'heavy_tail: { probability: 1.5, multiplier: 2 }',
      'expected a probability from 0 to 1, got 1.5',
    ],
    ['a failure rate below 0', 'providers: { p: { tiers: [{ slots: 1, failure: -0.1 }] } }', 'from 0 to 1, got -0.1'],
    [
      'a negative price',
      'providers: { p: { tiers: [{ slots: 1, price: -1 }] } }',
      'expected a number, 0 or more, got -1',
    ],
    ['a step that waits for itself', step('after: [b]'), 'the step waits for itself: b → b'],
    [
      'a step behind a cycle',
      step('after: [b] }, c: { on: cpu, service_ms: 1, after: [b]'),
      "c.after: the step can't be reached: it waits for b",
    ],
    ['an unknown step', step('after: [aa]'), 'there is no step "aa"'],
    ['a step named like part of every object', step('after: [constructor]'), 'there is no step "constructor"'],
    [
      'an unknown resource',
      step('on: cpus').replace('on: cpu, service_ms: 5, on', 'service_ms: 5, on'),
      'did you mean "cpu"?',
    ],
    ['a formula with an unknown name', step('size: 2 * pages'), 'pages'],
    ['a formula that can not be read', step('size: "2 *"'), 'steps.b.size'],
    ['a formula that gives no number', step('size: pdfs > 1'), 'instead of a number'],
    [
      'a spread below 0',
      'steps: { a: { on: cpu, service_ms: { kind: lognormal, mu: 5, sigma: -1 } } }',
      'expected a number, 0 or more, got -1',
    ],
    [
      'an upside-down range',
      'steps: { a: { on: cpu, service_ms: { kind: uniform, low: 9, high: 3 } } }',
      'expected at least the low end 9, got 3',
    ],
    ['repeating twice for the same', step('for_each: [pdfs, pdfs]'), 'expected each of them once'],
    [
      'two deciders',
      'steps: { a: { on: cpu, service_ms: 1, decides: true }, b: { on: cpu, service_ms: 1, decides: true } }',
      'only one step decides, and a does',
    ],
    [
      'a step that the decision does not need',
      step('decides: true'),
      'steps.a: nothing that b waits for needs this step',
    ],
    ['no steps', 'steps: {}', 'expected at least one step'],
    ['a misspelt key', 'heavy_tial: { probability: 0, multiplier: 2 }', 'heavy_tail'],
    [
      'a local resource and a provider of one name',
      'local: { cpu: { slots: 1 }, io: { slots: 1 }, llm_provider: { slots: 1 } }',
      '"llm_provider" is the name of a provider too',
    ],
    ['a rate of arrivals of 0', 'arrivals: { poisson_per_s: 0 }', 'arrivals'],
  ])('%s', (_name, text, expected) => {
    expect(problem(text)).toContain(expected)
    expect(problem(text)).toContain('model.yaml')
  })

  test('a missing column, with the existing ones', () => {
    expect(problem(fitting('s'), { 'data/latencies.csv': csv })).toMatch(/there is no column "mss"[\s\S]*"ms"/)
  })

  test('a missing CSV, a cell that is not a number, too few rows', () => {
    expect(problem(fitting(''))).toContain("data/latencies.csv: can't be read")
    expect(problem(fitting(''), { 'data/latencies.csv': 'ms\nfast\n' })).toContain('got "fast"')
    expect(problem(fitting(''), { 'data/latencies.csv': 'ms\n5\n' })).toContain('at least two latencies')
    expect(problem(fitting(', where: { model: c }'), { 'data/latencies.csv': csv })).toContain(
      'no row has the wanted cells',
    )
  })

  test('a missing file', () => {
    expect(errorOf(() => loadModel('none.yaml', folderWith())).hint).toBe(
      'assay sim --print-model > model.yaml makes one',
    )
  })
})
