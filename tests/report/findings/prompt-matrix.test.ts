import { expect, it } from 'vitest'
import { promptMatrixOf } from '../../../src/report/findings/prompt-matrix.ts'
import { aRun, evidenceWith } from '../../analyze/evidence.ts'
import { aDataset } from '../dataset/datasets.ts'

it('shows answer, result and reason for every case and variant', () => {
  const answered = (prompt: string, name: string, replicate: number, passed: number | null) =>
    aRun({
      name: `${prompt}-${name}-${replicate}`,
      params: { prompt },
      block: { case: name },
      replicate,
      metrics: passed === null ? {} : { passed },
      outcome: passed === null ? { kind: 'failed', message: 'connection refused' } : { kind: 'completed' },
    })
  const runs = [
    answered('plain', 'case 10', 1, 1),
    answered('plain', 'case 2', 1, 0),
    answered('plain', 'case 2', 2, 1),
    answered('long', 'case 10', 1, 1),
    answered('long', 'case 2', 1, null),
  ]
  const evidence = evidenceWith(runs, { factors: ['prompt'], blocks: ['case'], metrics: [] })
  const { folders, ...rest } = aDataset(evidence, {})
  const unmet = [{ type: 'contains', reason: 'lacks "yes"' }]
  const dataset = {
    ...rest,
    folders: folders.map((folder, at) => (at === 1 ? { ...folder, unmet, answer: 'no' } : folder)),
  }
  const matrix = promptMatrixOf(dataset, { filter: '' })
  if ('reason' in matrix) throw new Error(matrix.reason)
  expect(matrix.found.variants.map(({ passed, judged }) => [passed, judged])).toEqual([
    [2, 3],
    [1, 2],
  ])
  // In the order of the numbers in their names; of repetitions, a failed one first, with its reason.
  expect(matrix.found.cases.map(({ name, isDisputed, isPassed }) => [name, isDisputed, isPassed])).toEqual([
    ['case 2', true, false],
    ['case 10', false, true],
  ])
  const [plain, long] = matrix.found.cases[0]?.cells ?? []
  expect(plain?.runs).toEqual([
    expect.objectContaining({ passes: false, answer: 'no', why: ['lacks "yes"'] }),
    expect.objectContaining({ passes: true, answer: null, why: [] }),
  ])
  expect(long).toMatchObject({ passed: 0, judged: 1, runs: [{ passes: false, why: ['connection refused'] }] })
})
