import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knownDifferences, pairedDifferences } from '../../../src/stats/describe/differences.ts'
import { midranks } from '../../../src/stats/describe/ranks.ts'
import { unavailable } from '../../../src/stats/estimate.ts'
import { brunnerMunzelTest } from '../../../src/stats/tests/ranks/brunner-munzel.ts'
import { friedmanTest } from '../../../src/stats/tests/ranks/friedman.ts'
import { mannWhitneyExact, mannWhitneyNormal } from '../../../src/stats/tests/ranks/mann-whitney.ts'
import { criticalDistance, tiedGroups } from '../../../src/stats/tests/ranks/nemenyi.ts'
import { signTest } from '../../../src/stats/tests/ranks/sign.ts'
import { wilcoxonExact, wilcoxonNormal } from '../../../src/stats/tests/ranks/wilcoxon.ts'
import { expectClose, given } from '../close.ts'
import { splits, subsets } from './enumerate.ts'

const differences = fc.array(fc.integer({ min: -4, max: 5 }), { minLength: 1, maxLength: 9 })
const group = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 6 })

describe('Wilcoxon', () => {
  test('exact p values are shares of all sign choices, ties and all', () => {
    fc.assert(
      fc.property(differences, d => {
        const kept = d.filter(value => value !== 0)
        fc.pre(kept.length > 0)
        const test = given(wilcoxonExact(given(knownDifferences(d))))
        const ranks = midranks(kept.map(Math.abs))
        const sums = subsets(ranks).map(chosen => chosen.reduce((total, rank) => total + rank, 0))
        expect(test.p.greater).toBeCloseTo(sums.filter(sum => sum >= test.plus).length / sums.length, 12)
        expect(test.p.less).toBeCloseTo(sums.filter(sum => sum <= test.plus).length / sums.length, 12)
      }),
    )
  })

  test('float noise in the pairs does not break ties', () => {
    const a = [0.71, 0.65, 0.8, 0.77, 0.69, 0.74, 0.82, 0.6, 0.73, 0.78]
    const b = [0.68, 0.66, 0.75, 0.71, 0.7, 0.69, 0.79, 0.55, 0.7, 0.72]
    expect(given(wilcoxonExact(given(pairedDifferences(a, b))))).toMatchObject({ plus: 52, minus: 3 })
  })

  test('the normal form is close to the exact one, and hundreds of pairs are still exact', () => {
    const d = Array.from({ length: 300 }, (_, at) => Math.sin(at * 1.7) + 0.1 + at * 1e-6)
    const exact = given(wilcoxonExact(given(knownDifferences(d)))).p.twoSided
    expectClose(given(wilcoxonNormal(given(knownDifferences(d)))).p, exact, 0.05)
  })

  test('differences of 0 only give no answer', () => {
    const zeros = given(knownDifferences([0, 0]))
    expect(wilcoxonExact(zeros)).toEqual(unavailable('all_differences_zero'))
    expect(wilcoxonNormal(zeros)).toEqual(unavailable('all_differences_zero'))
    expect(signTest(zeros)).toEqual(unavailable('all_differences_zero'))
  })
})

describe('Mann-Whitney', () => {
  test('exact p values are shares of all splits, ties and all', () => {
    fc.assert(
      fc.property(group, group, (a, b) => {
        fc.pre(new Set([...a, ...b]).size > 1)
        const test = given(mannWhitneyExact(a, b))
        const ranks = midranks([...a, ...b])
        const sumOf = (chosen: readonly number[]) => chosen.reduce((total, rank) => total + rank, 0)
        const observed = sumOf(ranks.slice(0, a.length))
        const all = splits(ranks, a.length).map(sumOf)
        expect(test.p.greater).toBeCloseTo(all.filter(sum => sum >= observed).length / all.length, 12)
        expect(test.p.less).toBeCloseTo(all.filter(sum => sum <= observed).length / all.length, 12)
      }),
    )
  })

  test('U counts pairs, halves for ties', () => {
    expect(given(mannWhitneyExact([3, 1], [2, 1, 0]))).toMatchObject({
      uA: 4.5,
      uB: 1.5,
      probabilityOfSuperiority: 0.75,
    })
  })

  test('infinite values are just the largest', () => {
    expect(given(mannWhitneyExact([Infinity, 5], [1, 2])).p.greater).toBeCloseTo(1 / 6, 12)
  })

  test('groups of a hundred are exact in time', () => {
    const a = Array.from({ length: 100 }, (_, at) => at)
    const b = Array.from({ length: 100 }, (_, at) => at + 0.5)
    expect(given(mannWhitneyExact(a, b)).p.twoSided).toBeCloseTo(given(mannWhitneyNormal(a, b)).p, 3)
  })

  test('only ties: no answer', () => {
    expect(mannWhitneyExact([1, 1], [1, 1, 1])).toEqual(unavailable('all_tied'))
    expect(mannWhitneyNormal([1, 1], [1, 1, 1])).toEqual(unavailable('all_tied'))
    expect(mannWhitneyExact([], [1])).toEqual(unavailable('no_data'))
  })
})

test('Brunner-Munzel has no p where the groups do not overlap', () => {
  expect(brunnerMunzelTest([1, 2, 3], [4, 5, 6])).toEqual(unavailable('no_overlap'))
  expect(brunnerMunzelTest([1, 1], [1, 1])).toEqual(unavailable('all_tied'))
  expect(given(brunnerMunzelTest([1, 4, 3], [2, 5, 6])).probabilityBGreater).toBeCloseTo(7 / 9, 12)
})

describe('Friedman', () => {
  test('three tasks that agree on three systems', () => {
    const scores = [1, 2, 3].map(task => [task + 2, task + 1, task])
    const test = given(friedmanTest(scores))
    expect(test).toMatchObject({ averageRanks: [1, 2, 3], chiSquared: 6, concordance: 1 })
    expectClose(test.p, Math.exp(-3))
    // F would be infinite and its p 0.
    expect(test.imanDavenport).toEqual(unavailable('zero_variance'))
    expect(given(friedmanTest(scores, false)).averageRanks).toEqual([3, 2, 1])
  })

  test('ties everywhere: no answer', () => {
    expect(
      friedmanTest([
        [1, 1],
        [2, 2],
      ]),
    ).toEqual(unavailable('all_tied'))
    expect(() => friedmanTest([[1, 2], [1]])).toThrow('every system')
  })

  test('groups of a critical-difference diagram may overlap, but none is inside another', () => {
    expect(tiedGroups([1.2, 2, 2.8, 5], 1)).toEqual([
      [0, 1],
      [1, 2],
    ])
    expect(tiedGroups([3, 1, 2], 5)).toEqual([[1, 2, 0]])
    expect(tiedGroups([1, 3, 5], 1)).toEqual([])
  })

  test('the critical distance of two systems is the normal quantile', () => {
    expectClose(criticalDistance(2, 25), 1.959963984540054 / 5, 1e-10)
  })
})
