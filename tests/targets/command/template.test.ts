import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillTemplate, onlyPlaceholder, parseTemplate, placeholdersIn } from '../../../src/targets/command/template.ts'

describe('templates', () => {
  test('text and placeholders', () => {
    expect(parseTemplate('--x={x}!')).toEqual([
      { kind: 'text', text: '--x=' },
      { kind: 'placeholder', name: 'x' },
      { kind: 'text', text: '!' },
    ])
  })

  test.each([
    ['{{x}}', '{x}'],
    ['{{{x}}}', '{<x>}'],
    ['a { b', 'a { b'],
    ['}', '}'],
    ['', ''],
  ])('%s becomes %s', (source, filled) => {
    expect(fillTemplate(parseTemplate(source), name => `<${name}>`)).toBe(filled)
  })

  test('distinguishes a lone placeholder from one inside text', () => {
    expect(onlyPlaceholder(parseTemplate('{x}'))).toBe('x')
    expect(onlyPlaceholder(parseTemplate('{x} '))).toBeNull()
  })

  test('any text comes through when its braces are doubled', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        const source = text.replaceAll('{', '{{').replaceAll('}', '}}')
        expect(placeholdersIn(source)).toEqual([])
        expect(fillTemplate(parseTemplate(source), () => '?')).toBe(text)
      }),
    )
  })
})
