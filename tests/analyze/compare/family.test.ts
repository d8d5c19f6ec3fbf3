import { expect, test } from 'vitest'
import { readingOf } from '../../../src/analyze/reading.ts'
import { counterRandom } from '../../../src/stats/index.ts'
import { ask, askAll } from '../ask.ts'
import { aRun, evidenceWith } from '../evidence.ts'

const names = ['one', 'two', 'three', 'four'] as const
const metrics = names.map((name, at) => ({ name, goal: 'maximize' as const, primary: at === 0 }))

/** Two arms on that many tasks; the candidate is better by that much on each metric. */
function evidenceOf(n: number, gains: readonly number[], random: () => number, arms = ['a', 'b']) {
  const runs = Array.from({ length: n }, (_, task) =>
    arms.map(arm =>
      aRun({
        name: `${arm}-${task}`,
        params: { arm },
        block: { task },
        metrics: Object.fromEntries(names.map((name, at) => [name, random() + (arm === 'a' ? 0 : (gains[at] ?? 0))])),
      }),
    ),
  ).flat()
  return evidenceWith(runs, { blocks: ['task'], metrics })
}

const source = counterRandom(3)
const normal = () => Math.sqrt(-2 * Math.log(1 - source.next())) * Math.cos(2 * Math.PI * source.next())
const drawing = { seed: 1, resamples: 499, rng: 'assay' } as const

test('corrects p of each metric for all deciding metrics', () => {
  const evidence = evidenceOf(20, [1, 0.9, 0, 0], normal)
  const of = (metric: string, more: object = {}) =>
    ask(evidence, { reading: readingOf(evidence, { metric }), method: 't', drawing, ...more })
  const family = ['one', 'two', 'three']
  const raw = family.map(metric => of(metric).p ?? 1)
  const sorted = raw.toSorted((a, b) => a - b)
  // Holm 1979, Scand. J. Stat. 6:65.
  const holm = raw.map(p =>
    Math.max(...sorted.filter(other => other <= p).map((other, at) => Math.min(1, (3 - at) * other))),
  )
  const found = family.map(metric => of(metric, { family }))
  found.forEach((one, at) => {
    expect(one.p_adjusted).toBeCloseTo(holm[at] ?? 0, 12)
    expect(one).toMatchObject({ correction: 'holm', exploratory: false, family: { metrics: family, tests: 3 } })
    expect(one.sentence).toMatch(/after holm over 3 tests of one, two and three$/)
    expect(one.ci_simultaneous?.level).toBeCloseTo(1 - 0.05 / 3, 12)
  })
  expect(of('two', { family, correction: 'bonferroni' }).p_adjusted).toBeCloseTo(Math.min(1, 3 * (raw[1] ?? 0)), 12)
  expect(of('four', { family })).toMatchObject({ family: null, p_adjusted: null, exploratory: true })
})

test('candidates and metrics are one family', () => {
  const evidence = evidenceOf(12, [1, 0.5, 0, 0], normal, ['a', 'b', 'c'])
  const found = askAll(evidence, { family: ['one', 'two'], correction: 'bonferroni', method: 't', drawing })
  for (const { comparison } of found) {
    expect(comparison.family?.tests).toBe(4)
    expect(comparison.p_adjusted).toBeCloseTo(Math.min(1, 4 * (comparison.p ?? 1)), 12)
  }
  expect(() => askAll(evidence, { family: ['one', 'two'], correction: 'max-t', drawing })).toThrow(
    'a family has several',
  )
})

test('keeps the rate of any false claim among four metrics at alpha', () => {
  let [any, uncorrected] = [0, 0]
  const trials = 300
  for (let trial = 0; trial < trials; trial++) {
    const evidence = evidenceOf(10, [0, 0, 0, 0], normal)
    const found = names.map(metric =>
      ask(evidence, { reading: readingOf(evidence, { metric }), family: [...names], method: 't', drawing }),
    )
    if (found.some(({ verdict }) => verdict !== 'inconclusive')) any++
    if (found.some(({ p }) => (p ?? 1) <= 0.05)) uncorrected++
  }
  expect(any / trials).toBeLessThan(0.08)
  expect(uncorrected / trials).toBeGreaterThan(0.12)
})
