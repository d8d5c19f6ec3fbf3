import { describe, expect, test } from 'vitest'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { bradleyTerry } from '../../../src/stats/ranking/bradley-terry.ts'
import { rankSystems } from '../../../src/stats/ranking/rank-systems.ts'

const options = () => ({ random: counterRandom(6), resamples: 3000 })
const noise = (from: number) => Array.from({ length: 40 }, (_, at) => Math.sin(from + 3.7 * at * at))

describe('ranks', () => {
  test('a clear winner, two tied systems, a clear loser', () => {
    const systems = [
      noise(1),
      noise(2).map(value => value + 2),
      noise(3).map(value => value + 2.05),
      noise(4).map(value => value - 3),
    ]
    const ranked = rankSystems(systems, options())
    if (!isAvailable(ranked)) throw new Error('no ranks')
    expect(ranked.map(system => system.isTiedWithBest)).toEqual([false, true, true, false])
    expect(ranked[3]).toMatchObject({ rank: 4, lowRank: 4, highRank: 4, probabilityBest: 0 })
    expect(ranked.reduce((sum, system) => sum + system.probabilityBest, 0)).toBeCloseTo(1, 9)
  })

  test('reversing the goal reverses the ranks', () => {
    const systems = [noise(1), noise(1).map(value => value + 5)]
    const [first] = [rankSystems(systems, { ...options(), goal: 'minimize' })]
    expect(first).toMatchObject([
      { rank: 1, isTiedWithBest: true },
      { rank: 2, isTiedWithBest: false },
    ])
  })

  test('the same system twice shares the first place', () => {
    expect(rankSystems([noise(1), noise(1)], options())).toMatchObject([
      { rank: 1.5, probabilityBest: 0.5, isTiedWithBest: true },
      { rank: 1.5, probabilityBest: 0.5, isTiedWithBest: true },
    ])
  })

  test('one block, nothing, and blocks that do not match', () => {
    expect(rankSystems([[1], [2]], options())).toEqual({ unavailable: 'too_few_values' })
    expect(rankSystems([], options())).toEqual({ unavailable: 'no_data' })
    expect(() => rankSystems([[1, 2], [1]], options())).toThrow('every block')
  })
})

describe('Bradley and Terry', () => {
  test('two systems: the log of the odds', () => {
    const answer = bradleyTerry([
      [0, 3],
      [1, 0],
    ])
    if (!isAvailable(answer)) throw new Error('no strengths')
    expect((answer.strengths[0] ?? 0) - (answer.strengths[1] ?? 0)).toBeCloseTo(Math.log(3), 9)
  })

  // Maximised and inverted with scipy.
  test('three systems', () => {
    const answer = bradleyTerry([
      [0, 7, 4],
      [3, 0, 5],
      [2, 6, 0],
    ])
    expect(answer).toEqual({
      strengths: [0.511881, -0.343858, -0.168023].map(value => expect.closeTo(value, 5)),
      standardErrors: [0.3619515, 0.3048622, 0.3370277].map(value => expect.closeTo(value, 5)),
    })
  })

  test('one that never lost has no finite strength', () => {
    expect(
      bradleyTerry([
        [0, 3],
        [0, 0],
      ]),
    ).toEqual({ unavailable: 'unbounded' })
    expect(bradleyTerry([[0]])).toEqual({ unavailable: 'too_few_values' })
    expect(() => bradleyTerry([[0, 1]])).toThrow('square')
  })
})
