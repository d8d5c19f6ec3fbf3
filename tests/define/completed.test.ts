import { expect, test } from 'vitest'
import { loadExperiment } from '../../src/define/load-experiment.ts'
import type { Completion, Target } from '../../src/define/target.ts'
import { targets } from '../../src/targets/registry.ts'
import { errorOf, folderWith } from './example.ts'

/** Commands that also add what they would read from files. */
function completing(found: Partial<Completion>): readonly Target[] {
  return targets.map(target => ({
    ...target,
    complete: () => ({
      spec: { kind: 'command', command: ['true'] },
      factors: [],
      blocks: [{ name: 'case', levels: ['c1', 'c2'] }],
      metrics: [],
      contents: {},
      problems: [],
      ...found,
    }),
  }))
}

const files: Readonly<Record<string, string>> = {
  'native.yaml': 'name: n\ntarget: { kind: command, command: [echo] }\nfactors: { a: [1, 2] }\n',
  'matrix.json': JSON.stringify({
    sim_binary: '/bin/echo',
    common_args: { ...{ pdfs: 1, iters: 1, subqueries: 1, time_scale: 1 }, heavy_tail_prob: 0, heavy_tail_mult: 1 },
    matrix: { policy: ['full'], workflows: [5], seeds: [1] },
  }),
  'train.py': '',
  'sweep.yaml': 'program: train.py\nmethod: grid\nparameters: { a: { values: [1, 2] } }\n',
  'bench.toml': 'name = "b"\n\n[[tasks]]\nprepared_dir = "task_1"\nmodel = "sim/echo"\nrollouts = 2\n',
  'batch-config.yaml': 'experiment_name: s\nbase_scenario: talk\nruns_per_variation: 2\n',
}

const definitions = Object.keys(files).filter(file => file !== 'train.py')

test('the files here are of all dialects', () => {
  const cwd = folderWith(files)
  const dialects = definitions.map(file => loadExperiment(file, { targets: completing({}), cwd }).dialect)
  expect(dialects).toEqual(['native', 'matrix-json', 'wandb-sweep', 'rollouts-toml', 'scenario-batch'])
})

test.each(definitions)('a target completes an experiment in %s', file => {
  const { target, blocks } = loadExperiment(file, { targets: completing({}), cwd: folderWith(files) })
  expect(target).toEqual({ kind: 'command', command: ['true'] })
  expect(blocks).toContainEqual({ name: 'case', levels: ['c1', 'c2'] })
})

test.each(definitions)('an error of the target points into %s', file => {
  const problems = [{ path: ['target', 'command'], message: 'no cases were found' }]
  const error = errorOf(() => loadExperiment(file, { targets: completing({ problems }), cwd: folderWith(files) }))
  expect(error.message).toMatch(new RegExp(`${file}:\\d+:\\d+.*no cases were found`, 's'))
})
