import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Experiment, searchMethods } from '../../src/define/experiment.ts'
import { type Observation, observed, recordOf } from '../../src/define/observation.ts'
import type { Run } from '../../src/define/run.ts'
import { trialOf } from '../../src/plan/identity.ts'
import { plannerFor } from '../../src/plan/plan.ts'
import { everything, type PlannerOptions } from '../../src/plan/planner.ts'
import { experimentWith, factor } from './experiment.ts'
import { plannerContract } from './planner-contract.ts'

const options: PlannerOptions = { order: 'listed', seed: 7, selection: everything }

function counting(
  method: string,
  shape: { readonly blocks: number; readonly replicates: number; readonly most: number | null },
): Experiment {
  const search = {
    method,
    counts: 'variants',
    metric: 'loss',
    goal: 'minimize',
    also: [],
    max_runs: shape.most,
  } as const
  return experimentWith({
    factors: [
      factor('kind', ['a', 'b', 'c']),
      factor('x', [1, 2, 3], "kind != 'a'"),
      factor('flag', [true, false], "kind == 'c'"),
    ],
    blocks: [{ name: 'task', levels: Array.from({ length: shape.blocks }, (_, index) => `t${index}`) }],
    replicates: shape.replicates,
    search: { ...search, seed: null, impute: 'worst', initial: null, early_stop: null },
  })
}

const loss = (run: Run): number => Number(run.params.x ?? 2) + (run.block.task === 't0' ? 0.5 : 0)

/** A stopper drops the rest of every third trial after its first run. */
const observe = (run: Run): Observation =>
  Number.parseInt(trialOf(run), 16) % 3 === 0 && run.block.task !== 't0'
    ? observed({ ...recordOf(run), outcome: { kind: 'stopped_early' } })
    : observed({ ...recordOf(run), metrics: { loss: loss(run) } })

for (const method of searchMethods)
  plannerContract(
    `${method}, counting variants`,
    () => plannerFor(counting(method, { blocks: 3, replicates: 2, most: 6 }), options),
    observe,
  )

describe('a planner that counts variants', () => {
  it('starts no more variants than allowed, and runs each in all its blocks and replicates', () => {
    const shapes = fc.record({
      method: fc.constantFrom(...searchMethods),
      blocks: fc.integer({ min: 1, max: 5 }),
      replicates: fc.integer({ min: 1, max: 3 }),
      most: fc.option(fc.integer({ min: 1, max: 12 })),
      wanted: fc.integer({ min: 1, max: 9 }),
    })
    // One of kind a, three of b, six of c.
    const variants = 10
    fc.assert(
      fc.property(shapes, ({ method, wanted, ...shape }) => {
        const planner = plannerFor(counting(method, shape), options)
        const trials = new Map<string, Set<string>>()
        const order: string[] = []
        for (let state = planner.start(); ; ) {
          const answer = planner.ask(state, wanted)
          if (typeof answer === 'string') break
          for (const { run, trial = '' } of answer.runs) {
            expect(trial).toBe(trialOf(run))
            expect(trial).toBe(trialOf(observe(run)))
            trials.set(trial, (trials.get(trial) ?? new Set()).add(run.key))
            if (order.at(-1) !== trial) order.push(trial)
          }
          state = planner.tell(
            answer.state,
            answer.runs.map(({ run }) => observe(run)),
          )
        }
        const size = shape.blocks * shape.replicates
        expect(trials.size).toBe(Math.min(variants, shape.most ?? variants))
        for (const runs of trials.values()) expect(runs.size).toBe(size)
        // One after the other: no trial is left and taken up again.
        expect(order).toHaveLength(trials.size)
        expect(planner.count()).toBe(trials.size * size)
      }),
      { numRuns: 60 },
    )
  })

  it('learns from a stopped variant by its finished runs', () => {
    const experiment = counting('tpe', { blocks: 4, replicates: 1, most: null })
    const planner = plannerFor(experiment, options)
    const answer = planner.ask(planner.start(), 4)
    if (typeof answer === 'string') throw new Error(answer)
    const [first, ...rest] = answer.runs.map(({ run }) => run)
    if (first === undefined) throw new Error('no run')
    const told = planner.tell(answer.state, [
      observed({ ...recordOf(first), metrics: { loss: 3 } }),
      ...rest.map(run => observed({ ...recordOf(run), outcome: { kind: 'stopped_early' } })),
    ])
    expect(told).toMatchObject({ trials: [{ results: [3, 'dropped', 'dropped', 'dropped'] }] })
  })
})
