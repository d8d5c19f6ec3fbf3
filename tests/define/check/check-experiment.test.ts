import { describe, expect, test } from 'vitest'
import { errorOf, load, loadFile } from '../example.ts'

describe('mistakes beyond the schema are refused with their place', () => {
  test.each([
    ['factors: { attempts: [1, 3] }', '3:22  factors.attempts: "attempts" is reserved by assay; choose another name'],
    ['params: { out_dir: joe }', '3:20  params.out_dir: "out_dir" is reserved by assay; choose another name'],
    [
      'factors: { name: [x, y] }',
      '3:18  factors.name: runs and the experiment have a name already; choose another, such as "label"',
    ],
    [
      'ablations: [{ name: x, set: { name: y } }]',
      '3:37  ablations.0.set.name: runs and the experiment have a name already; choose another, such as "label"',
    ],
    ['include: [{ run_id: 1 }]', '3:21  include.0.run_id: "run_id" is reserved by assay; choose another name'],
    ['factors: { seed: [1, 2] }', '3:18  factors.seed: the random seed is not a factor; write seeds: [1, 2, 3]'],
    [
      'factors: { size: [10] }\nmetrics: { size: {} }',
      '4:18  metrics.size: "size" is a parameter already; choose another name for the metric',
    ],
    [
      'metrics: { seed: {} }',
      '3:18  metrics.seed: "seed" is the column of runs.csv with the random seed of each run; choose another name for the metric',
    ],
    [
      'metrics: { exit_status: { json: out.json } }',
      '3:25  metrics.exit_status: "exit_status" is the column of runs.csv that says how an agent ended; choose another name for the metric',
    ],
    ['factors: { a: [] }', '3:15  factors.a: "a" has no levels, so nothing would be run'],
    ['factors: { a: [50, 50.0] }', '3:20  factors.a.1: 50 is listed twice'],
    ['factors: { a: { values: [x, x] } }', '3:29  factors.a.values.1: "x" is listed twice'],
    ['factors: { a: [{ x: 1, y: 2 }, { y: 2, x: 1 }] }', '3:32  factors.a.1: {"y":2,"x":1} is listed twice'],
    ['seeds: [1, 2, 1]', '3:15  seeds.2: 1 is listed twice'],
    ['blocks: { seed: [] }', '3:17  blocks.seed: "seed" has no levels, so nothing would be run'],
    ['ablations: [{ name: a }, { name: a }]', '3:34  ablations.1.name: "a" is listed twice'],
    ['zip: { a: [1, 2], b: [1] }', '3:22  zip.b: zipped lists must be equally long: "b" has 1, "a" has 2'],
    ['zip: [{ a: [1, 1], b: [2, 2] }]', '3:16  zip.0.a.1: row 2 repeats an earlier row'],
    [
      'params: { a: 1 }\nfactors: { a: [1] }',
      '4:15  factors.a: "a" is both a parameter and a factor; rename or remove one',
    ],
    [
      'factors: { a: [1] }\nblocks: { a: [1] }',
      '4:14  blocks.a: "a" is both a factor and a block; rename or remove one',
    ],
    [
      'factors: { ablation: [1] }\nablations: [{ name: x }]',
      '3:22  factors.ablation: "ablation" is both the name of the ablation and a factor; rename or remove one',
    ],
    [
      'metrics: { a: { primary: true }, b: { primary: true } }',
      '3:48  metrics.b.primary: only one metric decides: "a" is primary already',
    ],
    [
      'factors: { policy: [a] }\nexclude: [{ polcy: a }]',
      '4:20  exclude.0.polcy: "polcy" is not a factor; did you mean "policy"?',
    ],
    [
      'factors: { policy: [a] }\nexclude: [{ policy: [a, b] }]',
      '4:21  exclude.0.policy: expected one level, got ["a","b"]; write one entry for each level',
    ],
    [
      'factors: { policy: [a] }\ninclude: [{ polcy: a }]',
      '4:20  include.0.polcy: "polcy" is not a factor; did you mean "policy"?',
    ],
    ['include: [{ a: 1 }]\nexclude: [{ b: 1 }]', '4:16  exclude.0.b: "b" is not a factor; factors: a'],
    [
      'include: [{ layers: [64, 64] }]',
      '3:21  include.0.layers: a list holds several levels, and 64 is listed twice; for one level that is a list write [[64,64]]',
    ],
  ])('%s', (yaml, line) => expect(errorOf(() => load(yaml)).message).toBe(`experiment.yaml:${line}`))

  test('levels of an include may be excluded', () => {
    expect(load('include: [{ a: [1, 2] }]\nexclude: [{ a: 1 }]').exclude).toEqual([{ a: 1 }])
  })

  test("problems found by the target's own check", () => {
    const yaml = 'name: x\ntarget:\n  kind: command\n  command: [missing]\n'
    expect(errorOf(() => loadFile('e.yaml', yaml)).message).toBe('e.yaml:4:13  target.command.0: no such program')
  })
})

describe('a budget', () => {
  test('requires run_budget_usd, and says what to write', () => {
    const { message } = errorOf(() => load('limits: { budget_usd: 20 }'))
    expect(message).toContain('experiment.yaml:3:23  limits.budget_usd: ')
    expect(message).toContain('"run_budget_usd: 0.50"')
  })

  test.each([0, 0.5])('accepts run_budget_usd: %d', cap => {
    expect(load(`limits: { budget_usd: 20, run_budget_usd: ${cap} }`).limits.run_budget_usd).toBe(cap)
  })
})

test('zipped lists may repeat a level as long as no row repeats', () => {
  expect(load('zip: { a: [1, 1], b: [1, 2] }').zip).toHaveLength(1)
})
