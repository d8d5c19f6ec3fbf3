import { describe, expect, it } from 'vitest'
import { assertion } from '../../../src/targets/prompt/asserts/assert-schema.ts'
import { scoreOf } from '../../../src/targets/prompt/asserts/check-assertion.ts'
import { verdictOf } from '../../../src/targets/prompt/asserts/judge.ts'
import { checkText, type TextAssertType, valueAtPath } from '../../../src/targets/prompt/asserts/text-asserts.ts'

const parse = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

describe('looking at an answer', () => {
  const says = (type: TextAssertType, text: string, more: Parameters<typeof checkText>[2]) => {
    const { holds, reason } = checkText(type, { text, data: parse(text) }, more)
    return `${holds ? 'yes' : 'no'}: ${reason}`
  }

  it.each([
    ['equals', ' Paris \n', { value: 'Paris' }, 'yes: is as expected'],
    ['equals', 'paris', { value: 'Paris' }, 'no: expected "Paris", got "paris"'],
    ['equals', '{"b": 1, "a": [2]}', { value: { a: [2], b: 1 } }, 'yes: is as expected'],
    ['contains', 'It is Paris.', { value: 'Paris' }, 'yes: contains "Paris"'],
    ['contains', 'It is paris.', { value: 'Paris' }, 'no: does not contain "Paris"'],
    ['icontains', 'It is paris.', { value: 'Paris' }, 'yes: contains "Paris"'],
    ['contains-all', 'a and b', { value: ['a', 'b', 'x', 'z'] }, 'no: lacks "x", "z"'],
    ['contains-any', 'a and b', { value: ['z', 'b'] }, 'yes: contains any of "z", "b"'],
    ['icontains-all', 'A and B', { value: 'a, b' }, 'yes: contains all'],
    ['starts-with', '  Yes, of course', { value: 'Yes' }, 'yes: starts with "Yes"'],
    ['regex', 'call 0800-123', { value: '\\d{4}-\\d{3}' }, 'yes: matches \\d{4}-\\d{3}'],
    ['is-json', '{"a": 1}', {}, 'yes: is JSON'],
    ['is-json', 'a: 1', {}, 'no: is not JSON'],
    ['json-path', '{"a": [{"b": 5}]}', { path: '$.a[0].b', value: 5 }, 'yes: $.a[0].b is 5'],
    ['json-path', '{"a": [{"b": 5}]}', { path: 'a.0.b', value: '5' }, 'yes: a.0.b is 5'],
    ['json-path', '{"a": 1}', { path: 'b' }, 'no: there is nothing at b'],
    ['json-path', '{"a": 1}', { path: 'a', value: 2 }, 'no: a is 1, expected 2'],
    ['json-path', 'text', { path: 'a' }, 'no: the answer is not JSON'],
    ['number', 'First 3, then 1,250.5', { value: 1250.5 }, 'yes: is 1250.5'],
    ['number', 'It is 12', { value: 10, tolerance: 1 }, 'no: expected 10 ± 1, got 12'],
    ['number', 'none', { value: 10 }, 'no: there is no number in it'],
  ] as const)('%s of %j', (type, text, more, expected) => {
    expect(says(type, text, more)).toBe(expected)
  })

  it('finds values by both notations of a path', () => {
    const data = { items: [{ name: 'a' }, { name: 'b' }], 'odd key': 1 }
    expect(valueAtPath(data, "$['odd key']")).toBe(1)
    expect(valueAtPath(data, 'items[-1].name')).toBe('b')
    expect(valueAtPath(data, '$')).toEqual(data)
    expect(valueAtPath(data, 'items.toString')).toBeUndefined()
  })
})

describe('assert notations', () => {
  it.each([
    [{ type: 'contains' }, 'contains needs a value'],
    [{ type: 'json-path', value: 1 }, 'json-path needs a path, such as path: items.0.name'],
    [{ type: 'cost' }, 'cost needs a threshold: the most that is allowed'],
    [{ type: 'javascript', value: 5 }, 'javascript needs code'],
    [{ type: 'function' }, 'function needs a module, such as module: score.ts'],
    [{ type: 'llm-rubric', value: 'x', threshold: 3 }, 'expected a number from 0 to 1'],
  ])('%j is refused', (written, message) => {
    const { error } = assertion.safeParse(written)
    expect(error?.issues.map(issue => issue.message).join()).toContain(message)
  })
})

describe('all asserts together', () => {
  const held = (score: number, weight = 1) => ({ type: 't', score, passed: score === 1, reason: '', weight })

  it('the score is their weighted mean; a case passes when all do, or from its threshold on', () => {
    expect(scoreOf([held(1), held(0)], undefined)).toEqual({ score: 0.5, passed: false })
    expect(scoreOf([held(1, 3), held(0)], undefined)).toEqual({ score: 0.75, passed: false })
    expect(scoreOf([held(1, 3), held(0)], 0.7)).toEqual({ score: 0.75, passed: true })
    // An assert with weight 0 is only reported.
    expect(scoreOf([held(1), held(0, 0)], undefined)).toEqual({ score: 1, passed: true })
    expect(scoreOf([], undefined)).toBeNull()
  })
})

describe('the verdict of a judge', () => {
  it('is a score from 0 to 1, or missing', () => {
    expect(verdictOf({ score: 0.7, passed: true, reason: 'fine' })).toEqual({
      score: 0.7,
      passed: true,
      reason: 'fine',
    })
    for (const wrong of [{ score: 7 }, { score: 'high' }, {}, null, 'yes', { score: Number.NaN }])
      expect(verdictOf(wrong)).toBeNull()
  })
})
