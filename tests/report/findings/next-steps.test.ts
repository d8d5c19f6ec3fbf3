import { expect, it } from 'vitest'
import { nextStepsOf } from '../../../src/report/findings/wording/page-words.ts'
import { evidenceWith } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

const stepsWith = (states: Readonly<Record<string, number>>) =>
  nextStepsOf(
    aDataset(evidenceWith([], {}), {
      experiments: [{ config: 'e.yaml', search: null, place: 'results/e', standing: { states } } as never],
    }),
    null,
  )

it('says how to run missing runs, or that they are in progress', () => {
  expect(stepsWith({ completed: 3, pending: 1 })).toEqual(['1 run of the plan is missing: assay run e.yaml'])
  expect(stepsWith({ completed: 3, pending: 2, running: 1 })).toEqual(['3 runs of the plan are still to come'])
  expect(stepsWith({ completed: 3, failed: 2 })).toEqual([
    '2 runs failed: assay run e.yaml --retry-failed tries them again',
  ])
  expect(stepsWith({ completed: 4 })).toEqual([])
})
