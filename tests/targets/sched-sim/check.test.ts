import { expect, test } from 'vitest'
import type { Experiment } from '../../../src/define/experiment.ts'
import { checkSimulation } from '../../../src/targets/sched-sim/check.ts'
import { experimentWith } from '../../plan/experiment.ts'

const check = (include: Experiment['include']) =>
  checkSimulation({ kind: 'sched-sim' }, experimentWith({ target: { kind: 'sched-sim' }, include }))

test('checks each level of an include, not the list', () => {
  expect(check([{ policy: ['full', 'fifo_cheapest'], workflows: [5, 10] }])).toEqual([])
  expect(check([{ workflows: [5, -1] }])).toMatchObject([
    { path: ['include', 0, 'workflows'], message: expect.stringContaining('got -1') },
  ])
})

test('an include may name an ablation', () => {
  expect(check([{ ablation: 'baseline', workflows: 5 }])).toEqual([])
})
