import { expect, it } from 'vitest'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom, shrinkMeans, shrinkRates, shrinkSystems } from '../../../src/stats/index.ts'

const random = counterRandom(6)
const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
const trials = 200
const tasks = 30

/** How often intervals hold the truth, and the squared error as a share of that of plain means. */
function tried(
  draw: () => { readonly truths: readonly number[]; readonly raw: readonly number[]; readonly found: unknown },
) {
  let [held, all, shrunk, plain] = [0, 0, 0, 0]
  for (let trial = 0; trial < trials; trial++) {
    const { truths, raw, found } = draw()
    const known = found as ReturnType<typeof shrinkRates>
    if (!isAvailable(known)) continue
    truths.forEach((truth, at) => {
      const own = known[at]
      if (own === undefined) return
      all++
      if (own.interval.low <= truth && truth <= own.interval.high) held++
      shrunk += (own.estimate - truth) ** 2
      plain += ((raw[at] ?? 0) - truth) ** 2
    })
  }
  return { coverage: held / all, error: shrunk / plain }
}

it('shrunk rates of tasks have a smaller error, and their intervals cover', () => {
  const { coverage, error } = tried(() => {
    const truths = Array.from({ length: tasks }, () => Math.sin((Math.PI / 2) * random.next()) ** 2)
    const counts = truths.map(rate =>
      Array.from({ length: 5 }, () => Number(random.next() < rate)).reduce((a, b) => a + b, 0),
    )
    return {
      truths,
      raw: counts.map(count => count / 5),
      found: shrinkRates(counts.map(successes => ({ successes, trials: 5 }))),
    }
  })
  expect(error).toBeLessThan(0.9)
  expect(coverage).toBeGreaterThan(0.91)
})

it('so have shrunk means', () => {
  const { coverage, error } = tried(() => {
    const truths = Array.from({ length: tasks }, () => 10 + normal())
    const values = truths.map((truth, at) => Array.from({ length: 2 + (at % 3) }, () => truth + 2 * normal()))
    return { truths, raw: values.map(own => own.reduce((a, b) => a + b, 0) / own.length), found: shrinkMeans(values) }
  })
  expect(error).toBeLessThan(0.7)
  expect(coverage).toBeGreaterThan(0.91)
})

it('so have systems on the same tasks, however hard these are', () => {
  const { coverage, error } = tried(() => {
    const hard = Array.from({ length: 10 }, () => 3 * normal())
    const skill = Array.from({ length: 8 }, () => 0.4 * normal())
    const scores = skill.map((own, at) =>
      hard.map(task => Array.from({ length: 1 + (at % 3) }, () => own + task + normal())),
    )
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length
    return {
      truths: skill.map(own => own + mean(hard)),
      raw: scores.map(row => mean(row.map(mean))),
      found: shrinkSystems(scores),
    }
  })
  expect(error).toBeLessThan(0.85)
  expect(coverage).toBeGreaterThan(0.92)
})

it('shrinks the system with the fewest attempts most, so that luck does not lead', () => {
  const tasks = Array.from({ length: 6 }, (_, task) => task)
  const often = (mean: number) =>
    tasks.map(task => Array.from({ length: 20 }, (_, at) => Number(at < 20 * mean + (task % 3) - 1)))
  const once = tasks.map(task => [Number(task !== 5)])
  const found = shrinkSystems([often(0.8), often(0.5), often(0.4), often(0.3), once])
  if (!isAvailable(found)) throw new Error(found.unavailable)
  expect(found[4]?.estimate).toBeLessThan(found[0]?.estimate ?? 0)
  expect(found[4]?.estimate).toBeLessThan(5 / 6)
})

it('names an outlying task, and none if all are alike', () => {
  const counts = Array.from({ length: 20 }, (_, at) => ({ successes: at === 7 ? 0 : 18 + (at % 2), trials: 20 }))
  const found = shrinkRates(counts)
  expect(isAvailable(found) && found.flatMap(({ isOutlier }, at) => (isOutlier ? [at] : []))).toEqual([7])
  const alike = shrinkRates(counts.filter((_, at) => at !== 7))
  expect(isAvailable(alike) && alike.some(({ isOutlier }) => isOutlier)).toBe(false)
})

it('gives a reason if there is nothing to estimate', () => {
  expect(shrinkRates([1, 0, 1, 1].map(successes => ({ successes, trials: 1 })))).toEqual({
    unavailable: 'too_few_values',
  })
  expect(shrinkRates([5, 5, 5].map(successes => ({ successes, trials: 5 })))).toEqual({ unavailable: 'one_category' })
  expect(
    shrinkMeans([
      [1, 2],
      [3, 4],
    ]),
  ).toEqual({ unavailable: 'too_few_values' })
  expect(shrinkMeans([[1], [2], [3]])).toEqual({ unavailable: 'too_few_values' })
})
