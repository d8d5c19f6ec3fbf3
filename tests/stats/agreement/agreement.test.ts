import { describe, expect, test } from 'vitest'
import { cohenKappa } from '../../../src/stats/agreement/cohen-kappa.ts'
import { correctedByLabels } from '../../../src/stats/agreement/judge-correction.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'

describe('two judges', () => {
  const cells = [
    ['yes', 'yes', 20],
    ['yes', 'no', 5],
    ['no', 'yes', 10],
    ['no', 'no', 15],
  ] as const
  const first = cells.flatMap(([label, , count]) => new Array<string>(count).fill(label))
  const second = cells.flatMap(([, label, count]) => new Array<string>(count).fill(label))

  test('agreement beyond chance, with its error', () => {
    expect(cohenKappa(first, second)).toMatchObject({
      observed: expect.closeTo(0.7, 12),
      expected: expect.closeTo(0.5, 12),
      kappa: expect.closeTo(0.4, 12),
      // 40,000 simulated tables of 50 items scatter by 0.1268.
      standardError: expect.closeTo(0.126996063, 8),
    })
  })

  test('one label throughout, full agreement, no items', () => {
    expect(cohenKappa(['a', 'a'], ['a', 'a'])).toMatchObject({ observed: 1, kappa: { unavailable: 'one_category' } })
    expect(cohenKappa(['a', 'b'], ['a', 'b'])).toMatchObject({
      kappa: 1,
      standardError: { unavailable: 'zero_variance' },
    })
    expect(cohenKappa([], [])).toEqual({ unavailable: 'no_data' })
    expect(() => cohenKappa(['a'], [])).toThrow('two labels')
  })
})

describe('a judge corrected by labels', () => {
  test('with full weight: the judge everywhere, less its error where it is known', () => {
    const answer = correctedByLabels(
      { labels: [0, 1, 1, 0], judgedLabelled: [1, 1, 1, 0], judgedUnlabelled: [1, 1, 0, 1] },
      { weight: 1 },
    )
    expect(answer).toMatchObject({ estimate: 0.5, bias: 0.25, labelsOnly: 0.5 })
    // Rectifiers −1, 0, 0, 0 and judgements with one 0: both have variance 1/4, over 4 items each.
    expect(answer).toMatchObject({ standardError: expect.closeTo(Math.sqrt(1 / 8), 12) })
  })

  test('a judge that says nothing is given no weight', () => {
    const answer = correctedByLabels({ labels: [0, 1, 1], judgedLabelled: [1, 1, 1], judgedUnlabelled: [1, 1] })
    expect(answer).toMatchObject({ weight: 0, estimate: expect.closeTo(2 / 3, 12) })
  })

  test('covers the truth of a biased judge and is narrower than the labels alone', () => {
    const random = counterRandom(8)
    const truth = 0.6
    let [covered, narrower] = [0, 0]
    for (let trial = 0; trial < 1000; trial++) {
      const label = () => Number(random.next() < truth)
      const judge = (value: number) => (random.next() < 0.9 ? Math.max(value, Number(random.next() < 0.3)) : 1)
      const labels = Array.from({ length: 100 }, label)
      const answer = correctedByLabels({
        labels,
        judgedLabelled: labels.map(judge),
        judgedUnlabelled: Array.from({ length: 500 }, () => judge(label())),
      })
      if (!isAvailable(answer) || !isAvailable(answer.interval) || !isAvailable(answer.standardError)) continue
      if (answer.interval.low <= truth && answer.interval.high >= truth) covered++
      const mean = answer.labelsOnly
      if (answer.standardError < Math.sqrt((mean * (1 - mean)) / 99)) narrower++
    }
    // With 100 labels the normal quantile costs a point or two.
    expect(covered / 1000).toBeGreaterThan(0.91)
    expect(narrower / 1000).toBeGreaterThan(0.95)
  })

  test('labels and judgements all alike give no interval', () => {
    const same = correctedByLabels({ labels: [1, 1], judgedLabelled: [1, 1], judgedUnlabelled: [1, 1] })
    expect(same).toMatchObject({ estimate: 1, interval: { unavailable: 'zero_variance' } })
    expect(correctedByLabels({ labels: [1], judgedLabelled: [1], judgedUnlabelled: [1, 0] })).toEqual({
      unavailable: 'too_few_values',
    })
  })
})
