import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../src/define/observation.ts'
import { comparisonsOf } from '../../../src/report/findings/comparisons.ts'
import { searchFindingsOf } from '../../../src/report/findings/search.ts'
import { verdictOf } from '../../../src/report/findings/verdict.ts'
import { defaultView, type View } from '../../../src/report/findings/view.ts'
import { commandsOf } from '../../../src/report/findings/wording/commands.ts'
import { badgesOf, nextStepsOf, tilesOf } from '../../../src/report/findings/wording/page-words.ts'
import { aRun, evidenceWith, scored, twoArms } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

function verdictFor(evidence: Evidence) {
  const dataset = aDataset(evidence)
  const view = defaultView(dataset)
  return verdictOf(dataset, view, comparisonsOf(dataset, view))
}

const a = [1, 2, 3, 4, 5, 6, 7, 8]

describe('the headline', () => {
  it('is the sentence of the one comparison', () => {
    const better = a.map((value, at) => value + 2 + 0.1 * (at % 3))
    expect(verdictFor(twoArms(a, better))).toMatchObject({
      verdict: 'better',
      headline: expect.stringMatching(/^b is better on score than a by 2\.\d+ \(95% CI .*\), paired on 8 seeds\.$/),
      others: [],
    })
  })

  it('is followed by a larger effect of another factor, unless a baseline says what is asked', () => {
    const runs = a.flatMap((value, at) =>
      ['a', 'b'].flatMap(arm =>
        [2, 4].map(turns =>
          scored(
            { arm, turns },
            { seed: at + 1 },
            value + (arm === 'b' ? 1 : 0) + 2 * turns + 0.1 * Math.sin(9 * at + 5 * turns + (arm === 'b' ? 2 : 0)),
          ),
        ),
      ),
    )
    const evidence = evidenceWith(runs, { blocks: ['seed'], factors: ['arm', 'turns'] })
    expect(verdictFor(evidence).headline).toMatch(/^b is better on score than a by (1|0\.9)/)
    expect(verdictFor(evidence).others[0]).toMatch(
      /^turns has a larger effect on score: .*4 is better on score than .*2 by 4/,
    )
    expect(verdictFor({ ...evidence, factors: ['turns', 'arm'] }).others.join()).not.toContain('larger effect')
    // As Hydra writes names: a plus sign does not make them joint factors.
    const hydra = runs.map(run => ({
      ...run,
      params: { '+turns': run.params.turns ?? null, arm: run.params.arm ?? null },
    }))
    expect(verdictFor({ ...evidence, runs: hydra, factors: ['+turns', 'arm'] }).others.join()).not.toContain('larger')
    expect(verdictFor({ ...evidence, baseline: { arm: 'a' } }).others.join()).not.toContain('larger effect')
  })

  it('only names the factor that it depends on, with the levels in the rows below', () => {
    const runs = a.flatMap((value, at) =>
      ['light', 'busy', 'full'].flatMap((load, of) =>
        ['a', 'b'].map(arm =>
          scored({ arm, load }, { seed: at + 1 }, value + (arm === 'b' ? 6 * of : 0) + Math.sin(7 * at + 3 * of)),
        ),
      ),
    )
    const noisy = runs.map((run, at) => ({ ...run, metrics: { score: (run.metrics.score ?? 0) + Math.sin(at * at) } }))
    const { headline, others, about, levels } = verdictFor(
      evidenceWith(noisy, { blocks: ['seed'], factors: ['arm', 'load'], levels: { load: ['light', 'busy', 'full'] } }),
    )
    expect(headline).toMatch(
      /^b is better on score than a by 6\.\d+ on average \(95% CI .*\), paired on 8 seeds; it depends on load\.$/,
    )
    expect(others.map(text => text.split(':')[0])).toEqual(['At load=light', 'At load=busy', 'At load=full'])
    expect(levels).toEqual(others)
    expect(about?.sentence).toContain('; it depends on load: not shown at load=light (')
  })

  it('is about the largest improvement; the others follow', () => {
    const arms = { a: 0, b: 2, c: 5, d: -3 }
    const runs = Object.entries(arms).flatMap(([arm, shift]) =>
      a.map((value, at) => scored({ arm }, { seed: at + 1 }, value + shift + 0.1 * Math.sin(at + shift))),
    )
    const { headline, others } = verdictFor(evidenceWith(runs, { blocks: ['seed'] }))
    expect(headline).toMatch(/^c is better on score than a/)
    expect(others.map(text => text.slice(0, 11))).toEqual(['b is better', 'd is worse '])
  })

  it('has the interval of its sentence in the tile below, also a simultaneous one', () => {
    const arms = { a: 0, b: 2, c: 5 }
    const runs = Object.entries(arms).flatMap(([arm, shift]) =>
      a.map((value, at) => scored({ arm }, { seed: at + 1 }, value + shift + Math.sin(at + shift))),
    )
    const dataset = aDataset(evidenceWith(runs, { blocks: ['seed'] }))
    const view = defaultView(dataset)
    const { headline, about } = verdictOf(dataset, view, comparisonsOf(dataset, view))
    const [tile] = tilesOf(dataset, view, about)
    expect(tile?.more).toMatch(/^simultaneous 95% CI /)
    expect(headline).toContain(`(${tile?.more})`)
  })

  it('marks a p that is the smallest possible for few pairs', () => {
    const tileOf = (candidate: readonly number[]) => {
      const dataset = aDataset(twoArms(a, candidate))
      const view = defaultView(dataset)
      const { about } = verdictOf(dataset, view, comparisonsOf(dataset, view))
      return tilesOf(dataset, view, about).find(({ name }) => name === 'p')?.more
    }
    expect(tileOf(a.map((value, at) => value + 2 + 0.1 * (at % 3)))).toMatch(
      /; 0\.0078 by sign-flip permutation, the least that 8 pairs can give$/,
    )
    expect(tileOf(a.map((value, at) => value + (at === 0 ? -1 : 2)))).toMatch(/ by sign-flip permutation$/)
  })

  it('is about the best of thousands of arms, and gives their number', () => {
    const runs = Array.from({ length: 2000 }, (_, arm) =>
      [1, 2, 3, 4, 5, 6].map((value, at) =>
        scored({ arm }, { seed: at + 1 }, value + (arm === 1234 ? 50 : 0) + Math.sin(arm * (at + 1))),
      ),
    ).flat()
    const { headline, others, warnings } = verdictFor(evidenceWith(runs, { blocks: ['seed'] }))
    expect(headline).toMatch(/^arm=1234 is better on score than arm=0 by/)
    expect(others).toHaveLength(19)
    expect(warnings.join()).toContain('these are the best 20 of 1999 candidates')
    const without = verdictFor(
      evidenceWith(
        runs.filter(({ params }) => params.arm !== 1234),
        { blocks: ['seed'] },
      ),
    )
    expect(without.headline).toBe('None of the best 20 of 1998 others is shown to be better than arm=0 on score.')
  })

  it('says that nothing is better', () => {
    const runs = Object.entries({ a: 0, b: -2, c: -5 }).flatMap(([arm, shift]) =>
      a.map((value, at) => scored({ arm }, { seed: at + 1 }, value + shift + 0.1 * Math.sin(at + shift))),
    )
    const { headline, others } = verdictFor(evidenceWith(runs, { blocks: ['seed'] }))
    expect(headline).toBe('a is the best of 3 on score: b and c are worse.')
    expect(others).toHaveLength(2)
  })

  it('of one variant is its mean', () => {
    const one = evidenceWith(
      a.map(value => aRun({ name: `r${value}`, params: { arm: 'a' }, metrics: { score: value } })),
    )
    expect(verdictFor(one).headline).toMatch(
      /^score is 4\.50 on average \(95% CI .*, 8 runs\)\. There is one variant: nothing to compare it with\.$/,
    )
  })

  it('of runs that all failed is the failure', () => {
    const outcome = { kind: 'failed', error_class: 'exit_7' } as const
    const failed = evidenceWith([aRun({ name: 'x', outcome }), aRun({ name: 'y', outcome })])
    expect(verdictFor(failed).headline).toBe('No run completed: all 2 ended as “failed: exit_7”.')
  })

  it('reports a metric without values', () => {
    const runs = [aRun({ name: 'x', params: { arm: 'a' } }), aRun({ name: 'y', params: { arm: 'b' } })]
    expect(verdictFor(evidenceWith(runs)).headline).toBe('No verdict: no run has a value of score.')
  })
})

describe('the headline of a search', () => {
  const means = { 1: 0.2, 2: 0.21, 3: 0.9, 4: 0.205 }
  const runs = Object.entries(means).flatMap(([width, mean]) =>
    [1, 2, 3].map(seed =>
      aRun({ name: `${width}-${seed}`, params: { width }, block: { seed }, metrics: { loss: mean + 0.01 * seed } }),
    ),
  )
  const stopped = aRun({
    name: '5-1',
    params: { width: '5' },
    block: { seed: 1 },
    metrics: { loss: 0.1 },
    outcome: { kind: 'stopped_early' },
  })
  const searched = (all = runs, search: object = {}) => {
    const evidence = evidenceWith(all, { metrics: [], factors: ['width'], blocks: ['seed'] })
    const spec = { method: 'random', metric: 'loss', goal: 'minimize', also: [], impute: 'worst', ...search }
    const standing = { planned: all.length, states: { completed: all.length } }
    const experiments = [{ search: spec, standing, place: 'results/tuning', config: 'tuning.yaml' } as never]
    const dataset = aDataset(evidence, { experiments })
    const view = defaultView(dataset)
    return { dataset, view, ...verdictOf(dataset, view, comparisonsOf(dataset, view)) }
  }

  it('has the interval, the number of seeds, the rivals and a caveat on selection', () => {
    const { headline, others } = searched([...runs, stopped])
    expect(headline).toMatch(/^Best loss: 0\.220 \(95% CI 0\.195 to 0\.245, 3 seeds\)\. width=1$/)
    expect(others).toEqual([
      '5 variants tried, 4 compared. It was chosen because it came out best, so expect less of it next time.',
      '2 of the other 3 have their means inside that interval, and may be as good.',
      'Not compared: 1 variant with fewer than 3 completed runs with a value.',
    ])
  })

  it('names the same variant as the section on the search', () => {
    const { dataset, view } = searched([stopped, ...runs])
    expect(searchFindingsOf(dataset, view)).toMatchObject({ found: { best: { params: { width: '1' } } } })
  })

  it('counts runs with the value of the objective', () => {
    const series = [{ metric: 'loss', steps: [1, 2], values: [0.001, 0.9] }]
    const early = aRun({ name: '6-1', params: { width: '6' }, block: { seed: 1 }, metrics: { loss: 0.9 }, series })
    const single = runs.filter(({ block }) => block.seed === 1)
    expect(searched([...single, early], { value: 'best' }).headline).toBe(
      'Best loss: 0.00100 (the best that each run reported, 1 run). width=6',
    )
  })

  it('reports an objective value lost by thinning', () => {
    const { dataset, view } = searched(runs, { value: 'best' })
    const thinned = { ...dataset, kept: { ...dataset.kept, series_points: 8 } }
    const { headline, others } = verdictOf(thinned, view, comparisonsOf(thinned, view))
    expect(headline).not.toContain('the best that each run reported')
    expect(others.at(-1)).toMatch(/^Series were thinned for this page/)
  })

  it('is followed by how to evaluate the winner', () => {
    const { dataset, about } = searched()
    expect(nextStepsOf(dataset, about)).toEqual([
      'to measure the best variant on fresh seeds: assay sweep best results/tuning --write tuning-best.yaml, then assay run tuning-best.yaml',
    ])
  })
})

describe('next steps', () => {
  it('gives the number of further units that would show a difference of the observed size', () => {
    const noisy = a.map((value, at) => value + 0.4 + 3 * Math.sin(5 * at))
    const { verdict, about } = verdictFor(twoArms(a, noisy))
    expect(verdict).toBe('inconclusive')
    const [step] = nextStepsOf(aDataset(evidenceWith([])), about)
    expect(step).toMatch(/^if the difference really is [\d.]+, about \d+ seeds would show it four times out of five/)
  })
})

describe('the command that recreates the page', () => {
  const experiments = [{ place: 'results/e', config: null, dialect: 'native', search: null } as never]
  const dataset = aDataset(twoArms([1, 2, 3], [4, 5, 6]), { experiments })
  const view = defaultView(dataset)
  const lineFor = (wish: Partial<View>) => commandsOf(dataset, { ...view, ...wish }).at(-1)?.line

  it('has only the path for a page with defaults', () => {
    expect(lineFor({})).toBe('assay report results/e')
  })

  it('has metric, baseline, confidence and filter if changed', () => {
    expect(lineFor({ metric: 'steps', baseline: { arm: 'b' }, alpha: 0.01, filter: 'seed > 1 ' })).toBe(
      "assay report results/e --metric steps --control arm=b --alpha 0.01 --filter 'seed > 1'",
    )
  })
})

describe('badges', () => {
  const standing = (states: Record<string, number>) => {
    const planned = Object.values(states).reduce((sum, count) => sum + count, 0)
    const facts = { planned, states, attempts: 0, cost_usd: 0, overrun_usd: 0, budget_usd: null }
    return aDataset(evidenceWith([]), { experiments: [{ standing: facts } as never] })
  }
  const texts = (states: Record<string, number>) =>
    badgesOf(standing(states), { filter: '', metric: 'score' }).map(({ text }) => text)

  it('report missing runs', () => {
    expect(texts({ completed: 60 })).toEqual(['exploratory', 'complete: 60 runs'])
    expect(texts({ completed: 40, failed: 2, timed_out: 1, pending: 16, running: 1 })).toEqual([
      'exploratory',
      'partial: 43 of 60 runs',
      '3 without a result',
    ])
  })

  it('are not positive if no run completed', () => {
    const [, badge] = badgesOf(standing({ failed: 6 }), { filter: '', metric: 'score' })
    expect(badge).toMatchObject({ text: 'ended: 6 runs, none completed', tone: 'warning' })
    expect(texts({ failed: 6 })).toHaveLength(2)
  })

  const dataset = aDataset(
    evidenceWith([
      ...twoArms([1, 2, 3], [4, 5, 6]).runs,
      aRun({ name: 'x', params: { arm: 'b' }, block: { seed: 4 }, problems: { score: 'no file' } }),
      aRun({ name: 'y', params: { arm: 'b' }, block: { seed: 5 }, outcome: { kind: 'failed' } }),
    ]),
  )
  const seen = (filter: string) => badgesOf(dataset, { filter, metric: 'score' }).map(({ text }) => text)

  it('give the number of selected runs, and of all', () => {
    expect(seen(' arm=a ')).toContain('only arm=a: 3 of 8 runs')
    expect(seen('arm=z')).toContain('only arm=z: none of 8 runs')
    expect(seen('')).not.toContainEqual(expect.stringContaining('only'))
  })

  it('count completed runs without the metric', () => {
    expect(seen('')).toContain('1 without score')
    expect(seen('arm=a')).not.toContain('1 without score')
  })
})
