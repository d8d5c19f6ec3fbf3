import { expect, test } from 'vitest'
import type { Run } from '../../../src/define/run.ts'
import { plannerFor } from '../../../src/plan/planners/registry.ts'
import { plannerContract } from '../planner-contract.ts'
import { finite, lossOf, mixed, observed, searching } from '../search/spaces.ts'

const options = { order: 'listed', seed: 1, selection: { filters: [], first: null, shard: null } } as const
const sizes = (run: Run) => observed(run, run.params.kind === 'b' ? null : Number(run.params.size ?? 3))

plannerContract('bayes, a finite space', () => plannerFor(finite(searching('bayes', { initial: 4 })), options), sizes)
plannerContract(
  'bayes, a mixed space',
  () => plannerFor(mixed(searching('bayes', { max_runs: 41 })), options),
  run => observed(run, lossOf(run)),
)

test('finds what is good in a mixed and conditional space, and says why it looked there', () => {
  const planner = plannerFor(mixed(searching('bayes', { max_runs: 80 })), options)
  const losses: number[] = []
  const reasons: string[] = []
  for (let state = planner.start(); ; ) {
    const answer = planner.ask(state, 2)
    if (typeof answer === 'string') break
    losses.push(...answer.runs.map(({ run }) => lossOf(run)))
    reasons.push(...answer.runs.map(({ why }) => why))
    const told = answer.runs.map(({ run }) => observed(run, lossOf(run)))
    state = planner.tell(answer.state, told)
  }
  expect(losses).toHaveLength(80)
  expect(Math.min(...losses)).toBeLessThan(0.02)
  expect(reasons[0]).toContain('spread over the space')
  expect(reasons.at(-1)).toMatch(/^expected improvement .* over .*, predicted .* ± /)
})

test.each(['bayes', 'tpe'] as const)('%s finds the corner that a tight constraint leaves', method => {
  const experiment = { ...mixed(searching(method, { max_runs: 12 })), constraints: ['share > 0.9995'] }
  const planner = plannerFor(experiment, options)
  const found: number[] = []
  for (let state = planner.start(); ; ) {
    const answer = planner.ask(state, 1)
    if (typeof answer === 'string') break
    found.push(...answer.runs.map(({ run }) => Number(run.params.share)))
    state = planner.tell(
      answer.state,
      answer.runs.map(({ run }) => observed(run, lossOf(run))),
    )
  }
  expect(found).toHaveLength(12)
  expect(Math.min(...found)).toBeGreaterThan(0.9995)
})
