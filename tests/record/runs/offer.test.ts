import { describe, expect, it } from 'vitest'
import { readExperiment } from '../../../src/record/journal/experiment-row.ts'
import { offerRuns, takePlannerLease } from '../../../src/record/runs/offer.ts'
import { experimentWith } from '../../plan/experiment.ts'
import { claim, joinAgain, plan, planned, runNamed, states } from '../support.ts'

describe('an offer', () => {
  it('of a plan that was replaced meanwhile is refused as a whole, and the new plan continues', () => {
    const { journal, workerId } = planned('a')
    const generation = readExperiment(journal)?.generation ?? 0
    takePlannerLease(journal, workerId)
    const other = joinAgain(journal)
    plan(journal, other, ['a', 'b'])
    const before = readExperiment(journal)

    const proposals = ['c', 'd'].map(name => ({ run: runNamed(name), why: 'test' }))
    const late = { workerId, generation, experiment: experimentWith({}), proposals, state: 99, done: true, seen: 9 }
    expect(offerRuns(journal, late)).toBeNull()
    expect(states(journal)).toEqual({ a: 'ready', b: 'ready' })
    expect(readExperiment(journal)).toEqual(before)
    expect(takePlannerLease(journal, workerId)).toBe(true)
    expect([1, 2, 3].map(() => claim(journal, workerId).answer.kind)).toEqual(['claimed', 'claimed', 'none'])
  })

  it('of a worker that lost the planning right is refused', () => {
    const { journal, workerId } = planned('a')
    const generation = readExperiment(journal)?.generation ?? 0
    const offer = { generation, experiment: experimentWith({}), state: 1, done: false, seen: 0 }
    const other = joinAgain(journal)
    expect(takePlannerLease(journal, other)).toBe(true)
    const proposals = [{ run: runNamed('b'), why: 'test' }]
    expect(offerRuns(journal, { ...offer, workerId, proposals })).toBeNull()
    expect(offerRuns(journal, { ...offer, workerId: other, proposals })).toBe(1)
    expect(states(journal)).toEqual({ a: 'ready', b: 'ready' })
  })
})
