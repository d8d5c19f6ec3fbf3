import { describe, expect, test } from 'vitest'
import { logExpectedImprovement } from '../../../../src/plan/search/gp/expected-improvement.ts'
import { type Data, objectiveOf } from '../../../../src/plan/search/gp/likelihood.ts'
import { minimize } from '../../../../src/plan/search/gp/minimize.ts'
import { fitParameters, processOf } from '../../../../src/plan/search/gp/process.ts'
import { valueScaleOf } from '../../../../src/plan/search/gp/value-scale.ts'
import { seededRandom } from '../../../../src/util/random.ts'

const random = seededRandom(1)
/** Two numbers, one of them often absent, and a choice of two. */
const places = Array.from({ length: 25 }, () =>
  Float64Array.of(random.next(), random.next() < 0.4 ? Number.NaN : random.next(), random.next() < 0.5 ? 0.25 : 0.75),
)
const truth = ([x = 0, y = 0, choice = 0]: Float64Array) =>
  Math.sin(5 * x) + (Number.isNaN(y) ? 0 : (y - 0.5) ** 2) + (choice > 0.5 ? 0.5 : 0)
const data: Data = {
  places,
  values: Float64Array.from(places, truth),
  variances: new Float64Array(25),
  choices: [false, false, true],
}

describe('a Gaussian process', () => {
  test('has the gradient of its likelihood', () => {
    const objective = objectiveOf(data)
    const at = Float64Array.of(-0.7, 0.2, 0.1, 0.3, -4)
    const { gradient } = objective(at)
    for (let index = 0; index < at.length; index++) {
      const moved = (by: number) => objective(at.map((value, place) => (place === index ? value + by : value))).value
      expect(gradient[index]).toBeCloseTo((moved(1e-5) - moved(-1e-5)) / 2e-5, 3)
    }
  })

  test('passes through observed points, and is uncertain elsewhere', () => {
    const process = processOf(data, fitParameters(data, null))
    for (const [index, place] of places.entries()) {
      const { mean, deviation } = process.predict(place)
      expect(mean).toBeCloseTo(data.values[index] ?? 0, 4)
      expect(deviation).toBeLessThan(0.1)
    }
    const near = process.predict(Float64Array.of(0.4, 0.5, 0.25))
    expect(Math.abs(near.mean - truth(Float64Array.of(0.4, 0.5, 0.25)))).toBeLessThan(0.01)
    const far = processOf(
      { ...data, places: places.slice(0, 3), values: data.values.slice(0, 3) },
      Float64Array.of(-3, -3, 0, 0, -9),
    )
    expect(far.predict(Float64Array.of(0.99, 0.01, 0.25)).deviation).toBeGreaterThan(0.9)
  })

  test('replicates set the noise of a value', () => {
    const parameters = Float64Array.of(0, 0, 0, 0, -14)
    const noisy = { ...data, values: data.values.with(0, 9), variances: data.variances.with(0, 100) }
    const process = processOf(noisy, parameters)
    expect(process.predict(places[0] ?? new Float64Array(3)).mean).toBeLessThan(3)
  })
})

describe('L-BFGS', () => {
  test("finds the minimum of Rosenbrock's function", () => {
    const { at } = minimize(
      ([x = 0, y = 0]) => ({
        value: 100 * (y - x * x) ** 2 + (1 - x) ** 2,
        gradient: Float64Array.of(-400 * x * (y - x * x) - 2 * (1 - x), 200 * (y - x * x)),
      }),
      Float64Array.of(-1, 1),
      200,
    )
    expect(at[0]).toBeCloseTo(1, 2)
    expect(at[1]).toBeCloseTo(1, 2)
  })
})

describe('expected improvement', () => {
  test.each([
    // By scipy: log(s · (φ(z) + z Φ(z))).
    [0, 1, 0, -0.918939],
    [1, 2, 0, -0.927369],
    [10, 1, 0, -55.553122],
    [100, 1, 0, -5010.1296],
  ])('mean %d ± %d against %d is e^%d', (mean, deviation, best, log) => {
    expect(logExpectedImprovement(mean, deviation, best)).toBeCloseTo(log, 3)
  })

  test('never stops falling, however far away', () => {
    const logs = [1, 5, 20, 49, 51, 200, 1000].map(mean => logExpectedImprovement(mean, 1, 0))
    expect(logs.every((log, index) => Number.isFinite(log) && (index === 0 || log < (logs[index - 1] ?? 0)))).toBe(true)
  })
})

test('values are warped if bad, linear if good, and invertible', () => {
  const scale = valueScaleOf([1, 2, 3, 1000, 1e6])
  for (const value of [0.5, 1, 2.5, 100, 1e6]) expect(scale.fromModel(scale.toModel(value))).toBeCloseTo(value, 3)
  expect(scale.toModel(2) - scale.toModel(1)).toBeCloseTo(scale.toModel(3) - scale.toModel(2), 6)
  expect(scale.toModel(1e6) - scale.toModel(3)).toBeLessThan(20 * (scale.toModel(3) - scale.toModel(1)))
})
