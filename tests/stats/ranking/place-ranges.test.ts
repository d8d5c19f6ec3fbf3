import { describe, expect, it } from 'vitest'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom, placeRanges } from '../../../src/stats/index.ts'

const random = counterRandom(11)
const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())

function rangesOf(scores: readonly (readonly number[])[]) {
  const found = placeRanges(scores)
  if (!isAvailable(found)) throw new Error(found.unavailable)
  return found.map(({ low, high }) => [low, high])
}

describe('possible places of systems', () => {
  it.each([
    ['scores of 4 on 10 tasks', 4, 10, normal],
    ['scores of 8 on 5 tasks', 8, 5, normal],
    ['yes or no of 5 on 20 tasks', 5, 20, () => Number(random.next() < 0.5)],
    ['yes or no of 5 on 20 tasks that nearly all solve', 5, 20, () => Number(random.next() < 0.95)],
  ])('include all places in at least 94%% of experiments if systems are alike: %s', (_, systems, tasks, draw) => {
    const trials = 300
    let wrong = 0
    for (let trial = 0; trial < trials; trial++) {
      const scores = Array.from({ length: systems }, () => Array.from({ length: tasks }, draw))
      if (rangesOf(scores).some(([low, high]) => low !== 1 || high !== systems)) wrong++
    }
    // 6% and two standard errors of 300 experiments.
    expect(wrong / trials).toBeLessThan(0.087)
  })

  it('are few if systems differ, however hard the tasks are', () => {
    const hard = Array.from({ length: 12 }, () => 10 * normal())
    const noise = (at: number) => Math.sin(7.3 * at * at)
    const scores = [0, 3, 0.1].map((ahead, place) => hard.map((task, at) => task + ahead + noise(at * 5 + place)))
    expect(rangesOf(scores)).toEqual([
      [2, 3],
      [1, 1],
      [2, 3],
    ])
  })

  it('are determined if one leads by the same everywhere, and open if all are equal', () => {
    const tasks = [0.1, 0.3, 0.2, 0.5, 0.25, 0.4, 0.6, 0.35]
    expect(rangesOf([tasks, tasks.map(score => score + 0.25)])).toEqual([
      [2, 2],
      [1, 1],
    ])
    expect(rangesOf([tasks, tasks])).toEqual([
      [1, 2],
      [1, 2],
    ])
  })

  it('are mirrored if the signs of yes or no are', () => {
    const solved = [11, 1, 6].map(count => Array.from({ length: 12 }, (_, task) => Number(task < count)))
    const [best, worst, middle] = rangesOf(solved)
    expect([best, worst]).toEqual([
      [1, 2],
      [2, 3],
    ])
    const turned = rangesOf(solved.map(row => row.map(value => -value)))
    expect(turned).toEqual([best, worst, middle].map(range => (range ?? []).map(place => 4 - place).toReversed()))
  })

  it('need two systems and two tasks', () => {
    expect(placeRanges([[1, 2]])).toEqual({ unavailable: 'too_few_values' })
    expect(placeRanges([[1], [2]])).toEqual({ unavailable: 'too_few_values' })
  })
})
