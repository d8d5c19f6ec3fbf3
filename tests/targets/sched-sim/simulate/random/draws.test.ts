import { expect, test } from 'vitest'
import { Draws } from '../../../../../src/targets/sched-sim/simulate/random/draws.ts'

/** The first number of each attempt of a large simulation: neighbours differ in one small number only. */
function firsts(seed: bigint): readonly number[] {
  const draws = new Draws(seed)
  const values: number[] = []
  for (let workflow = 1; workflow <= 200; workflow++)
    for (let iteration = 0; iteration < 2; iteration++)
      for (let node = 0; node < 113; node++)
        for (let attempt = 1; attempt <= 3; attempt++) {
          draws.startAt(workflow, iteration, node, attempt)
          values.push(draws.uniform())
        }
  return values
}

const correlation = (a: readonly number[], b: readonly number[]) => {
  const n = Math.min(a.length, b.length)
  let sum = 0
  for (let index = 0; index < n; index++) sum += ((a[index] ?? 0) - 0.5) * ((b[index] ?? 0) - 0.5)
  return (12 * sum) / n
}

const values = firsts(1n)
/** Five standard errors of a correlation. */
const nothing = 5 / Math.sqrt(values.length)

test('the first numbers of all attempts are spread evenly', () => {
  const bins = new Float64Array(100)
  for (const value of values) bins[Math.floor(value * 100)] = (bins[Math.floor(value * 100)] ?? 0) + 1
  const expected = values.length / 100
  const chiSquared = bins.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  // 99 degrees of freedom: the middle 99.8% are between 60 and 148.
  expect(chiSquared).toBeGreaterThan(60)
  expect(chiSquared).toBeLessThan(148)
})

test.each([
  ['attempts', 1],
  ['nodes', 3],
  ['iterations', 3 * 113],
  ['workflows', 3 * 113 * 2],
])('neighbouring %s are independent', (_name, distance) => {
  expect(Math.abs(correlation(values, values.slice(distance)))).toBeLessThan(nothing)
})

test('neighbouring seeds are independent in all 64 bits', () => {
  for (const other of [2n, 1n + (1n << 32n), 1n + (1n << 63n)])
    expect(Math.abs(correlation(values, firsts(other)))).toBeLessThan(nothing)
})

test('no two attempts have the same numbers', () => {
  expect(new Set(values).size).toBe(values.length)
})

test('an attempt’s numbers stay uniform, and its normal deviates are normal', () => {
  const draws = new Draws(3n)
  draws.startAt(1, 0, 0, 1)
  const normals = Array.from({ length: 100_000 }, () => draws.normal())
  const moment = (power: number) => normals.reduce((sum, value) => sum + value ** power, 0) / normals.length
  expect(Math.abs(moment(1))).toBeLessThan(0.02)
  expect(Math.abs(moment(2) - 1)).toBeLessThan(0.03)
  expect(Math.abs(moment(3))).toBeLessThan(0.06)
  expect(Math.abs(moment(4) - 3)).toBeLessThan(0.15)
})
