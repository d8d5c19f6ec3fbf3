import { describe, expect, it } from 'vitest'
import { sectionsIn, yesOrNo } from '../../../../src/targets/scenario/answers/sections.ts'

const labels = { goals: ['LONG-TERM GOALS', 'GOALS'], reasoning: ['REASONING'], action: ['ACTION', 'ACTIONS'] }

describe('sections of an answer', () => {
  it.each([
    ['**GOALS:** g\n**REASONING:** r\n**ACTION:** a', { goals: 'g', reasoning: 'r', action: 'a' }],
    ['**Goals**: g\n**Action**: a\nb', { goals: 'g', action: 'a\nb' }],
    ['## Goals\ng\n### Action:\na', { goals: 'g', action: 'a' }],
    ['ACTION: first\nACTION: second', { action: 'first\nACTION: second' }],
    ['Goals: g\nActions: a', { goals: 'g', action: 'a' }],
    ['1. **Long-term goals:** g\n2. **Action:** a', { goals: 'g', action: 'a' }],
    ['ACTION\na\nAction items follow', { action: 'a\nAction items follow' }],
    ['{"action": "a", "goals": ["g", "h"], "reasoning": null}', { action: 'a', goals: 'g\nh' }],
    ['```json\n{"Action": "a"}\n```', { action: 'a' }],
    ['We take action: none of these words is a label', {}],
    ['{"action": "never ends', {}],
    ['', {}],
  ])('%j', (text, sections) => {
    expect(sectionsIn(text, labels)).toEqual(sections)
  })

  it('a long answer takes linear time', () => {
    const text = `**ACTION:** ${'a* '.repeat(50_000)}\n${'#'.repeat(50_000)}`
    expect(sectionsIn(text, labels).action?.length).toBeGreaterThan(100_000)
  })
})

it.each([
  ['yes', true],
  ['Yes, because', true],
  ['**No**', false],
  ['[Yes/No]', true],
  ['false', false],
  ['accept', true],
  ['declined', false],
  ['perhaps yes', null],
  ['', null],
  [undefined, null],
])('%j is %j', (text, expected) => {
  expect(yesOrNo(text)).toBe(expected)
})
