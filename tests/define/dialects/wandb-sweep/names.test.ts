import { describe, expect, test } from 'vitest'
import { planRuns } from '../../../../src/plan/plan.ts'
import { loadSweep } from './sweep.ts'

const yaml = `program: train.mjs
command: [node, "\${program}", "\${args}"]
method: grid
parameters:
  hp-obs-n: { values: [5, 10] }
  model.name: { values: [a, b] }
  optimizer:
    parameters:
      lr: { values: [0.1, 0.2] }
      nadam: { parameters: { beta-1: { value: 0.9 } } }
`
const runsOf = (set: readonly string[] = [], filters: readonly string[] = []) => {
  const selection = { filters, first: null, shard: null }
  return [...planRuns(loadSweep(yaml, { set }), { order: 'listed', seed: 1, selection })]
}

describe('names with dots and hyphens', () => {
  test('name the runs, in order: the last varies fastest', () => {
    expect(runsOf().map(({ params }) => [params['hp-obs-n'], params['model.name'], params['optimizer.lr']])).toEqual([
      [5, 'a', 0.1],
      [5, 'a', 0.2],
      [5, 'b', 0.1],
      [5, 'b', 0.2],
      [10, 'a', 0.1],
      [10, 'a', 0.2],
      [10, 'b', 0.1],
      [10, 'b', 0.2],
    ])
    expect(runsOf()[0]?.name).toMatch(/^hp-obs-n-5_model\.name-a_optimizer\.lr-0\.1__[0-9a-f]{12}$/)
  })

  test.each([
    ['hp-obs-n=7', { 'hp-obs-n': 7 }],
    ['parameters.hp-obs-n=7,7.5', { 'hp-obs-n': 7 }],
    ['model.name=c', { 'model.name': 'c' }],
    ['optimizer.lr=0.3', { 'optimizer.lr': 0.3 }],
    ['parameters.optimizer.lr=0.3', { 'optimizer.lr': 0.3 }],
    ['optimizer.lr={values: [0.4]}', { 'optimizer.lr': 0.4 }],
    ['optimizer.nadam.beta-1=0.5', { 'optimizer.nadam.beta-1': 0.5 }],
    ['parameters.optimizer.parameters.lr.values=0.6', { 'optimizer.lr': 0.6 }],
    ['parameters.new-one=1', { 'new-one': 1 }],
  ])('--set %s', (set, expected) => {
    expect(runsOf([set])[0]?.params).toMatchObject(expected)
  })

  test('--set keeps the spelling of numbers', () => {
    expect(loadSweep(yaml, { set: ['optimizer.lr=1.0,2'] }).python?.spelling['optimizer.lr']).toEqual({
      '1': '1.0',
      '2': '2',
    })
  })

  test.each([
    ['hp-obs-n=5', 4],
    ['model.name=a,b', 8],
    ['optimizer.lr=0.1', 4],
    ['optimizer.lr != 0.1', 4],
    ['`hp-obs-n` > 5 and optimizer.lr < 0.2', 2],
    ["model.name == 'a'", 4],
  ])('--filter %s', (filter, count) => {
    expect(runsOf([], [filter])).toHaveLength(count)
  })
})
