import { describe, expect, it } from 'vitest'
import { branchWarnings } from '../../../src/report/findings/branches.ts'
import { stepAxis, stepNameOf } from '../../../src/report/findings/step-name.ts'

const ofKind = (kind: string) => [{ definition: { target: { kind } } }]

const branches = (...from: readonly (string | null)[]) => ({
  experiments: ofKind('scenario'),
  evidence: { runs: from.map(branch_from => ({ params: { branch_from } })) },
})

const [one, two] = ['results/a/runs/one:2', 'results/a/runs/two:2']

describe('a comparison of branches', () => {
  it('holds for one history where all go on from the same run', () => {
    expect(branchWarnings(branches(one, one), { pairing: null })).toEqual([
      'all branches go on from results/a/runs/one:2, so they differ only after that turn, and the result holds for that history: branch from several runs, and pair by branch_from, to say more',
    ])
  })

  it('says what pairs the branches of several histories', () => {
    const all = branches(one, two, one, two)
    expect(branchWarnings(all, { pairing: null })).toEqual([
      'these are branches of 2 histories: --pair-by branch_from compares those that have the same turns in common',
    ])
    expect(branchWarnings(all, { pairing: { by: ['branch_from'] } })).toEqual([
      'runs are paired by branch_from: those of a pair have the turns of the same run in common, and their events come from the same seed',
    ])
  })

  it('says how many runs are branches where others are none', () => {
    expect(branchWarnings(branches(one, 'trunk', null), { pairing: null })[0]).toBe(
      '1 run is a branch and 2 began at the beginning: only runs that go on from the same turn of the same run have its turns in common',
    )
  })

  it('says nothing where nothing is compared, nothing is a branch, or it is no scenario', () => {
    expect(branchWarnings(branches(one), null)).toEqual([])
    expect(branchWarnings(branches('trunk', null), { pairing: null })).toEqual([])
    expect(branchWarnings({ ...branches(one), experiments: ofKind('command') }, { pairing: null })).toEqual([])
  })
})

describe('the steps of a series', () => {
  it('are turns of a scenario, calls where they are its cost, and steps of anything else', () => {
    const names = (kind: string, metric: string) => stepNameOf(ofKind(kind), metric)
    expect(names('scenario', 'trust')).toEqual({ one: 'turn', many: 'turns' })
    expect(names('scenario', 'cost_usd')).toEqual({ one: 'call', many: 'calls' })
    expect(names('command', 'trust')).toEqual({ one: 'step', many: 'steps' })
    expect(stepNameOf([...ofKind('scenario'), { definition: null }], 'trust').one).toBe('step')
    expect(stepNameOf([], 'trust').one).toBe('step')
    // A worker hands over copies.
    expect(stepAxis(structuredClone(names('scenario', 'trust')))).toEqual({ stepLabel: 'turn', isCount: true })
    expect(stepAxis(structuredClone(names('command', 'trust')))).toEqual({})
  })
})
