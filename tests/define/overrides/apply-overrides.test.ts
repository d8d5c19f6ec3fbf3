import { describe, expect, test } from 'vitest'
import type { Overrides } from '../../../src/define/overrides/overrides.ts'
import { errorOf, load as loadYaml } from '../example.ts'

const yaml = `
description: before
params: { k: 1, note: x }
factors:
  policy: [a, b]
  n: { range: 1..3, when: "policy == 'a'" }
limits: { jobs: 1 }
inputs: [a.txt]
include: [{ policy: c }]
`
const load = (overrides: Overrides) => loadYaml(yaml, overrides)
const set = (...texts: string[]) => load({ set: texts })
const problem = (overrides: Overrides) => errorOf(() => load(overrides)).message

describe('--set', () => {
  test.each([
    ['limits.jobs=4', { limits: { jobs: 4 } }],
    ['limits.timeout=5m', { limits: { timeout_ms: 300_000 } }],
    ['description=a: b, c # d', { description: 'a: b, c # d' }],
    ['description=', { description: '' }],
    ['description="1"', { description: '1' }],
    ['params.k=2.5', { params: { k: 2.5 } }],
    ['params.k=[1, 2]', { params: { k: [1, 2] } }],
    ['params.fresh={a: 1}', { params: { fresh: { a: 1 } } }],
    ['params.note=a=b', { params: { note: 'a=b' } }],
    ['k=2', { params: { k: 2 } }],
    ['inputs=b.txt,c.txt', { inputs: ['b.txt', 'c.txt'] }],
    ['include.0.policy=d', { include: [{ policy: 'd' }] }],
  ])('%s', (text, part) => expect(set(text)).toMatchObject(part))

  test.each([
    ['policy=full', ['full']],
    ['policy=full,fifo', ['full', 'fifo']],
    ['factors.policy=full,fifo', ['full', 'fifo']],
    ['policy=[full, "a,b"]', ['full', 'a,b']],
    ['policy=1..3', [1, 2, 3]],
    ['policy=1,2.5,true', [1, 2.5, true]],
  ])('%s replaces levels, in the same place', (text, levels) => {
    const { factors } = set(text)
    expect(factors.map(({ name }) => name)).toEqual(['policy', 'n'])
    expect(factors[0]?.levels).toEqual(levels)
  })

  test('keeps the condition of a factor', () => {
    expect(set('n=7').factors[1]).toEqual({ name: 'n', levels: [7], when: "policy == 'a'" })
  })

  test('may be given several times; the last one counts', () => {
    expect(set('k=1', 'k=2').params.k).toBe(2)
  })

  test.each([
    ['polcy=x', 'there is no "polcy" in this experiment; did you mean "policy"?'],
    [
      'brand_new=1',
      'there is no "brand_new" in this experiment; a new one is written as factors.brand_new or params.brand_new or blocks.brand_new',
    ],
    ['params.nte=x', 'there is no "nte" in this experiment; did you mean "note"?'],
    ['limits.job=2', 'unknown key "job"; did you mean "jobs"?'],
    ['limits.jobs=two', 'expected a whole number above 0, got "two"'],
    ['policy=a,a', '"a" is listed twice'],
    ['policy=', '"policy" has no levels, so nothing would be run'],
    ['include.x.policy=1', 'there is no such place in [{"policy":"c"}]'],
    ['description.x=1', 'there is no such place in "before"'],
    ['params.k=.nan', 'expected a finite number, got NaN'],
    ['params.__proto__=1', 'this name is reserved; choose another'],
    ['limits', 'expected key=value, such as limits.jobs=4'],
  ])('%s is refused with the name of the option', (text, message) =>
    expect(problem({ set: [text] })).toBe(`--set ${text}: ${message}`),
  )
})

describe('shortcut options', () => {
  test('are written to their keys', () => {
    const overrides = {
      name: 'other',
      out_root: '/tmp/out',
      limits: {
        jobs: 3,
        timeout_ms: 90_000,
        halt: { share: 0.1 },
        budget_usd: 20,
        run_budget_usd: 0,
      },
      order: 'listed',
    }
    expect(load(overrides)).toMatchObject({
      name: 'other',
      out_root: '/tmp/out',
      order: 'listed',
      limits: {
        jobs: 3,
        timeout_ms: 90_000,
        halt: { share: 0.1 },
        budget_usd: 20,
        run_budget_usd: 0,
      },
    })
  })

  test('keep durations to the millisecond', () => {
    const { limits } = load({ limits: { timeout_ms: 1500, halt: { failures: 2 } }, seeds: [1, 2] })
    expect(limits).toMatchObject({ timeout_ms: 1500, halt: { failures: 2 } })
  })

  test('--seeds replaces the seeds in any form', () => {
    const expected = [{ name: 'seed', levels: [1, 2, 3] }]
    for (const written of ['', 'seeds: 7', 'blocks: { seed: 1..9 }'])
      expect(loadYaml(written, { seeds: '1..3' }).blocks).toEqual(expected)
  })

  test.each([
    [{ limits: { jobs: 0 } }, '--jobs 0: expected a whole number above 0, got 0'],
    [
      { order: 'lised' },
      '--order lised: expected "interleaved", "listed" or "shuffled", got "lised"; did you mean "listed"?',
    ],
    [
      { seeds: '1..x' },
      '--seeds 1..x: expected seeds: a range such as 1..15, a list of whole numbers, or one of them, got "1..x"',
    ],
    [
      { name: 'a/b' },
      '--exp-name a/b: expected a name of letters, digits, "_", "-" and ".", since it names a directory, got "a/b"',
    ],
  ])('%j is refused with the name of the option', (overrides, message) => expect(problem(overrides)).toBe(message))
})

test('a list for a constant is refused; in quotes it is a text', () => {
  expect(problem({ set: ['note=a,b'] })).toBe('--set note=a,b: "note" has one value here, not several')
  expect(set('note="a,b"').params.note).toBe('a,b')
})
