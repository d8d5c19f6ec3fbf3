import { describe, expect, it } from 'vitest'
import type { Experiment } from '../../../src/define/experiment.ts'
import type { Run } from '../../../src/define/run.ts'
import { plannerFor } from '../../../src/plan/plan.ts'
import { plannerContract } from '../planner-contract.ts'
import { finite, lossOf, mixed, observed, searching } from '../search/spaces.ts'

const options = { order: 'listed', seed: 1, selection: { filters: [], first: null, shard: null } } as const
const sizes = (run: Run) => observed(run, run.params.kind === 'b' ? null : Number(run.params.size ?? 3))

/** A whole search, `atOnce` runs at a time: its runs with their reasons. */
function searched(experiment: Experiment, atOnce: number): readonly { readonly run: Run; readonly why: string }[] {
  const planner = plannerFor(experiment, options)
  const all: { readonly run: Run; readonly why: string }[] = []
  for (let state = planner.start(); ; ) {
    const answer = planner.ask(state, atOnce)
    if (typeof answer === 'string') return all
    all.push(...answer.runs)
    state = planner.tell(
      answer.state,
      answer.runs.map(({ run }) => observed(run, lossOf(run))),
    )
  }
}

describe.each([
  { method: 'bayes', good: 0.02, lastReason: /^expected improvement .* over .*, predicted .* ± / },
  { method: 'tpe', good: 0.3, lastReason: /times as likely among the best \d+ of \d+ as among the others/ },
] as const)('$method', ({ method, good, lastReason }) => {
  plannerContract(
    `${method}, a finite space`,
    () => plannerFor(finite(searching(method, { initial: 4 })), options),
    sizes,
  )
  plannerContract(
    `${method}, a mixed space`,
    () => plannerFor(mixed(searching(method, { max_runs: 41 })), options),
    run => observed(run, lossOf(run)),
  )

  it('finds good points in a mixed and conditional space, with reasons', () => {
    const runs = searched(mixed(searching(method, { max_runs: 80 })), 2)
    expect(runs).toHaveLength(80)
    expect(Math.min(...runs.map(({ run }) => lossOf(run)))).toBeLessThan(good)
    expect(runs[0]?.why).toContain('spread over the space')
    expect(runs.at(-1)?.why).toMatch(lastReason)
  })

  it('finds the corner left by a tight constraint', () => {
    const experiment = { ...mixed(searching(method, { max_runs: 12 })), constraints: ['share > 0.9995'] }
    const found = searched(experiment, 1).map(({ run }) => Number(run.params.share))
    expect(found).toHaveLength(12)
    expect(Math.min(...found)).toBeGreaterThan(0.9995)
  })
})
