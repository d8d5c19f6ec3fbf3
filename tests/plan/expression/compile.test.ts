import { describe, expect, test } from 'vitest'
import { compileExpression } from '../../../src/plan/expression/compile.ts'
import { AssayError } from '../../../src/util/errors.ts'
import type { JsonObject } from '../../../src/util/json.ts'

const scope: JsonObject = {
  workflows: 50,
  policy: 'full',
  rate: 0.5,
  routing: true,
  layers: [64, 32],
  optimizer: { name: 'adam', beta: { one: 0.9 } },
  'model.lr': 0.1,
  'max-tokens': 7,
  absent: null,
}
const names = new Set(Object.keys(scope))
const evaluate = (text: string) => compileExpression(text, names).evaluate(scope)

test.each([
  ['workflows == 50', true],
  ['workflows != 50', false],
  ['workflows == "50"', false],
  ["policy in ['full', 'cheap']", true],
  ['policy not in ["full"]', false],
  ["'ul' in policy", true],
  ['routing and not (workflows < 50)', true],
  ['routing && !(workflows < 50) || false', true],
  ['1 + 2 * 3 ** 2 ** 1 - 4 / 2 % 3', 17],
  ['-2 ** 2', -4],
  ['min(3, workflows, 9) + max([1, 2])', 5],
  ['abs(-1) + floor(1.7) + ceil(1.2) + round(2.5) + len(layers) + len(policy)', 13],
  ["optimizer.name == 'adam' and optimizer.beta.one > 0.8", true],
  ['optimizer.momentum', null],
  ['optimizer.constructor', null],
  ['model.lr', 0.1],
  ['`max-tokens`', 7],
  ['layers == [64, 32]', true],
  ['[workflows, 1] == [50, 1]', true],
  ["policy == 'it\\'s'", false],
  ['1e-3 < .5', true],
  ['routing == True and absent == None', true],
])('%s is %j', (text, value) => {
  expect(evaluate(text)).toEqual(value)
})

describe('an absent parameter', () => {
  test.each([
    ['absent == null', true],
    ['absent is null', true],
    ['workflows is not null', true],
    ["absent != 'x'", true],
    ["absent in ['x']", false],
    ['absent < 5', null],
    ['not (absent < 5)', null],
    ['absent < 5 and false', false],
    ['absent < 5 or true', true],
    ['absent < 5 and true', null],
    ['absent + 1 > 0', null],
    ['max(absent, 1)', null],
  ])('%s is %j', (text, value) => {
    expect(evaluate(text)).toBe(value)
  })
})

test('lists the names that it reads', () => {
  expect([...compileExpression('workflows > 5 and optimizer.name == model.lr', names).names]).toEqual([
    'workflows',
    'optimizer',
    'model.lr',
  ])
})

describe('mistakes are shown with a caret', () => {
  const mistake = (text: string) => {
    try {
      compileExpression(text, names).test(scope)
    } catch (error) {
      if (error instanceof AssayError) return `${error.message}${error.hint ? `\n${error.hint}` : ''}`
      throw error
    }
    throw new Error('no mistake found')
  }
  test('a misspelt name', () => {
    expect(mistake('polcy == 1')).toMatchInlineSnapshot(`
      "there is no parameter polcy
        polcy == 1
        ^
      Did you mean policy?"
    `)
  })
  test('a text without quotes', () => {
    expect(mistake('policy == cheapest')).toMatchInlineSnapshot(`
      "there is no parameter cheapest
        policy == cheapest
                  ^
      Known names: workflows, policy, rate, routing, layers, optimizer, model.lr, max-tokens, absent. A text needs quotes: 'cheapest'."
    `)
  })
  test('a division by 0', () => {
    expect(mistake('workflows / 0 > 1')).toContain('nothing can be divided by 0')
    expect(mistake('workflows % 0 == 0')).toContain('nothing can be divided by 0')
  })
  test('a single =', () => {
    expect(mistake('workflows = 5')).toMatchInlineSnapshot(`
      "a single = compares nothing
        workflows = 5
                  ^
      Write == to compare."
    `)
  })
  test('something missing', () => {
    expect(mistake('workflows >')).toMatchInlineSnapshot(`
      "expected a value, a name or (, found the end
        workflows >
                   ^"
    `)
    expect(mistake('(workflows > 5')).toMatchInlineSnapshot(`
      "expected ), found the end
        (workflows > 5
                      ^"
    `)
    expect(mistake('')).toMatchInlineSnapshot(`
      "expected a value, a name or (, found the end
        
        ^"
    `)
  })
  test('something too many', () => {
    expect(mistake('workflows > 5 6')).toMatchInlineSnapshot(`
      "expected an operator such as == or and, or the end, found 6
        workflows > 5 6
                      ^"
    `)
    expect(mistake('1 < workflows < 5')).toMatchInlineSnapshot(`
      "comparisons cannot be chained
        1 < workflows < 5
                      ^
      Write a < b and b < c."
    `)
  })
  test('an unknown function or character', () => {
    expect(mistake('sqrt(workflows) > 5')).toMatchInlineSnapshot(`
      "there is no function sqrt
        sqrt(workflows) > 5
        ^
      There are min, max, abs, len, floor, ceil, round."
    `)
    expect(mistake('workflows > 5; exit')).toMatchInlineSnapshot(`
      "; means nothing here
        workflows > 5; exit
                     ^"
    `)
    expect(mistake("policy == 'full")).toMatchInlineSnapshot(`
      "the quote that starts here never ends
        policy == 'full
                  ^
      Close it with '."
    `)
  })
  test('values that do not fit', () => {
    expect(mistake('workflows')).toMatchInlineSnapshot(`
      "expected true or false, got 50
        workflows
        ^
      Compare it with something, e.g. x > 0."
    `)
    expect(mistake('routing and policy < 5')).toMatchInlineSnapshot(`
      "cannot order "full" and 5
        routing and policy < 5
                           ^"
    `)
    expect(mistake('workflows and routing')).toMatchInlineSnapshot(`
      "expected true or false, got 50
        workflows and routing
        ^"
    `)
    expect(mistake('policy * 2 > 1')).toMatchInlineSnapshot(`
      "expected a number, got "full"
        policy * 2 > 1
               ^"
    `)
    expect(mistake('1 in workflows')).toMatchInlineSnapshot(`
      "in needs a list or a text on its right, got 50
        1 in workflows
          ^"
    `)
  })
})

test('evaluates thousands of alternatives, and refuses deep nesting', () => {
  const many = (operator: string, value: number) =>
    Array.from({ length: 30_000 }, () => `workflows == ${value}`).join(` ${operator} `)
  expect(evaluate(`${many('or', 1)} or workflows == 50`)).toBe(true)
  expect(evaluate(many('or', 1))).toBe(false)
  expect(evaluate(many('and', 50))).toBe(true)
  expect(evaluate(`${many('and', 50)} and absent > 1`)).toBe(null)
  const deep = [`${'('.repeat(100_000)}1${')'.repeat(100_000)} == 1`, `${'1 + '.repeat(200_000)}1 == 1`]
  for (const text of deep) expect(() => evaluate(text)).toThrow(AssayError)
})
