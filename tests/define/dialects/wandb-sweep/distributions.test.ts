import { describe, expect, test } from 'vitest'
import type { Domain } from '../../../../src/define/experiment.ts'
import { numberAt } from '../../../../src/plan/search/space/domain.ts'
import { withParameter } from './sweep.ts'

const domainOf = (parameter: string): Domain => {
  const { domain } = withParameter(parameter).factors[0] ?? {}
  if (domain === undefined) throw new Error('it is not a range')
  return domain
}

/** The draws at these positions between 0 and 1. */
const drawn = (parameter: string, ...places: number[]) => places.map(place => numberAt(domainOf(parameter), place))

describe('the form of a parameter', () => {
  test.each([
    ['{ value: 3 }', { params: { x: 3 }, factors: [] }],
    ['{ distribution: constant, value: [1, 2] }', { params: { x: [1, 2] }, factors: [] }],
    ['{ value: null }', { params: { x: null }, factors: [] }],
    ['{ values: [1, two, null, true, [3]] }', { factors: [{ name: 'x', levels: [1, 'two', null, true, [3]] }] }],
    [
      '{ values: [a, b, a], probabilities: [0.2, 0.5, 0.3] }',
      { factors: [{ levels: ['a', 'b'], probabilities: [0.5, 0.5] }] },
    ],
    ['{ min: 1, max: 4 }', { factors: [{ levels: [1, 2, 3, 4] }] }],
    ['{ min: 1.0, max: 4 }', { factors: [{ levels: [], domain: { kind: 'uniform', min: 1, max: 4, step: null } }] }],
    ['{ min: 1, max: 4e0 }', { factors: [{ levels: [], domain: { kind: 'uniform', min: 1, max: 4, step: null } }] }],
    ['{ distribution: uniform, min: 1, max: 4 }', { factors: [{ levels: [], domain: { kind: 'uniform' } }] }],
    ['{ distribution: int_uniform, min: -1, max: 1 }', { factors: [{ levels: [-1, 0, 1] }] }],
  ])('%s', (written, expected) => {
    const isConstant = 'params' in expected
    expect(withParameter(written, isConstant ? 'grid' : 'random')).toMatchObject(expected)
  })
})

describe('the draws of each distribution', () => {
  test.each([
    ['{ min: 1, max: 4 }', [0, 0.2, 0.3, 0.99, 1], [1, 1, 2, 4, 4]],
    ['{ min: 0.0, max: 2 }', [0, 0.25, 1], [0, 0.5, 2]],
    ['{ distribution: q_uniform, min: 0, max: 1, q: 0.25 }', [0, 0.12, 0.2, 0.9, 1], [0, 0, 0.25, 1, 1]],
    // Half a step is rounded to the even one, as numpy does it: 0.5 → 0, 1.5 → 2, 2.5 → 2.
    ['{ distribution: q_uniform, min: 0, max: 4 }', [0.125, 0.375, 0.625, 0.876], [0, 2, 2, 4]],
    // And a number of the range may be rounded to one outside of it.
    ['{ distribution: q_uniform, min: 0, max: 11, q: 3 }', [0, 1], [0, 12]],
    ['{ distribution: q_uniform, min: 2, max: 11, q: 3 }', [0, 0.5, 1], [3, 6, 12]],
    ['{ distribution: log_uniform, min: 0, max: 2 }', [0, 0.5, 1], [1, Math.E, Math.E ** 2]],
    ['{ distribution: log_uniform_values, min: 0.01, max: 100 }', [0, 0.5, 1], [0.01, 1, 100]],
    ['{ distribution: q_log_uniform, min: 0, max: 3, q: 2 }', [0, 0.5, 1], [0, 4, 20]],
    ['{ distribution: q_log_uniform_values, min: 16, max: 256, q: 16 }', [0, 0.5, 0.6, 1], [16, 64, 80, 256]],
    ['{ distribution: inv_log_uniform, min: 0, max: 2 }', [0, 0.5, 1], [Math.E ** -2, Math.E ** -1, 1]],
    ['{ distribution: inv_log_uniform_values, min: 0.01, max: 100 }', [0, 0.5, 1], [0.01, 1, 100]],
    ['{ distribution: normal }', [0.5, 0.8413447460685429], [0, 1]],
    ['{ distribution: normal, mu: 10, sigma: 2 }', [0.5, 0.8413447460685429], [10, 12]],
    ['{ distribution: q_normal, mu: 10, sigma: 2, q: 5 }', [0.5, 0.97], [10, 15]],
    ['{ distribution: log_normal, mu: 1, sigma: 1 }', [0.5], [Math.E]],
    ['{ distribution: q_log_normal, mu: 1, sigma: 1 }', [0.5, 0.9], [3, 10]],
    ['{ distribution: beta }', [0.25, 0.5], [0.25, 0.5]],
    ['{ distribution: beta, a: 2, b: 2 }', [0.5], [0.5]],
    ['{ distribution: q_beta, a: 2, b: 2, q: 0.2 }', [0.5, 0.55, 0.99], [0.4, 0.6, 1]],
  ])('%s at %j', (written, places, expected) => {
    const numbers = drawn(written, ...places)
    numbers.forEach((number, index) => {
      expect(number).toBeCloseTo(expected[index] ?? Number.NaN, 4)
    })
  })
})

describe('the levels of a grid', () => {
  test.each([
    ['{ values: [3, 1, 2] }', [3, 1, 2]],
    ['{ min: 2, max: 5 }', [2, 3, 4, 5]],
    // The maximum is left out, and steps count from the minimum, as numpy's arange has it.
    ['{ distribution: q_uniform, min: 1, max: 10, q: 3 }', [1, 4, 7]],
    ['{ distribution: q_uniform, min: 0, max: 0.3, q: 0.1 }', [0, 0.1, 0.2]],
    ['{ distribution: q_uniform, min: 1, max: 1.3, q: 0.1 }', [1, 1.1, 1.2]],
    ['{ distribution: q_uniform, min: 0, max: 3 }', [0, 1, 2]],
  ])('%s', (written, levels) => {
    expect(withParameter(written, 'grid').factors[0]?.levels).toEqual(levels)
  })

  test('more than in a search', () => {
    expect(withParameter('{ min: 1, max: 22500 }', 'grid').factors[0]?.levels).toHaveLength(22_500)
  })
})

describe('floats in Python', () => {
  test.each([
    ['{ min: 0, max: 9 }', false],
    ['{ min: 0.0, max: 9 }', true],
    ['{ distribution: normal }', true],
    ['{ distribution: q_normal }', false],
    ['{ distribution: q_normal, q: 2 }', false],
    ['{ distribution: q_normal, q: 2.0 }', true],
    ['{ distribution: q_uniform, min: 0.0, max: 9.0, q: 3 }', false],
  ])('%s', (written, isFloat) => {
    expect(withParameter(written).python?.floats).toEqual(isFloat ? ['x'] : [])
  })

  test('a grid counts like numpy', () => {
    const floats = (written: string) => withParameter(written, 'grid').python?.floats
    expect(floats('{ distribution: q_uniform, min: 0, max: 9, q: 3 }')).toEqual([])
    expect(floats('{ distribution: q_uniform, min: 0.0, max: 9, q: 3 }')).toEqual(['x'])
  })

  test.each([
    ['50', '50'],
    ['50.0', '50.0'],
    ['0.00001', '1e-05'],
    ['1.0e-3', '0.001'],
    // Text to the original's reader of YAML: it arrives as it was written.
    ['1e-3', '1e-3'],
    ['1.5e3', '1.5e3'],
    ['[1.0, 2]', '[1.0,2]'],
    ['"1.0"', '"1.0"'],
    ['yes', 'true'],
    ['"yes"', '"yes"'],
    ['010', '8'],
    ['-010', '-8'],
    ['08', '"08"'],
    ['"010"', '"010"'],
    ['0o10', '"0o10"'],
    ['0b101', '5'],
    ['0x1F', '31'],
    ['1:30', '90'],
    ['-1:01:01', '-3661'],
    ['"1:30"', '"1:30"'],
    ['1:75', '"1:75"'],
    ['Off', 'false'],
    ['1_000', '1000'],
    ['1_000x', '"1_000x"'],
  ])('%s is written %s', (written, spelt) => {
    expect(Object.values(withParameter(`{ value: ${written} }`, 'grid').python?.spelling.x ?? {})).toEqual([spelt])
  })
})
