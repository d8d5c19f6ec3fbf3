import { describe, expect, test } from 'vitest'
import type { Experiment } from '../../src/define/experiment.ts'
import { idleParts } from '../../src/plan/idle-parts.ts'
import { experimentWith, factor } from './experiment.ts'

const idle = (parts: Partial<Experiment>) =>
  idleParts(experimentWith(parts)).map(({ path, message }) => `${path.join('.')}: ${message}`)

describe('exclude', () => {
  test('of a level that no variant has is reported', () => {
    expect(idle({ factors: [factor('a', [1, 2])], exclude: [{ a: 1 }, { a: 7 }] })).toEqual([
      'exclude.1.a: removes nothing: "a" is never 7, only 1 or 2',
    ])
    expect(idle({ factors: [factor('a', ['1'])], exclude: [{ a: 1 }] })).toEqual([
      'exclude.0.a: removes nothing: "a" is never 1, only "1"',
    ])
  })

  test('of a level from an include, an ablation or a condition is not reported', () => {
    const parts: Partial<Experiment> = {
      factors: [factor('a', [1, 2]), factor('b', [3], 'a == 1')],
      include: [{ a: [7, 8] }],
      ablations: [{ name: 'off', flags: [], set: { a: 9 } }],
      exclude: [{ a: 8 }, { a: 9 }, { b: null }, { ablation: 'off', a: 1 }],
    }
    expect(idle(parts)).toEqual([])
  })

  test('of a range of a search is not checked', () => {
    const domain = { kind: 'uniform', min: 0, max: 1, scale: 'linear', step: null } as const
    expect(idle({ factors: [{ ...factor('a', []), domain }], exclude: [{ a: 7 }] })).toEqual([])
  })
})

describe('when', () => {
  test('that no levels satisfy is reported', () => {
    expect(idle({ factors: [factor('a', ['x', 'y']), factor('b', [1], "a == 'z'")] })).toEqual([
      'factors.b.when: is never true, so no variant has "b": "a" is "x" or "y"',
    ])
    expect(idle({ factors: [factor('b', [1], 'false')] })).toEqual([
      'factors.b.when: is never true, so no variant has "b"',
    ])
  })

  test('that can be true, or has too many cases, is not reported', () => {
    const many = Array.from({ length: 200 }, (_, index) => index)
    expect(
      idle({ factors: [factor('a', ['x']), factor('b', [1], "a == 'x'"), factor('c', [1], 'b is null')] }),
    ).toEqual([])
    expect(idle({ factors: [factor('a', many), factor('b', many), factor('c', [1], 'a == b + 500')] })).toEqual([])
    expect(idle({ factors: [factor('a', [1, 'x']), factor('b', [1], 'a > 5')] })).toEqual([])
  })
})

describe('ablations', () => {
  const ablation = (set: Experiment['params'], flags: readonly string[] = []) => ({ name: 'off', flags, set })

  test('that set a parameter with a name close to another are reported', () => {
    expect(idle({ params: { depth: 3 }, ablations: [ablation({ dpth: 1 })] })).toEqual([
      'ablations.0.set.dpth: nothing else has a parameter "dpth"; did you mean "depth"?',
    ])
    expect(idle({ params: { depth: 3 }, ablations: [ablation({ cache: false })] })).toEqual([])
    const target = { kind: 'command', command: ['echo', '{dpth}'] }
    expect(idle({ target, params: { depth: 3 }, ablations: [ablation({ dpth: 1 })] })).toEqual([])
  })

  test('that set an existing value are reported', () => {
    expect(idle({ params: { depth: 3 }, ablations: [ablation({ depth: 3 })] })).toEqual([
      'ablations.0.set: changes nothing: "depth" is 3 in every variant',
    ])
    expect(idle({ factors: [factor('depth', [3, 4])], ablations: [ablation({ depth: 3 })] })).toEqual([])
    expect(idle({ params: { depth: 3 }, ablations: [ablation({ depth: 3 }, ['--off']), ablation({})] })).toEqual([])
  })
})

test('reports a key of the experiment under factors', () => {
  expect(idle({ factors: [factor('seeds', ['1..3']), factor('model', ['a', 'b'])] })).toEqual([
    'factors.seeds: is a factor here; "seeds" is also a key of the experiment, which belongs outside of factors',
  ])
})

test('accepts one ablation without flags and settings as baseline, and reports a second one', () => {
  const none = (name: string) => ({ name, flags: [], set: {} })
  const off = { name: 'off', flags: ['--off'], set: {} }
  expect(idle({ ablations: [none('baseline'), off] })).toEqual([])
  expect(idle({ ablations: [none('baseline'), off, none('no_cache')] })).toEqual([
    'ablations.2: changes nothing, as "baseline" does: it has neither flags nor set',
  ])
})
