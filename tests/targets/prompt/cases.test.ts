import { describe, expect, it } from 'vitest'
import { expectedOf } from '../../../src/targets/prompt/cases/expected.ts'
import { digestOf, nameCases } from '../../../src/targets/prompt/cases/name-cases.ts'
import { readCases } from '../../../src/targets/prompt/cases/read-cases.ts'
import { folderWith } from '../../support/assay.ts'

const read = (name: string, text: string) => {
  const folder = folderWith({ [name]: text })
  return readCases(name, { folder, cwd: folder })
}

describe('cases from a file', () => {
  it('CSV: columns are variables, __expected has the assert', () => {
    const text =
      'question,id,__expected,__expected2\n"Say ""hi"", please",greeting,hi,not-contains: bye\nTwo\\nlines,,,\n'
    expect(read('cases.csv', text)).toEqual([
      {
        id: 'greeting',
        vars: { question: 'Say "hi", please', id: 'greeting' },
        assert: [
          { type: 'equals', value: 'hi' },
          { type: 'not-contains', value: 'bye' },
        ],
      },
      { vars: { question: 'Two\\nlines', id: '' } },
    ])
  })

  it('JSONL, JSON and YAML: maps of variables, or whole cases', () => {
    const plain = { vars: { q: 'one', n: 1 }, options: { disableVarExpansion: true } }
    const whole = { id: 'b', vars: { q: 'two' }, assert: [{ type: 'is-json' }], threshold: 0.5 }
    expect(read('c.jsonl', `{"q": "one", "n": 1}\n\n${JSON.stringify(whole)}\n`)).toEqual([plain, whole])
    expect(read('c.json', JSON.stringify([{ q: 'one', n: 1 }, whole]))).toEqual([plain, whole])
    expect(read('c.yaml', 'tests:\n  - { q: one, n: 1 }\n')).toEqual([plain])
  })

  it.each([
    ['c.csv', 'a,b\n1\n', 'c.csv: row 2 has 1 cells, the header 2'],
    [
      'c.csv',
      'a,__provider\n1,x\n',
      'c.csv: column "__provider" means nothing: only __expected, __expected1, …, __description, __metric, __threshold, __prefix, __suffix and __label do',
    ],
    ['c.csv', '', 'c.csv: has no header: its first line names the variables'],
    ['c.jsonl', '{"a": 1}\n{"a":\n', 'c.jsonl:2: '],
    ['c.jsonl', '{"vars": {}, "asserts": [], "assert": []}\n', 'c.jsonl:1: '],
    ['c.yaml', 'a: 1\n', 'c.yaml: expected a list of cases'],
    ['c.txt', 'a', 'c.txt: expected a file of cases that ends in .csv, .jsonl, .json, .yaml or .toml'],
  ])('%s: %j is refused', (name, text, message) => {
    expect(() => read(name, text)).toThrow(message)
  })

  it('a missing file is named with the searched place', () => {
    const folder = folderWith()
    expect(() => readCases('gone.csv', { folder, cwd: folder })).toThrow(`gone.csv: no such file: ${folder}/gone.csv`)
  })
})

describe('a cell of __expected', () => {
  it.each([
    ['Paris', { type: 'equals', value: 'Paris' }],
    ['contains: Paris', { type: 'contains', value: 'Paris' }],
    ['not-icontains:  sorry', { type: 'not-icontains', value: 'sorry' }],
    ['contains-any: a, b', { type: 'contains-any', value: ['a', 'b'] }],
    ['regex: ^\\d+$', { type: 'regex', value: '^\\d+$' }],
    ['is-json', { type: 'is-json' }],
    ['not-is-json', { type: 'not-is-json' }],
    ['grade: is polite', { type: 'llm-rubric', value: 'is polite' }],
    ['cost: 0.01', { type: 'cost', threshold: 0.01 }],
    // A colon alone makes no assert of it.
    ['answer: 42', { type: 'equals', value: 'answer: 42' }],
    ['contains', { type: 'equals', value: 'contains' }],
  ])('%s', (cell, expected) => {
    expect(expectedOf(cell)).toEqual(expected)
  })
})

describe('names of cases', () => {
  it('are given, or the first words, and made unique', () => {
    const named = nameCases([
      { id: 'Grüße, Welt!', vars: { q: 'x' } },
      { vars: { q: 'What is the capital of France, and since when?' } },
      { description: 'twice', vars: { n: 1 } },
      { description: 'twice', vars: { n: 2 } },
      { vars: {} },
    ])
    expect(named.map(({ id }) => id)).toEqual([
      'grüße-welt',
      'what-is-the-capital-of-france-an',
      expect.stringMatching(/^twice-[0-9a-f]{6}$/),
      expect.stringMatching(/^twice-[0-9a-f]{6}$/),
      'case',
    ])
    expect(named[2]?.id).not.toBe(named[3]?.id)
  })

  it('a case is identified by its content, not by its name', () => {
    expect(digestOf({ id: 'a', vars: { n: 1 } })).toBe(digestOf({ id: 'b', vars: { n: 1 } }))
    expect(digestOf({ vars: { n: 1 } })).not.toBe(digestOf({ vars: { n: 1 }, assert: [{ type: 'is-json' }] }))
  })
})
