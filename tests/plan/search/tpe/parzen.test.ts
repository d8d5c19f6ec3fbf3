import { describe, expect, test } from 'vitest'
import { dimensionOf } from '../../../../src/plan/search/space/dimension.ts'
import { drawFrom, logDensities, parzenOf } from '../../../../src/plan/search/tpe/parzen.ts'
import { seededRandom } from '../../../../src/util/random.ts'
import { factor } from '../../experiment.ts'
import { numbers, uniform } from '../spaces.ts'

const dimensions = [dimensionOf([numbers('x', uniform(0, 1))]), dimensionOf([factor('kind', ['a', 'b', 'c', 'd'])])]
const points = [Float64Array.of(0.1, 0.125), Float64Array.of(0.2, 0.125), Float64Array.of(0.95, 0.625)]
const parzen = parzenOf(points, dimensions)

describe('a Parzen density', () => {
  test('adds up to 1 over the cube', () => {
    const cells = Array.from({ length: 400 }, (_, index) => (index + 0.5) / 400).flatMap(x =>
      [0.125, 0.375, 0.625, 0.875].map(kind => Float64Array.of(x, kind)),
    )
    const sum = logDensities(parzen, cells).reduce((total, log) => total + Math.exp(log) / cells.length, 0)
    expect(sum).toBeCloseTo(1, 3)
  })

  test('is high near points, and nowhere 0', () => {
    const [near = 0, other = 0, far = 0] = logDensities(parzen, [
      Float64Array.of(0.15, 0.125),
      Float64Array.of(0.15, 0.875),
      Float64Array.of(0.5, 0.875),
    ])
    expect(near).toBeGreaterThan(other)
    expect(Number.isFinite(far)).toBe(true)
  })

  test('draws from its density', () => {
    const random = seededRandom(1)
    const drawn = Array.from({ length: 2000 }, () => drawFrom(parzen, random))
    expect(drawn.every(([x = -1]) => x >= 0 && x <= 1)).toBe(true)
    const share = drawn.filter(([x = 0]) => x > 0.3 && x < 0.7).length / drawn.length
    expect(share).toBeGreaterThan(0.1)
    expect(share).toBeLessThan(0.5)
  })
})
