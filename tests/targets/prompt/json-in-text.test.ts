import { describe, expect, it } from 'vitest'
import { jsonInText } from '../../../src/targets/prompt/asserts/json-in-text.ts'

describe('JSON in a text', () => {
  it.each([
    ['Here: {"a": [1, "}"]} and [2].', [{ a: [1, '}'] }, [2]]],
    ['{not json} {"b": "\\"{"}', [{ b: '"{' }]],
    ['none', []],
    ['[1, {"a": 2}] x', [[1, { a: 2 }]]],
    ['{"cut": ', []],
  ])('%s', (text, found) => {
    expect(jsonInText(text)).toEqual(found)
  })

  it('gives up on a text of brackets only', () => {
    expect(jsonInText('{'.repeat(20_000))).toEqual([])
  })
})
