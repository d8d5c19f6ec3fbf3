import { describe, expect, it } from 'vitest'
import { fillJson, fillPrompt, variablesIn } from '../../../src/targets/prompt/template.ts'

describe('a template', () => {
  const vars = {
    name: 'Ada',
    n: 3,
    user: { tags: ['a', 'b'], 'x.y': 1 },
    'a.b': 'dotted',
    none: null,
    code: '{{name}} $1',
  }
  it.each([
    ['Hello {{name}}, {{ n }} times', 'Hello Ada, 3 times'],
    ['{{user.tags.1}} {{user.tags}}', 'b ["a","b"]'],
    ['{{a.b}}', 'dotted'],
    ['{{none}}', 'null'],
    ['{name} {{{name}}} {% if x %}', '{name} {Ada} {% if x %}'],
    // What a value holds is text, not another template.
    ['{{code}}', '{{name}} $1'],
  ])('%s', (template, filled) => {
    expect(fillPrompt(template, vars)).toBe(filled)
  })

  it('says which variable has no value', () => {
    expect(() => fillPrompt('{{whoever}}', vars)).toThrow('{{whoever}} has no value in this case')
    expect(() => fillPrompt('{{toString}}', vars)).toThrow('{{toString}} has no value')
    expect(variablesIn('{{ a }} {{b.c}} {d}')).toEqual(['a', 'b.c'])
  })

  it('fills texts wherever they stand', () => {
    expect(fillJson({ a: ['{{name}}', 1], b: '{{n}}' }, vars)).toEqual({ a: ['Ada', 1], b: '3' })
  })
})
