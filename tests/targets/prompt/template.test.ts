import { describe, expect, it } from 'vitest'
import { fillJson, fillPrompt, variablesIn } from '../../../src/targets/prompt/templates/template.ts'

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
    ['{name} {{{name}}} {{ {#', '{name} {Ada} {{ {#'],
    // More than names is Nunjucks; values are written in the same way.
    ['{{ name | upper }} {{user.tags}} {{none}} {{n + 1}}', 'ADA ["a","b"] null 4'],
    ['{% for tag in user.tags %}{{ loop.index }}{{ tag }}{% endfor %}', '1a2b'],
    ['{% if whoever %}{{ whoever }}{% else %}nobody{% endif %}', 'nobody'],
    ['{{ code | lower }}', '{{name}} $1'],
    // A value is text, not another template.
    ['{{code}}', '{{name}} $1'],
  ])('%s', (template, filled) => {
    expect(fillPrompt(template, vars)).toBe(filled)
  })

  it('names a variable without a value', () => {
    expect(() => fillPrompt('{{whoever}}', vars)).toThrow('{{whoever}} has no value in this case')
    expect(() => fillPrompt('{{toString}}', vars)).toThrow('{{toString}} has no value')
    expect(() => fillPrompt('{% for tag in user.tags %}{{ tag.nmae }}{% endfor %}', vars)).toThrow(
      '{{tag.nmae}} has no value',
    )
    expect(variablesIn('{{ a }} {{b.c}} {d}')).toEqual(['a', 'b.c'])
    expect(variablesIn('{{ a | upper }}{% set x = b.c %}{{ x }}{% for i in d %}{{ i }}{% endfor %}')).toEqual([
      'a',
      'b.c',
      'd',
    ])
    expect(variablesIn('{{ a | default(b) }}{% if c %}{{ c }}{% endif %}{{ range(3) }}')).toEqual(['b'])
  })

  it('fills texts at any depth', () => {
    expect(fillJson({ a: ['{{name}}', 1], b: '{{n}}' }, vars)).toEqual({ a: ['Ada', 1], b: '3' })
  })
})
