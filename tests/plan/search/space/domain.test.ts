import { describe, expect, test } from 'vitest'
import type { Domain } from '../../../../src/define/experiment.ts'
import { levelsOf } from '../../../../src/define/levels.ts'
import { numberAt, placeOf } from '../../../../src/plan/search/space/domain.ts'
import { uniform } from '../spaces.ts'

const places = Array.from({ length: 999 }, (_, index) => (index + 1) / 1000)

const domains: readonly (readonly [name: string, domain: Domain])[] = [
  ['uniform', uniform(-2, 5)],
  ['log-uniform', uniform(1e-5, 0.1, 'log')],
  ['normal', { kind: 'normal', mean: 3, sd: 2, scale: 'linear', step: null }],
  ['log-normal', { kind: 'normal', mean: 0, sd: 1, scale: 'log', step: null }],
  ['beta', { kind: 'beta', a: 2, b: 5, step: null }],
]

describe('numbers of a range', () => {
  test.each(domains)('%s: the position of a number gives the number again', (_, domain) => {
    for (const place of places) expect(placeOf(domain, numberAt(domain, place))).toBeCloseTo(place, 4)
  })

  test('steps from the minimum are equally likely, and the limits are among them', () => {
    const domain: Domain = { kind: 'uniform', min: 1, max: 4, scale: 'linear', step: { size: 1, from: 1 } }
    const counts = Map.groupBy(places, place => numberAt(domain, place))
    expect([...counts.keys()]).toEqual([1, 2, 3, 4])
    for (const { length } of counts.values()) expect(Math.abs(length - 250)).toBeLessThan(3)
    expect(levelsOf(domain)).toEqual([1, 2, 3, 4])
    expect([1, 2, 3, 4].map(value => placeOf(domain, value))).toEqual([0.125, 0.375, 0.625, 0.875])
  })

  test('steps from 0 are rounded half to even, and may leave the limits, as in W&B', () => {
    const domain: Domain = { kind: 'uniform', min: 1, max: 10, scale: 'linear', step: { size: 4, from: 0 } }
    expect([...new Set(places.map(place => numberAt(domain, place)))]).toEqual([0, 4, 8])
    expect(levelsOf(domain)).toEqual([0, 4, 8])
  })

  test('steps have no noise of binary fractions', () => {
    const domain: Domain = { kind: 'uniform', min: 0, max: 1, scale: 'linear', step: { size: 0.1, from: 0 } }
    expect(levelsOf(domain)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
  })

  test('six significant digits, more where the range is narrow', () => {
    expect(numberAt(uniform(0, 1), 1 / 3)).toBe(0.333333)
    expect(numberAt(uniform(1e-5, 0.1, 'log'), 0.5)).toBe(0.001)
    expect(numberAt(uniform(1_000_000, 1_000_001), 1 / 3)).toBe(1_000_000.333333)
  })
})
