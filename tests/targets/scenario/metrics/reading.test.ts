import { describe, expect, it } from 'vitest'
import { converted, numberIn } from '../../../../src/targets/scenario/metrics/convert.ts'
import { holds } from '../../../../src/targets/scenario/metrics/expression.ts'
import {
  markedLine,
  markerOf,
  withoutClaims,
  withoutMarker,
} from '../../../../src/targets/scenario/metrics/machine-line.ts'
import { asNumber, knownAfter } from '../../../../src/targets/scenario/metrics/read-metrics.ts'
import { byKeyword, byPattern } from '../../../../src/targets/scenario/metrics/search-text.ts'
import { lastMatches } from '../../../../src/targets/scenario/metrics/timed-match.ts'
import type { Metric } from '../../../../src/targets/scenario/scenario.ts'

const metric = (more: Partial<Metric> = {}): Metric => ({
  ...{ name: 'm', description: '', type: 'float', unit: null, categories: [], range: null, aggregation: 'last' },
  ...{ warning: null, critical: null, from: { kind: 'world' }, extraction: { kind: 'line' }, ...more },
})

describe('a value in a text', () => {
  it.each([
    ['12', 'integer', 12],
    ['1,500', 'integer', 1500],
    ['12.5', 'float', 12.5],
    ['40%', 'float', 40],
    ['10^25', 'float', 1e25],
    ['-3', 'integer', -3],
    ['"7".', 'integer', 7],
    ['Yes', 'boolean', true],
    ['0', 'boolean', false],
    ['some words', 'string', 'some words'],
    ['Slow_Down', 'categorical', 'slow down'],
  ] as const)('%j as %s is %j', (text, type, value) => {
    expect(converted(text, { type, categories: ['race', 'slow down'] })).toEqual({ value })
  })

  it.each([
    ['12.5', 'integer', 'is no whole number'],
    ['many', 'float', 'is no number'],
    ['', 'float', 'is no number'],
    ['perhaps', 'boolean', 'is neither yes nor no'],
    ['', 'string', 'the text is empty'],
    ['stop', 'categorical', 'is none of race, slow down'],
    ['1e999', 'float', 'is no number'],
  ] as const)('%j as %s has no value, with a reason', (text, type, problem) => {
    expect(converted(text, { type, categories: ['race', 'slow down'] })).toEqual({
      problem: expect.stringContaining(problem),
    })
  })

  it('is never read from part of a number', () => {
    expect(numberIn('12abc')).toBeNull()
    expect(numberIn('1,23')).toBeNull()
  })
})

describe('a pattern', () => {
  const read = (texts: readonly string[], patterns: readonly string[], more: Partial<Metric> = {}) =>
    byPattern(lastMatches([{ texts, patterns }])[0] ?? null, metric(more))

  it('uses the last match in any case, and its first nonempty group', () => {
    expect(read(['Trust: 3 … TRUST: 8'], ['trust: (\\d+)'])).toEqual({ value: 8 })
    expect(read(['40% consensus'], ['consensus.*?(\\d+)%|(\\d+)%.*?consensus'])).toEqual({ value: 40 })
    expect(read(['over 10^25 FLOPS'], ['(10\\^\\d+)'])).toEqual({ value: 1e25 })
  })

  it('uses the last text with a match, and the first matching pattern', () => {
    expect(read(['level 3', 'nothing', 'level 9'], ['level (\\d)'])).toEqual({ value: 9 })
    expect(read(['a1 b2'], ['x(\\d)', 'a(\\d)', 'b(\\d)'])).toEqual({ value: 1 })
  })

  it('means true for a boolean if it matches, unless a group differs', () => {
    expect(read(['a working group'], ['working\\s+group'], { type: 'boolean' })).toEqual({ value: true })
    expect(read(['nothing'], ['working\\s+group'], { type: 'boolean' })).toEqual({ value: false })
    expect(read(['agreement: no'], ['agreement: (yes|no)'], { type: 'boolean' })).toEqual({ value: false })
  })

  it('gives a reason instead of 0 if it can’t be read', () => {
    expect(read(['nothing'], ['level (\\d)'])).toEqual({ problem: 'its pattern matches nothing' })
    expect(read(['level x'], ['level (\\w)'])).toEqual({ problem: '"x" is no number' })
  })

  it('is limited in time', () => {
    const found = lastMatches([{ texts: [`${'a'.repeat(60)}!`], patterns: ['(a+)+$'] }], 100)
    expect(byPattern(found[0] ?? null, metric())).toEqual({ problem: 'its pattern takes too long' })
  })

  it('that takes forever does not affect others of the same turn', () => {
    const texts = [`${'a'.repeat(60)}! trust: 7`]
    const found = lastMatches(
      [
        { texts, patterns: ['(a+)+$'] },
        { texts, patterns: ['trust: (\\d)'] },
      ],
      200,
    )
    expect(found).toEqual(['too_slow', ['trust: 7', '7']])
  })
})

describe('keywords', () => {
  const read = (text: string, scoring: 'count' | 'presence' | 'density', more: Partial<Metric> = {}) =>
    byKeyword([text], { kind: 'keyword', keywords: ['Peace', 'treaty'], scoring }, metric(more))

  it('are counted, present, or per hundred words', () => {
    expect(read('peace, PEACE and a treaty', 'count')).toEqual({ value: 3 })
    expect(read('war', 'count')).toEqual({ value: 0 })
    expect(read('peace', 'presence')).toEqual({ value: 1 })
    expect(read('peace in one of four words', 'density')).toEqual({ value: 100 / 6 })
    expect(read('', 'density')).toEqual({ problem: 'the text is empty' })
    expect(read('peace', 'count', { type: 'boolean' })).toEqual({ value: true })
  })

  it('choose the most frequent category, and none in a tie', () => {
    const categories = ['race_ending', 'slowdown']
    expect(read('A race ending. Slowdown, slowdown!', 'count', { type: 'categorical', categories })).toEqual({
      value: 'slowdown',
    })
    expect(read('race ending or slowdown', 'count', { type: 'categorical', categories })).toEqual({
      problem: expect.stringContaining('equally often'),
    })
    expect(read('neither', 'count', { type: 'categorical', categories })).toEqual({
      problem: 'none of its categories is named',
    })
  })
})

describe("the narrator's line of values", () => {
  const marker = markerOf(7, 'S')

  it('is the last line that starts with the marker', () => {
    const text = `Story.\n${marker}: a=1; b=yes\nMore.\n**${marker}:** A = 2.5; b=no; c=two words`
    expect(markedLine(text, marker)).toEqual({ a: '2.5', b: 'no', c: 'two words' })
    expect(withoutMarker(text, marker)).toBe('Story.\nMore.')
  })

  it('is missing without the marker, or if the marker is inside a line', () => {
    expect(markedLine('METRICS: a=1', marker)).toBeNull()
    expect(markedLine(`An actor said ${marker}: a=1`, marker)).toBeNull()
    expect(withoutMarker(`He wrote ${marker} on it`, marker)).toBe('He wrote METRICS on it')
  })

  it('has a marker that differs from run to run', () => {
    expect(markerOf(8, 'S')).not.toBe(marker)
    expect(marker).toMatch(/^METRICS#[0-9a-f]{10}$/)
  })

  it('ignores similar lines of actors', () => {
    expect(withoutClaims('We act.\n  METRICS: dues=0\n> **METRICS#x:** dues=1\nThe metrics are fine.')).toBe(
      'We act.\nThe metrics are fine.',
    )
  })
})

describe('values after several turns', () => {
  const turns = [
    {
      turn: 1,
      metrics: [
        { name: 'a', value: 4, problem: null },
        { name: 'b', value: true, problem: null },
      ],
    },
    {
      turn: 2,
      metrics: [
        { name: 'a', value: null, problem: 'gone' },
        { name: 'b', value: false, problem: null },
      ],
    },
    { turn: 3, metrics: [{ name: 'a', value: 2, problem: null }] },
  ]

  it('are the last read values, with their turns', () => {
    const known = knownAfter(turns.slice(0, 2), [metric({ name: 'a' }), metric({ name: 'b', type: 'boolean' })])
    expect(Object.fromEntries(known)).toEqual({ a: { turn: 1, value: 4 }, b: { turn: 2, value: false } })
  })

  it.each([
    ['max', 4],
    ['min', 2],
    ['sum', 6],
    ['mean', 3],
    ['last', 2],
  ] as const)('is combined by %s', (aggregation, value) => {
    expect(knownAfter(turns, [metric({ name: 'a', aggregation })]).get('a')).toEqual({ turn: 3, value })
  })

  it('are numbers for the journal: yes is 1, a category its index, a text none', () => {
    expect([true, 'slow', 'other', 5].map(value => asNumber(value, { categories: ['race', 'slow'] }))).toEqual([
      1,
      1,
      null,
      5,
    ])
  })
})

describe('an expression', () => {
  const names = new Set(['turn', 'agreement', 'trust', 'mood.port'])
  const known = new Map<string, number | boolean | string>([
    ['agreement', true],
    ['trust', 6],
  ])
  it.each([
    ['agreement == 1 and trust >= 6', true],
    ['agreement == true', true],
    ['agreement', true],
    ['agreement != 1', false],
    ['trust == 1', false],
    ['turn > 2', true],
    ['mood.port > 3', null],
  ] as const)('%s is %j', (expression, expected) => {
    expect(holds(expression, { known, names, turn: 3 })).toBe(expected)
  })
})
