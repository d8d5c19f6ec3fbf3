import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dialectNamed, dialectOf } from '../../../../src/define/dialects/registry.ts'
import { loadExperiment } from '../../../../src/define/load-experiment.ts'
import { targets } from '../../../../src/targets/registry.ts'
import { errorOf, folderWith } from '../../example.ts'
import { head, loadSweep } from './sweep.ts'

const whole = `program: train.mjs
name: My sweep, 2nd try!
description: what it is for
project: demo
entity: team
method: bayes
metric: { name: val/loss, goal: maximize, target: 0.95, impute: latest }
parameters:
  optimizer:
    parameters:
      lr: { min: 0.001, max: 0.1 }
      name: { values: [adam, sgd] }
      schedule: { parameters: { warm-up: { value: 3 } } }
  batch.size: { values: [16, 32] }
  epochs: { value: 5 }
early_terminate: { type: hyperband, min_iter: 3, eta: 2, s: 2 }
run_cap: 20
command: [node, "\${program}", "\${args}", --flag, 1.50, true, null, "{braces}", "\${envvar:HOME}/x"]
`

describe('a W&B sweep file', () => {
  test.each([
    ['program, method and parameters', { program: 'a', method: 'grid', parameters: {} }, 'wandb-sweep'],
    ['what lacks its method', { program: 'a', parameters: {} }, 'wandb-sweep'],
    ['what lacks its parameters', { program: 'a', method: 'grid' }, 'wandb-sweep'],
    ['a launch job', { job: 'a', method: 'grid' }, 'wandb-sweep'],
    ['an experiment of ours', { name: 'a', target: {}, parameters: {}, method: 'grid' }, 'native'],
    ['a matrix', { matrix: {}, program: 'a', method: 'grid' }, 'matrix-json'],
    ['something else', { program: 'a' }, 'native'],
    ['a list', [], 'native'],
  ])('is recognised by its shape: %s', (_, value, dialect) => {
    expect(dialectOf(value, null).name).toBe(dialect)
  })

  test('is an experiment like any other', () => {
    const { python: _, notes, limits, folder, ...experiment } = loadSweep(whole)
    expect(experiment).toMatchObject({
      name: 'My-sweep-2nd-try',
      dialect: 'wandb-sweep',
      description: 'what it is for',
      out_root: join(folder, 'results'),
      params: { epochs: 5, 'optimizer.schedule.warm-up': 3 },
      factors: [
        { name: 'batch.size', levels: [16, 32] },
        {
          name: 'optimizer.lr',
          levels: [],
          domain: { kind: 'uniform', min: 0.001, max: 0.1, scale: 'linear', step: null },
        },
        { name: 'optimizer.name', levels: ['adam', 'sgd'] },
      ],
      search: {
        ...{ method: 'bayes', metric: 'val/loss', goal: 'maximize', target: 0.95, impute: 'latest' },
        ...{ max_runs: 20, also: [], value: 'last', proposals: 'best' },
        early_stop: { type: 'hyperband', min_iter: 3, max_iter: null, s: 2, eta: 2, strict: true },
      },
      metrics: [
        { name: 'val/loss', goal: 'maximize', primary: true, source: { kind: 'reported' } },
        { name: '*', goal: null, primary: false, source: { kind: 'tensorboard', file: 'out', optional: true } },
      ],
      order: 'listed',
      target: {
        kind: 'command',
        program: 'train.mjs',
        cwd: folder,
        wandb: { module: 'shim', project: 'demo', entity: 'team' },
      },
    })
    // One at a time, and half a minute to end, as its own agent does it.
    expect(limits).toMatchObject({ jobs: 1, grace_ms: 30_000, timeout_ms: null })
    expect(notes).toEqual([])
  })

  test('keeps its command unchanged, as Python’s text, including braces', () => {
    expect(loadSweep(whole).target.command).toEqual([
      ...['node', '${program}', '${args}', '--flag', '1.5', 'True', 'None', '{{braces}}', '${envvar:HOME}/x'],
    ])
  })

  test('keeps numbers that Python distinguishes', () => {
    expect(loadSweep(whole).python).toEqual({
      spelling: {
        'batch.size': { '16': '16', '32': '32' },
        epochs: { '5': '5' },
        'optimizer.lr': {},
        'optimizer.name': { '"adam"': '"adam"', '"sgd"': '"sgd"' },
        'optimizer.schedule.warm-up': { '3': '3' },
      },
      floats: ['optimizer.lr'],
      nested: {
        'optimizer.lr': ['optimizer', 'lr'],
        'optimizer.name': ['optimizer', 'name'],
        'optimizer.schedule.warm-up': ['optimizer', 'schedule', 'warm-up'],
      },
    })
  })

  test('has W&B’s defaults', () => {
    const { search, target, name } = loadSweep(
      'program: train.mjs\nmethod: random\nmetric: { name: loss }\nparameters: { a: { values: [1, 2] } }',
    )
    expect(search).toMatchObject({ goal: 'minimize', target: null, impute: 'worst', max_runs: null, early_stop: null })
    expect(target.command).toEqual(['${env}', '${interpreter}', '${program}', '${args}'])
    expect(name).toBe('sweep')
  })

  test('a program is resolved in the agent’s working directory, then beside the file', () => {
    const yaml = `${head()}parameters: { a: { value: 1 }, b: { values: [1, 2] } }`
    const folder = folderWith({ 'sweeps/sweep.yaml': yaml, 'train.mjs': '' })
    const load = (cwd: string, file: string) => loadExperiment(file, { targets, cwd })
    expect(load(folder, 'sweeps/sweep.yaml').target.cwd).toBe(folder)
    const beside = folderWith({ 'sweeps/sweep.yaml': yaml, 'sweeps/train.mjs': '' })
    expect(load(beside, 'sweeps/sweep.yaml').target.cwd).toBe(join(beside, 'sweeps'))
    const nowhere = folderWith({ 'sweeps/sweep.yaml': yaml.replace('node', '"${interpreter}"') })
    expect(errorOf(() => load(nowhere, 'sweeps/sweep.yaml')).message).toBe(
      `sweeps/sweep.yaml:1:10  program: program "train.mjs" was not found in ${nowhere} or ${nowhere}/sweeps`,
    )
  })

  test('options are written where the format has no key for them', () => {
    const yaml = `${head('grid')}parameters: { a: { values: [1, 2] } }`
    const experiment = loadSweep(yaml, {
      limits: { jobs: 4, timeout_ms: 600_000 },
      seeds: '1..3',
      order: 'shuffled',
      name: 'other',
    })
    expect(experiment).toMatchObject({
      name: 'other',
      order: 'shuffled',
      blocks: [{ name: 'seed', levels: [1, 2, 3] }],
      limits: { jobs: 4, timeout_ms: 600_000 },
    })
    expect(loadSweep(yaml, { set: ['wandb=real'] }).target.wandb).toEqual({ module: 'real' })
  })

  test('reports keys with another meaning or without effect here', () => {
    const yaml = `${head('bayes')}metric: { name: m, impute_while_running: latest }
controller: { type: local }
scheduler: { engine: wandb }
apiVersion: v1
kind: sweep
parameters:
  lr: { distribution: log_uniform, min: 0.0001, max: 0.1 }
  n: { values: [1, 2, 1] }
`
    expect(loadSweep(yaml).notes).toEqual([
      '"lr": log_uniform takes exponents, so it lies between 1 and 1.105; log_uniform_values takes the numbers themselves',
      '"n" lists a value twice: it counts once',
      '"controller" is not needed: assay itself chooses the runs',
      '"scheduler" is not needed: assay itself chooses the runs',
      '"impute_while_running" has no effect: running runs count with their expected value',
    ])
  })

  test.each([
    ['', 'without "run_cap" this sweep continues until you stop it: --set run_cap=50 sets one'],
    [
      ', target: 1',
      'without "run_cap" this sweep continues until a run reaches the target: --set run_cap=50 sets a limit',
    ],
  ])('warns of a sweep without end, unless only a part is requested (target: %j)', (target, note) => {
    const sweep = loadSweep(`${head('bayes')}metric: { name: m${target} }\nparameters: { lr: { min: 0.1, max: 1 } }\n`)
    const { notes } = dialectNamed(sweep.dialect)
    expect(notes?.(sweep, { isEndless: true })).toEqual([note])
    expect(notes?.(sweep, { isEndless: false })).toEqual([])
  })
})
