import { describe, expect, test } from 'vitest'
import type { SearchSpec } from '../../../src/define/experiment.ts'
import type { Run } from '../../../src/define/run.ts'
import { plannerFor } from '../../../src/plan/plan.ts'
import type { Planner } from '../../../src/plan/planner.ts'
import type { Json } from '../../../src/util/json.ts'
import { plannerContract } from '../planner-contract.ts'
import { finite, lossOf, mixed, observed, searching } from './spaces.ts'

const options = { order: 'listed', seed: 1, selection: { filters: [], first: null, shard: null } } as const
const planner = (search: SearchSpec): Planner => plannerFor(finite(search), options)

/** Runs everything it proposes, two at a time; the nth run has the loss 10 − n. */
function drive(searched: Planner): { readonly runs: readonly Run[]; readonly state: Json } {
  const runs: Run[] = []
  let state = searched.start()
  for (;;) {
    const answer = searched.ask(state, 2)
    if (typeof answer === 'string') return { runs, state }
    const news = answer.runs.map(({ run }) => observed(run, 10 - runs.push(run)))
    state = searched.tell(answer.state, news)
  }
}

describe.each(['grid', 'random', 'sobol', 'bayes', 'tpe'] as const)('a %s search with a target', method => {
  test('starts no more runs once one reaches it; running ones finish', () => {
    const { runs } = drive(planner(searching(method, { target: 5 })))
    expect(runs).toHaveLength(6)
  })

  test('runs all if none reaches it', () => {
    const all = drive(planner(searching(method))).runs
    const search = searching(method, { goal: 'maximize', target: 100 })
    expect(drive(planner(search)).runs).toHaveLength(all.length)
  })

  test('gives the reason of its end', () => {
    const searched = planner(searching(method, { target: 5 }))
    const { runs, state } = drive(searched)
    expect(searched.ending?.(state)).toBe(`the target was reached by ${runs[4]?.name}: loss is 5, and 5 was enough`)
    const none = planner(searching(method, { target: -100 }))
    expect(none.ending?.(drive(none).state)).toBeNull()
  })

  test('a failed run never reaches it, unless its own best counts', () => {
    const searched = planner(searching(method, { target: 5 }))
    const answer = searched.ask(searched.start(), 1)
    if (typeof answer === 'string') throw new Error('it proposed nothing')
    const [run] = answer.runs.map(proposal => proposal.run)
    const failed = { ...observed(run as Run, 1), outcome: { kind: 'failed' as const } }
    expect(searched.ask(searched.tell(answer.state, [failed]), 1)).not.toBe('done')
  })
})

plannerContract('random with a target', () => planner(searching('random', { target: 5 })))
plannerContract(
  'bayes with a target',
  () => plannerFor(mixed(searching('bayes', { target: 0.1, max_runs: 24 })), options),
  run => observed(run, lossOf(run)),
)
