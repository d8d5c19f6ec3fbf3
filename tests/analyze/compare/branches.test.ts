import { describe, expect, it } from 'vitest'
import { armsFor } from '../../../src/analyze/arms.ts'
import { branchWarnings } from '../../../src/analyze/compare/branches.ts'
import { observed } from '../../../src/define/observation.ts'

const runs = (...from: readonly (string | null)[]) =>
  from.map(branch_from => ({ params: { scenario: 'harbour', branch_from } }))

const [one, two] = ['results/a/runs/one:2', 'results/a/runs/two:2']

describe('a comparison of branches', () => {
  it('holds for one history if all branches continue the same run', () => {
    expect(branchWarnings(runs(one), runs(one), null)).toEqual([
      'all branches go on from results/a/runs/one:2, so they differ only after that turn, and the result holds for that history: branch from several runs, and pair by branch_from, to say more',
    ])
  })

  it('names what pairs the branches of several histories', () => {
    const arm = runs(one, two)
    expect(branchWarnings(arm, arm, ['seed'])).toEqual([
      'these are branches of 2 histories: --pair-by branch_from compares those that have the same turns in common',
    ])
    expect(branchWarnings(arm, arm, ['branch_from'])).toEqual([
      'runs are paired by branch_from: those of a pair have the turns of the same run in common, and their events come from the same seed',
    ])
  })

  it('gives the number of branches if some runs are branches, in both arms or in one', () => {
    expect(branchWarnings(runs(one, 'trunk'), runs(one, null), ['seed', 'branch_from'])[0]).toBe(
      "2 runs are branches and 2 began at the beginning, all in one result: --filter 'branch_from=RUN:TURN' looks at branches alone, and branch_from=null at the others",
    )
    expect(branchWarnings(runs(null, null), runs(one), ['seed'])[0]).toBe(
      '1 run is a branch and 2 began at the beginning: only runs that go on from the same turn of the same run have its turns in common, and branches draw their events from the seed of their trunk, so that pairs by seed are none: --unpaired',
    )
    expect(branchWarnings(runs(null), runs(one), null)[0]).not.toContain('--unpaired')
  })

  it('says nothing if no run is a branch, or for other targets', () => {
    expect(branchWarnings(runs('trunk'), runs(null), null)).toEqual([])
    expect(branchWarnings([{ params: { branch_from: one } }], [{ params: { branch_from: one } }], null)).toEqual([])
  })

  it('can select runs without a branch by their label', () => {
    const made = [null, one].map(from =>
      observed({ params: { scenario: 'harbour', ...(from !== null && { branch_from: from }) } }),
    )
    const evidence = {
      runs: made,
      metrics: [],
      blocks: [],
      factors: ['branch_from'],
      levels: {},
      baseline: null,
      sources: [],
    }
    const { control, candidates } = armsFor(evidence, { control: { branch_from: 'null' } })
    expect([control.label, control.runs.length]).toEqual(['branch_from=null', 1])
    expect(candidates.map(({ label }) => label)).toEqual([one])
  })
})
