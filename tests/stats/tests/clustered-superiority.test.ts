import { describe, expect, it } from 'vitest'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { brunnerMunzelTest } from '../../../src/stats/tests/ranks/brunner-munzel.ts'
import { clusteredSuperiority } from '../../../src/stats/tests/ranks/clustered-superiority.ts'
import { expectClose } from '../close.ts'

const apart = (values: readonly number[], prefix: string) => ({ values, clusters: values.map((_, at) => prefix + at) })

describe('clusteredSuperiority', () => {
  it('equals the test of independent values if each has its own cluster', () => {
    const random = counterRandom(1)
    const a = Array.from({ length: 200 }, () => random.next() + 0.1)
    const b = Array.from({ length: 200 }, () => random.next())
    const found = clusteredSuperiority(apart(a, 'a'), apart(b, 'b'))
    const known = brunnerMunzelTest(b, a)
    if (!isAvailable(found) || !isAvailable(known)) throw new Error('expected values')
    expect(found.estimate).toBeCloseTo(known.probabilityBGreater, 12)
    // They differ in n / (n − 1) of the variances, and with it in the degrees of freedom.
    expectClose(found.p, known.p, 0.02)
  })

  it('keeps its level if all values of a cluster are the same', () => {
    const rejected = Array.from({ length: 300 }, (_, round) => {
      const random = counterRandom(7, round)
      const a = { values: [] as number[], clusters: [] as string[] }
      const b = { values: [] as number[], clusters: [] as string[] }
      for (let cluster = 0; cluster < 40; cluster++) {
        const [value, side] = [random.next(), random.next() < 0.5 ? a : b]
        for (let copy = 0; copy < 10; copy++) {
          side.values.push(value)
          side.clusters.push(String(cluster))
        }
      }
      const found = clusteredSuperiority(a, b)
      return isAvailable(found) && found.p < 0.05
    }).filter(Boolean).length
    expect(rejected / 300).toBeLessThan(0.09)
  })

  it('gives a reason if it has no value', () => {
    expect(clusteredSuperiority(apart([], 'a'), apart([1], 'b'))).toEqual({ unavailable: 'no_data' })
    expect(clusteredSuperiority(apart([3, 4], 'a'), apart([1, 2], 'b'))).toEqual({ unavailable: 'no_overlap' })
    expect(clusteredSuperiority(apart([1, 1], 'a'), apart([1, 1], 'b'))).toEqual({ unavailable: 'all_tied' })
  })
})
