import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../src/define/observation.ts'
import type { Dataset } from '../../../src/report/dataset/dataset.ts'
import { comparisonsOf } from '../../../src/report/findings/comparisons.ts'
import { defaultView, type View } from '../../../src/report/findings/view.ts'
import { methodsOf } from '../../../src/report/findings/wording/methods.ts'
import { aRun, evidenceWith, scored, twoArms } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

const datasetOf = (evidence: Evidence, experiment: object | null = null): Dataset =>
  aDataset(
    {
      ...evidence,
      runs: evidence.runs.map((run, at) => ({ ...run, started_at: Date.UTC(2026, 10, 15) + 3_600_000 * at })),
    },
    experiment === null
      ? {}
      : { experiments: [{ search: null, standing: null, processes: [], ...experiment } as never] },
  )

function methods(dataset: Dataset, wish: Partial<View> = {}): string {
  const view = { ...defaultView(dataset), ...wish }
  return methodsOf(dataset, view, comparisonsOf(dataset, view))
}

const eight = [1, 2, 3, 4, 5, 6, 7, 8]
const wavy = (shift: number) => eight.map(at => at + shift + 0.1 * Math.sin(at * (1 + shift)))

/** Arms at two loads, a run for each seed. */
const crossed = evidenceWith(
  ['a', 'b'].flatMap((arm, shift) =>
    [0.7, 0.9].flatMap(load =>
      eight.map(seed => scored({ arm, load }, { seed }, shift + load + Math.sin(seed * load))),
    ),
  ),
  { factors: ['arm', 'load'], blocks: ['seed'] },
)

describe('the paragraph on methods', () => {
  it('says which intervals were cut at the possible values', () => {
    const high = (range?: readonly [number, number]) =>
      twoArms([1, 1, 1, 0.6], [0.1, 0, 0.3, 0], {
        metrics: [{ name: 'score', goal: 'maximize', primary: true, range }],
      })
    const said = 'Intervals end where the possible values do: from 0 to 1 for each arm.'
    expect(methods(datasetOf(high([0, 1])))).toContain(said)
    expect(methods(datasetOf(high()))).not.toContain('possible values')
    expect(methods(datasetOf(high([-9, 9])))).not.toContain('possible values')
  })

  it('distinguishes what was run from what is analysed', () => {
    expect(methods(datasetOf(crossed), { filter: 'load == 0.9' })).toMatch(
      /^We ran 4 variants \(arm and load\) on 8 seeds: 32 runs, of which 32 completed\. Only the 16 runs with load == 0\.9 are analysed here \(2 variants\)\./,
    )
  })

  it('gives the finished share of the plan, and the runs without a partner', () => {
    const evidence = twoArms(wavy(0), wavy(1).slice(0, 7))
    const text = methods(datasetOf(evidence, { standing: { planned: 40, states: {} } }))
    expect(text).toContain('15 of 40 planned runs have ended, 15 of them completed.')
    expect(text).toMatch(/No run that ended lacked a value\. Left out because they have no partner: 1 seed \(8\)\.$/)
  })

  it('gives order and dates', () => {
    const definition = { order: 'interleaved', blocks: [{}], seed: 1 }
    const processes = [{ assay: '1.0.0', node: 'v24', cpu: 'fast', cores: 2 }]
    const text = methods(datasetOf(crossed, { definition, processes }))
    expect(text).toContain('Runs were started block by block, the variants of each in random order.')
    expect(text).toContain('Runs were made between 2026-11-15 and 2026-11-16 (UTC) with assay 1.0.0')
  })

  it('names what was averaged, and does not call another factor a repetition', () => {
    expect(methods(datasetOf(crossed))).toContain(
      'Arms were paired by seed and load. Runs of the same seed were averaged over load first. The unit of analysis is the seed.',
    )
    expect(methods(datasetOf(twoArms(wavy(0), wavy(1))))).toContain(
      'Arms were paired by seed. The unit of analysis is the seed.',
    )
    const { runs } = twoArms(wavy(0), wavy(1))
    const again = runs.map(run => ({ ...run, name: `${run.name}-2`, replicate: 2 }))
    expect(methods(datasetOf(evidenceWith([...runs, ...again], { blocks: ['seed'] })))).toContain(
      'Runs of the same seed were averaged over repetitions first.',
    )
  })

  it('gives the rule of the verdict, and which numbers are corrected', () => {
    const three = Object.entries({ a: 0, b: 1, c: 2 }).flatMap(([arm, shift]) =>
      wavy(shift).map((value, at) => scored({ arm }, { seed: at }, value)),
    )
    const text = methods(datasetOf(evidenceWith(three, { blocks: ['seed'] })))
    expect(text).toContain(
      'A candidate is called better or worse where p, corrected for 2 comparisons (holm), is at most 0.05; all else is inconclusive, which does not mean equal.',
    )
    expect(text).toContain('Intervals are not adjusted for their number; the table of differences also has')
    expect(text).not.toContain('Effects of all factors')
    expect(methods(datasetOf(crossed))).toContain('Effects of all factors and their interactions are a family')
    expect(text).toContain('Intervals of ratios of means are Fieller’s.')
  })

  it('covers every comparison, not just the first', () => {
    const arms = { a: wavy(0), b: wavy(0).map(value => value + 1), c: wavy(2) }
    const runs = Object.entries(arms).flatMap(([arm, values]) =>
      values.map((value, at) => scored({ arm }, { seed: at }, value)),
    )
    const text = methods(datasetOf(evidenceWith(runs, { blocks: ['seed'] })))
    expect(text).toContain(
      '(b: none could be made, zero variance; c: the wider of Student’s t and the studentised bootstrap)',
    )
    expect(text).toContain('Test: b: sign-flip permutation; c: paired t and studentised bootstrap')
  })

  it('says how runs without a value count', () => {
    const lost = (missing: 'zero' | 'worst-rank' | 'bounds' | 'failed') => {
      const { runs, ...rest } = twoArms([...wavy(0), null, null], [...wavy(1), 9, null])
      const metrics = [{ name: 'score', goal: 'maximize', primary: true, range: [0, 20] } as const]
      return methods(datasetOf({ ...rest, runs, metrics, declared: { missing } }))
    }
    expect(lost('failed')).toContain('3 runs without a value were left out.')
    expect(lost('zero')).toContain('3 runs without a value count as 0 (rule: zero).')
    expect(lost('worst-rank')).toContain('3 runs without a value count as worse than every value (rule: worst-rank).')
    expect(lost('worst-rank')).toContain('Differences are those of the shares of comparisons won and lost, candidate')
    expect(lost('bounds')).toContain('3 runs without a value are left open: intervals and verdicts hold whatever')
    for (const rule of ['zero', 'worst-rank', 'bounds'] as const) expect(lost(rule)).not.toContain('left out')
    expect(lost('failed')).not.toContain('rule')
  })

  it('gives weights and strata of units', () => {
    const { runs, ...rest } = twoArms(wavy(0), wavy(1))
    const evidence = {
      ...rest,
      runs: runs.map(run => {
        const seed = Number(run.block.seed)
        return { ...run, columns: { weight: seed > 4 ? 3 : 1, kind: seed % 2 === 0 ? 'hard' : 'easy' } }
      }),
    }
    const text = (declared: NonNullable<Evidence['declared']>) => methods(datasetOf({ ...evidence, declared }))
    // (4 + 12)² / (4 + 36) units.
    expect(text({ weights: 'weight' })).toContain(
      'The seeds are weighted by weight. They carry as much information as 6.40 of equal weight. Differences are those of weighted means, candidate',
    )
    expect(text({ strata: { by: 'kind', shares: { hard: 0.25, easy: 0.75 } } })).toMatch(
      /The seeds are stratified, and each stratum counts with its share: (easy 75%, hard 25%|hard 25%, easy 75%)\./,
    )
    expect(text({})).not.toMatch(/weighted|stratified/)
  })

  it('names the family of metrics', () => {
    const { runs, ...rest } = twoArms(wavy(0), wavy(1))
    const metrics = ['score', 'cost'].map((name, at) => ({ name, goal: 'maximize' as const, primary: at === 0 }))
    const both = runs.map(run => ({ ...run, metrics: { ...run.metrics, cost: Math.sin(Number(run.block.seed)) } }))
    const text = methods(datasetOf({ ...rest, runs: both, metrics, declared: { family: ['score', 'cost'] } }))
    expect(text).toContain(
      'where p, corrected for 2 tests of score and cost, which decide together (holm), is at most 0.05',
    )
    expect(text).toContain('those that hold for all at once (Bonferroni)')
  })

  it('mentions resampling only if it was used', () => {
    expect(methods(datasetOf(twoArms(wavy(0), wavy(1))))).toContain('Resampling drew 10,000 samples with seed 1.')
    expect(methods(datasetOf(twoArms([1, 2, 4], [2, 4, 7])))).not.toContain('Resampling')
    expect(methods(datasetOf(twoArms([1, 2, 3], [2, 3, 4])))).not.toContain('Resampling')
  })

  it('of a search gives its objective, and what its intervals do not cover', () => {
    const runs = [1, 2, 3].flatMap(width =>
      [1, 2].map(seed =>
        aRun({ name: `${width}-${seed}`, params: { width }, block: { seed }, metrics: { loss: width + seed / 9 } }),
      ),
    )
    const evidence = evidenceWith(runs, { metrics: [], factors: ['width'], blocks: ['seed'] })
    const search = {
      ...{ method: 'tpe', metric: 'loss', goal: 'minimize', also: [], impute: 'worst' },
      ...{ seed: 4, max_runs: 6, early_stop: { type: 'asha' } },
    }
    const text = methods(datasetOf(evidence, { search }))
    expect(text).toContain('The tpe search (seed 4) was to minimise loss, with at most 6 runs.')
    expect(text).toContain('Runs were stopped early (asha).')
    expect(text).toContain('not adjusted for the number of variants or for having chosen the best')
    expect(text).toContain('functional analysis of variance')
  })
})
