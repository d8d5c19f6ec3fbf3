import { expect, test } from 'vitest'
import type { Experiment } from '../../../src/define/experiment.ts'
import { checkPlan } from '../../../src/plan/plan.ts'
import { planOf } from '../../../src/plan/runs/plan.ts'
import { experimentWith, factor } from '../experiment.ts'

const named = (template: string, parts: Partial<Experiment>): Experiment =>
  experimentWith({ naming: { kind: 'template', template }, ...parts })

function namesOf(experiment: Experiment): readonly string[] {
  const plan = planOf(experiment, 'listed', 0)
  return Array.from({ length: plan.count }, (_, position) => plan.at(position).name)
}

const problemsIn = (experiment: Experiment) =>
  checkPlan(experiment).map(({ path, message, hint }) => `${path.join('.')}: ${message} — ${hint}`)

const seeds = { name: 'seed', levels: [1072, 2043] }

test('a template names the runs after experiment, factors and blocks', () => {
  const experiment = named('{name}.{architecture}.seed{seed}', {
    name: 'pilot',
    factors: [factor('architecture', ['vit_reset', 'trxl'])],
    blocks: [seeds],
  })
  expect(namesOf(experiment).toSorted()).toEqual([
    'pilot.trxl.seed1072',
    'pilot.trxl.seed2043',
    'pilot.vit_reset.seed1072',
    'pilot.vit_reset.seed2043',
  ])
  expect(problemsIn(experiment)).toEqual([])
})

test('replicates share the seed of their block and are counted', () => {
  expect(namesOf(named('{name}.seed{seed}.run{replicate}', { blocks: [seeds], replicates: 2 })).toSorted()).toEqual([
    'test.seed1072.run1',
    'test.seed1072.run2',
    'test.seed2043.run1',
    'test.seed2043.run2',
  ])
})

test('writes none for absent values, and leaves out unsafe characters', () => {
  const factors = [factor('a', ['x/y', 'z']), factor('b', [1], "a == 'z'")]
  expect(namesOf(named('{a}.{b}', { factors })).toSorted()).toEqual(['x-y.none', 'z.1'])
})

test('a duplicate name is refused, with the missing part of the template', () => {
  const factors = [factor('rate', [0.1, 0.2])]
  expect(problemsIn(named('run.seed{seed}', { factors, blocks: [seeds] }))).toEqual([
    'naming: two runs would be called run.seed1072; they differ in rate — Add {rate} to the template.',
  ])
  expect(problemsIn(named('{name}', { replicates: 2 }))).toEqual([
    'naming: two runs would be called test; they differ in replicate — Add {replicate} to the template.',
  ])
})

test('names that some file systems confuse are refused too', () => {
  expect(problemsIn(named('{a}', { factors: [factor('a', ['X', 'x'])] }))).toEqual([
    'naming: two runs would be called X and x, which some systems confuse; they differ in a — Put more between the braces, or leave `naming` out: names then end in a hash.',
  ])
})

test('an unknown name in braces is an error', () => {
  expect(problemsIn(named('{polcy}', { factors: [factor('policy', [1])] }))).toEqual([
    'naming: {polcy} is neither a parameter nor a block of this experiment — did you mean "policy"?',
  ])
})

test('too many runs, or too long names, need the default names', () => {
  expect(problemsIn(named('{a}-{b}', { factors: [factor('a', range(400)), factor('b', range(400))] }))[0]).toMatch(
    /160000 runs are too many/,
  )
  expect(problemsIn(named('{a}', { factors: [factor('a', ['x'.repeat(201)])] }))[0]).toMatch(/longer than 200 bytes/)
})

const range = (length: number) => Array.from({ length }, (_, index) => index)
