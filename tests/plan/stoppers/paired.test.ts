import { describe, expect, it } from 'vitest'
import { paired } from '../../../src/plan/stoppers/paired.ts'
import { seededRandom } from '../../../src/util/random.ts'
import { complete, series } from './series.ts'

const stop = paired({ type: 'paired', alpha: 0.05 }, 'maximize')

describe('paired', () => {
  it('stops a run that is worse on every instance once there are seven of them', () => {
    const rival = complete('a', [1, 1, 1, 1, 1, 1, 1, 1])
    const worse = (instances: number) => stop([series('b', Array(instances).fill(0))], [rival])
    expect(worse(6)).toEqual([])
    expect(worse(7)).toEqual([
      { run: 'b', reason: 'paired: worse than a on 7 instances and better on 0 (evidence 31.9, 20 are needed)' },
    ])
  })

  it('pairs by step, not by order, and ignores steps of only one run', () => {
    const rival = complete('a', [1, 1, 1, 1, 1, 1, 1], { steps: [7, 6, 5, 4, 3, 2, 1] })
    expect(stop([series('b', Array(7).fill(0))], [rival])).toHaveLength(1)
    const others = complete('a', Array(7).fill(1), { steps: [11, 12, 13, 14, 15, 16, 17] })
    expect(stop([series('b', Array(7).fill(0))], [others])).toEqual([])
  })

  it('compares only within a block, and only with complete runs', () => {
    expect(stop([series('b', Array(9).fill(0))], [complete('a', Array(9).fill(1), { block: 'other' })])).toEqual([])
    expect(stop([series('b', Array(9).fill(0))], [series('a', Array(9).fill(1))])).toEqual([])
  })

  it('requires more evidence after choosing among more runs', () => {
    const crowd = Array.from({ length: 9 }, (_, index) => complete(`same${index}`, Array(8).fill(0)))
    expect(stop([series('b', Array(8).fill(0))], [complete('a', Array(8).fill(1)), ...crowd])).toEqual([])
  })

  // Looked at after each of 100 instances, against the best of five that are all equally good.
  it('rarely stops an equally good run, however often it looks, and soon stops a worse one', () => {
    const random = seededRandom(11)
    const score = (rate: number) => (random.next() < rate ? 1 : 0)
    const stoppedAt = (rate: number): number | null => {
      const rivals = Array.from({ length: 5 }, (_, index) =>
        complete(
          `r${index}`,
          Array.from({ length: 100 }, () => score(0.6)),
        ),
      )
      const values = Array.from({ length: 100 }, () => score(rate))
      for (let instances = 1; instances <= 100; instances++)
        if (stop([series('new', values.slice(0, instances))], rivals).length > 0) return instances
      return null
    }
    const trials = 150
    const wrongly = Array.from({ length: trials }, () => stoppedAt(0.6)).filter(at => at !== null)
    expect(wrongly.length / trials).toBeLessThanOrEqual(0.05)
    const rightly = Array.from({ length: 60 }, () => stoppedAt(0.1)).filter(at => at !== null)
    expect(rightly.length).toBeGreaterThan(55)
  })
})
