import { describe, expect, it } from 'vitest'
import { normalDeviates } from '../../../src/analyze/calibrate/normal-deviates.ts'
import { counterRandom } from '../../../src/stats/index.ts'
import { ask } from '../ask.ts'
import { evidenceWith, scored } from '../evidence.ts'

const loads = ['light', 'busy', 'full']

/** `b` against `a` on the same seeds under each load, with the differences that are given. */
function underLoads(effects: readonly number[], { seeds = 12, seed = 1, noise = 1, blocks = ['seed'] } = {}) {
  const normal = normalDeviates(counterRandom(seed))
  const runs = Array.from({ length: seeds }, (_, at) =>
    effects.flatMap((effect, of) =>
      ['a', 'b'].map(arm =>
        scored({ arm, load: loads[of] ?? '' }, { seed: at }, 10 + (arm === 'b' ? effect : 0) + noise * normal()),
      ),
    ),
  ).flat()
  return evidenceWith(runs, { blocks, factors: ['arm', 'load'], levels: { load: loads } })
}

describe('the same seeds in every task', () => {
  it('rarely produce a false interaction', () => {
    const tasks = Array.from({ length: 15 }, (_, at) => `t${at}`)
    const trials = 60
    let found = 0
    for (let trial = 0; trial < trials; trial++) {
      const normal = normalDeviates(counterRandom(9, trial))
      // A model is trained for each seed, arm and load, and run on all tasks.
      const runs = ['a', 'b'].flatMap(arm =>
        ['light', 'busy'].flatMap(load =>
          [1, 2, 3, 4, 5].flatMap(seed => {
            const ofModel = normal()
            return tasks.map(task => scored({ arm, load }, { task, seed }, ofModel + normal()))
          }),
        ),
      )
      const evidence = evidenceWith(runs, { blocks: ['task', 'seed'], factors: ['arm', 'load'] })
      if ((ask(evidence).by_level ?? []).length > 0) found++
    }
    // Tasks alone claim one in more than half of these.
    expect(found).toBeLessThanOrEqual(8)
  })
})

describe('an average over another factor', () => {
  it.each([12, 120])('says where a difference holds and where not (%i seeds)', seeds => {
    const { sentence, by_level, verdict } = ask(underLoads([0, 0, 6], { seeds }))
    expect(verdict).toBe('better')
    expect(sentence).toMatch(
      /; it depends on load: not shown at load=light \(.*\) and load=busy \(.*\), better at load=full \(/,
    )
    expect(by_level).toMatchObject([
      {
        factor: 'load',
        levels: [
          { level: 'light', verdict: 'inconclusive', n: seeds },
          { level: 'busy', verdict: 'inconclusive', n: seeds },
          { level: 'full', verdict: 'better', n: seeds },
        ],
      },
    ])
  })

  it.each([
    ['paired', ['seed']],
    ['unpaired', []],
  ])('reports a reversal, even if the average is zero (%s)', (_, blocks) => {
    const { sentence, verdict } = ask(underLoads([4, -4], { blocks }))
    expect(verdict).toBe('inconclusive')
    expect(sentence).toMatch(/it depends on load: better at load=light \(.*\), worse at load=busy \(/)
  })

  it('has a row for each level but no caveat if only the size of the difference varies', () => {
    const { sentence, by_level } = ask(underLoads([4, 12]))
    expect(sentence).not.toContain('depends')
    expect(by_level[0]?.levels.map(({ verdict }) => verdict)).toEqual(['better', 'better'])
  })

  it('reports no interaction in 95 of 100 if the difference is the same everywhere', () => {
    const found = Array.from(
      { length: 200 },
      (_, at) => ask(underLoads([1, 1, 1], { seed: at + 1, seeds: 10 })).by_level,
    )
    expect(found.filter(splits => splits.length > 0).length).toBeLessThanOrEqual(16)
  })

  it('treats levels in different units as groups', () => {
    const { runs, ...rest } = underLoads([0, 8], { seeds: 20 })
    const nested = runs.filter(({ params, block }) => (params.load === 'light') === Number(block.seed) < 10)
    expect(ask({ ...rest, runs: nested }).sentence).toContain('it depends on load')
  })

  it('counts factors that change together once', () => {
    const alone = underLoads([0, 0, 6])
    const runs = alone.runs.map(run => ({
      ...run,
      params: { ...run.params, rate: loads.indexOf(String(run.params.load)) },
    }))
    const { by_level, warnings } = ask({ ...alone, runs, factors: ['arm', 'load', 'rate'] })
    expect(by_level).toMatchObject([
      {
        factor: 'load+rate',
        p: ask(alone).by_level[0]?.p,
        levels: [
          { level: 'light+0', label: 'load+rate=light+0' },
          { level: 'busy+1', label: 'load+rate=busy+1' },
          { level: 'full+2', label: 'load+rate=full+2' },
        ],
      },
    ])
    expect(warnings.join()).toContain('an average over load+rate:')
  })
})
