import { expect, it } from 'vitest'
import { armOf } from '../../../src/analyze/arms.ts'
import { changesBetween, resultsBetween } from '../../../src/analyze/diff.ts'
import { readingOf } from '../../../src/analyze/reading.ts'
import { crossed } from '../crossed.ts'

it('names each place where two documents differ, as deep as they have the same shape', () => {
  expect(changesBetween({ a: 1, b: { c: [1, 2], d: 'x' } }, { a: 1, b: { c: [1, 3], d: 'x' }, e: true })).toEqual([
    { path: 'b.c', before: [1, 2], after: [1, 3] },
    { path: 'e', before: null, after: true },
  ])
})

it('compares lists of named things name by name', () => {
  const before = {
    metrics: [
      { name: 'cost', goal: 'minimize' },
      { name: 'score', goal: null },
    ],
  }
  const after = {
    metrics: [
      { name: 'score', goal: 'maximize' },
      { name: 'cost', goal: 'minimize' },
    ],
  }
  expect(changesBetween(before, after)).toEqual([{ path: 'metrics.score.goal', before: null, after: 'maximize' }])
})

it('lists the blocks in which results differ, the largest difference first', () => {
  const evidence = crossed({ policy: ['a', 'b'], seed: [1, 2, 3] }, ({ policy, seed }) =>
    policy === 'b' && seed !== 1 ? Number(seed) * 2 : 1,
  )
  const results = resultsBetween(
    evidence,
    armOf(evidence, { policy: 'a' }),
    armOf(evidence, { policy: 'b' }),
    readingOf(evidence, {}),
  )
  expect(results.same).toBe(1)
  expect(results.parted).toEqual([
    { where: 'seed=3', before: 1, after: 6, difference: 5 },
    { where: 'seed=2', before: 1, after: 4, difference: 3 },
  ])
})

it('lists values that only one side has, and the reason', () => {
  const evidence = crossed(
    { policy: ['a', 'b'], seed: [1] },
    () => 1,
    (run, index) => (index === 1 ? { ...run, outcome: { kind: 'timed_out' } } : run),
  )
  const results = resultsBetween(
    evidence,
    armOf(evidence, { policy: 'a' }),
    armOf(evidence, { policy: 'b' }),
    readingOf(evidence, {}),
  )
  expect(results.one_sided).toEqual([{ where: 'seed=1', side: 'before', reason: 'timed_out' }])
})
