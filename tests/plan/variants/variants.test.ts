import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Experiment } from '../../../src/define/experiment.ts'
import { type Variants, variantsOf } from '../../../src/plan/variants/variants.ts'
import { canonicalJson } from '../../../src/util/json.ts'
import { arbitraryExperiment } from '../arbitrary-experiment.ts'
import { experimentWith, factor } from '../experiment.ts'
import { referenceExpansion } from '../reference-expansion.ts'

const all = (variants: Variants) => Array.from({ length: variants.count }, (_, index) => variants.at(index))
const paramsOf = (parts: Partial<Experiment>) => all(variantsOf(experimentWith(parts))).map(({ params }) => params)
const range = (count: number) => Array.from({ length: count }, (_, index) => index)

test('finds the same variants as brute force, each once', () => {
  fc.assert(
    fc.property(arbitraryExperiment, experiment => {
      const found = all(variantsOf(experiment, () => {})).map(({ params, ablation }) =>
        canonicalJson(ablation === null ? params : { ...params, ablation }),
      )
      expect(found.length).toBe(new Set(found).size)
      expect(found.toSorted()).toEqual([...referenceExpansion(experiment)].toSorted())
    }),
    { numRuns: 500 },
  )
})

test('the JSON in the key is that of the parameters', () => {
  fc.assert(
    fc.property(arbitraryExperiment, experiment => {
      for (const { params, paramsJson } of all(variantsOf(experiment, () => {})))
        expect(paramsJson).toBe(canonicalJson(params))
    }),
  )
})

test('factors are crossed, the last varying fastest, constants first', () => {
  expect(paramsOf({ params: { depth: 1 }, factors: [factor('a', ['x', 'y']), factor('b', [1, 2])] })).toEqual([
    { depth: 1, a: 'x', b: 1 },
    { depth: 1, a: 'x', b: 2 },
    { depth: 1, a: 'y', b: 1 },
    { depth: 1, a: 'y', b: 2 },
  ])
})

test('without factors there is one variant', () => {
  expect(paramsOf({ params: { depth: 1 } })).toEqual([{ depth: 1 }])
})

test('a level that is listed twice counts once', () => {
  expect(paramsOf({ factors: [factor('a', [1, 1, 2])] })).toEqual([{ a: 1 }, { a: 2 }])
})

test('zipped factors vary together', () => {
  const zip = [[factor('model', ['small', 'large']), factor('price', [1, 9])]]
  expect(paramsOf({ factors: [factor('a', [1, 2])], zip })).toEqual([
    { a: 1, model: 'small', price: 1 },
    { a: 1, model: 'large', price: 9 },
    { a: 2, model: 'small', price: 1 },
    { a: 2, model: 'large', price: 9 },
  ])
})

test('a zipped factor can be absent alone; rows that become equal are merged', () => {
  const zip = [[factor('model', ['small', 'small', 'large']), factor('price', [1, 2, 9], 'paid == true')]]
  expect(paramsOf({ factors: [factor('paid', [false, true])], zip })).toEqual([
    { paid: false, model: 'small' },
    { paid: false, model: 'large' },
    { paid: true, model: 'small', price: 1 },
    { paid: true, model: 'small', price: 2 },
    { paid: true, model: 'large', price: 9 },
  ])
})

describe('when', () => {
  const strategy = factor('strategy', ['raw', 'summary'])
  const n = factor('n', [15, 21], "strategy == 'summary'")
  const m = factor('m', [7, 18], "strategy == 'summary'")

  test('a factor whose condition is false is absent, and constraints about it do not apply', () => {
    expect(paramsOf({ factors: [strategy, n, m], constraints: ['m < n'] })).toEqual([
      { strategy: 'raw' },
      { strategy: 'summary', n: 15, m: 7 },
      { strategy: 'summary', n: 21, m: 7 },
      { strategy: 'summary', n: 21, m: 18 },
    ])
  })

  test('conditions may build on each other, in any order, and the listed order stays', () => {
    const deep = factor('deep', [1, 2], 'n == 21')
    expect(paramsOf({ factors: [deep, n, strategy] })).toEqual([
      { strategy: 'raw' },
      { n: 15, strategy: 'summary' },
      { deep: 1, n: 21, strategy: 'summary' },
      { deep: 2, n: 21, strategy: 'summary' },
    ])
  })

  test('an absent factor leaves the constant of the same name', () => {
    expect(paramsOf({ params: { n: 0 }, factors: [strategy, n] })).toEqual([
      { n: 0, strategy: 'raw' },
      { n: 15, strategy: 'summary' },
      { n: 21, strategy: 'summary' },
    ])
  })

  test('plans thirty conditional factors without trying all combinations', () => {
    const optimizers = range(10).map(at => `o${at}`)
    const factors = optimizers.flatMap(name =>
      range(3).map(at => factor(`${name}_${at}`, [1, 2, 3, 4, 5], `optimizer == '${name}'`)),
    )
    expect(variantsOf(experimentWith({ factors: [...factors, factor('optimizer', optimizers)] })).count).toBe(1250)
  })

  test('a circle is named', () => {
    const factors = [factor('a', [1], 'b == 1'), factor('b', [1], 'c == 1'), factor('c', [1], 'a == 1')]
    expect(() => variantsOf(experimentWith({ factors }))).toThrowErrorMatchingInlineSnapshot(
      `[AssayError: the conditions form a cycle: a → b → c → a]`,
    )
  })
})

describe('ablations', () => {
  test('are crossed, innermost, with their flags', () => {
    const ablations = [
      { name: 'baseline', flags: [], set: {} },
      { name: 'no_hedge', flags: ['--disable_hedging'], set: {} },
    ]
    const variants = all(variantsOf(experimentWith({ factors: [factor('a', [1, 2])], ablations })))
    expect(variants.map(({ params, ablation, flags }) => [params.a, ablation, flags])).toEqual([
      [1, 'baseline', []],
      [1, 'no_hedge', ['--disable_hedging']],
      [2, 'baseline', []],
      [2, 'no_hedge', ['--disable_hedging']],
    ])
  })

  test('a parameter set by an ablation no longer varies, and conditions see its value', () => {
    const ablations: Experiment['ablations'] = [
      { name: 'all', flags: [], set: {} },
      { name: 'no_memory', flags: [], set: { memory: 'none', extra: null } },
    ]
    const factors = [factor('memory', ['short', 'long']), factor('size', [1, 2], "memory != 'none'")]
    const variants = all(variantsOf(experimentWith({ factors, ablations })))
    expect(variants.map(({ params, ablation }) => [ablation, params])).toEqual([
      ['all', { memory: 'short', size: 1 }],
      ['no_memory', { memory: 'none', extra: null }],
      ['all', { memory: 'short', size: 2 }],
      ['all', { memory: 'long', size: 1 }],
      ['all', { memory: 'long', size: 2 }],
    ])
  })
})

describe('include', () => {
  const factors = [factor('policy', ['full', 'cheap']), factor('workflows', [50, 100])]

  test('fixes the factors that it names and crosses the rest, without duplicates', () => {
    expect(
      paramsOf({ factors, include: [{ policy: 'new' }, { policy: ['new', 'full'], workflows: 50 }] }).slice(4),
    ).toEqual([
      { policy: 'new', workflows: 50 },
      { policy: 'new', workflows: 100 },
    ])
  })

  test('may bring a parameter of its own', () => {
    expect(paramsOf({ factors, include: [{ policy: 'full', workflows: 50, trace: true }] }).at(-1)).toEqual({
      policy: 'full',
      workflows: 50,
      trace: true,
    })
  })

  test('a list that is a level of the factor is one level', () => {
    const layers = [factor('layers', [[64], [32, 32]])]
    expect(paramsOf({ factors: layers, include: [{ layers: [32, 32], note: 1 }] }).at(-1)).toEqual({
      layers: [32, 32],
      note: 1,
    })
  })

  test('of a zipped factor uses the matching rows, or a level of its own', () => {
    const zip = [[factor('model', ['small', 'large']), factor('price', [1, 9])]]
    expect(
      paramsOf({
        zip,
        include: [
          { model: 'large', x: 1 },
          { model: 'huge', price: 50 },
        ],
      }).slice(2),
    ).toEqual([
      { model: 'large', price: 9, x: 1 },
      { model: 'huge', price: 50 },
    ])
  })

  test('alone lists the variants', () => {
    expect(paramsOf({ include: [{ a: 1 }, { a: 2, b: 3 }] })).toEqual([{ a: 1 }, { a: 2, b: 3 }])
  })

  test('crosses its lists, whether or not they belong to factors', () => {
    expect(paramsOf({ include: [{ a: [1, 2], b: ['x', 'y'] }] })).toEqual([
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { a: 2, b: 'x' },
      { a: 2, b: 'y' },
    ])
    expect(paramsOf({ factors: [factor('a', [1])], include: [{ a: [5, 6], extra: [1, 2] }] })).toEqual([
      { a: 1 },
      { a: 5, extra: 1 },
      { a: 5, extra: 2 },
      { a: 6, extra: 1 },
      { a: 6, extra: 2 },
    ])
  })

  test('names runs by the levels that it lists', () => {
    const { slug } = variantsOf(experimentWith({ include: [{ a: [1, 2] }] })).at(1)
    expect(slug).toBe('a-2')
  })

  test('a list is one level in a list of lists, or if the parameter is a list elsewhere', () => {
    expect(paramsOf({ include: [{ layers: [[64, 64], [32]] }] })).toEqual([{ layers: [64, 64] }, { layers: [32] }])
    expect(paramsOf({ params: { layers: [8] }, include: [{ layers: [64, 64] }] })).toEqual([{ layers: [64, 64] }])
  })

  test('keeps constant parameters in front', () => {
    const params = paramsOf({ params: { depth: 3 }, factors: [factor('a', [1])], include: [{ a: 2, trace: true }] })
    expect(params.map(one => Object.keys(one))).toEqual([
      ['depth', 'a'],
      ['depth', 'trace', 'a'],
    ])
  })

  test('its variants can be excluded', () => {
    expect(paramsOf({ include: [{ a: [1, 2, 3] }], exclude: [{ a: 2 }] })).toEqual([{ a: 1 }, { a: 3 }])
  })
})

describe('exclude and constraints', () => {
  const factors = [factor('policy', ['full', 'cheap']), factor('workflows', [50, 100, 200])]

  test('remove partial matches; a list means any of', () => {
    expect(paramsOf({ factors, exclude: [{ policy: 'full', workflows: [100, 200] }] })).toHaveLength(4)
  })

  test('an empty plan says what removed how much', () => {
    const experiment = experimentWith({
      factors,
      constraints: ['workflows < 100', "policy == 'cheap'"],
      exclude: [{ workflows: 50 }],
    })
    expect(() => variantsOf(experiment)).toThrowErrorMatchingInlineSnapshot(`
      [AssayError: no variant is left: constraints and exclude remove all of them
        constraints 0: workflows < 100 (removes 4 of 6)
        constraints 1: policy == 'cheap' (removes 3 of 6)
        exclude[0]: {"workflows":50} (removes 2 of 6)]
    `)
  })
})

test('more combinations than can be counted are refused', () => {
  const factors = range(60).map(at => factor(`f${at}`, [1, 2, 3]))
  expect(() => variantsOf(experimentWith({ factors }))).toThrowErrorMatchingInlineSnapshot(
    `[AssayError: the factors have 4.2e+28 combinations, more than can be counted]`,
  )
})
