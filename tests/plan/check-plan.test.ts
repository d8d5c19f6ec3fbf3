import { expect, test } from 'vitest'
import type { Experiment } from '../../src/define/experiment.ts'
import { checkPlan } from '../../src/plan/plan.ts'
import { experimentWith, factor } from './experiment.ts'

const problemsIn = (parts: Partial<Experiment>) =>
  checkPlan(experimentWith(parts)).map(
    ({ path, message, hint }) => `${path.join('.')}: ${message}${hint ? ` — ${hint}` : ''}`,
  )

test('a good experiment has no problems', () => {
  expect(problemsIn({ factors: [factor('a', [1, 2]), factor('b', [1], 'a > 1')], constraints: ['b < 5'] })).toEqual([])
})

test('all mistakes in expressions are found at once, each with its place', () => {
  expect(
    problemsIn({
      factors: [factor('a', [1, 2], 'bb > 1'), factor('b', [1])],
      zip: [[factor('c', [1], 'c == 1')]],
      constraints: ['a <', 'a > 0'],
    }),
  ).toMatchInlineSnapshot(`
    [
      "factors.a.when: there is no parameter bb
      bb > 1
      ^ — Did you mean b?",
      "zip.0.c.when: the conditions form a cycle: c → c — Remove one of these \`when\`.",
      "constraints.0: expected a value, a name or (, found the end
      a <
         ^",
    ]
  `)
})

test('blocks are not part of a variant', () => {
  expect(
    problemsIn({ blocks: [{ name: 'task', levels: ['t'] }], constraints: ["task == 't'"] }),
  ).toMatchInlineSnapshot(`
    [
      "constraints.0: there is no parameter task
      task == 't'
      ^ — task is a block: every block has all variants. Choose runs with --filter.",
    ]
  `)
})

test('mistakes of structure', () => {
  expect(
    problemsIn({
      factors: [factor('a', []), factor('ablation', [1]), factor('b', [1])],
      zip: [[factor('b', [1, 2]), factor('c', [1])]],
      ablations: [
        { name: 'x', flags: [], set: {} },
        { name: 'x', flags: [], set: {} },
      ],
      blocks: [
        { name: 'seed', levels: [1, 1] },
        { name: 'task', levels: [] },
      ],
      exclude: [{ bb: 1, ablation: 'z' }],
      include: [{ b: [] }],
    }),
  ).toMatchInlineSnapshot(`
    [
      "factors.a: the factor a has no levels — List at least one.",
      "factors.ablation: a factor cannot be called ablation — Use \`ablations\`, or another name.",
      "zip.0.b: there are two factors called b",
      "zip.0: zipped factors need equally many levels, got b: 2, c: 1",
      "ablations.1.name: there are two ablations called x",
      "blocks.seed: the block seed lists a level twice — For repetitions use \`replicates\`.",
      "blocks.task: the block task has no levels",
      "exclude.0.bb: there is no parameter bb — Did you mean b?",
      "include.0.b: the list for b is empty, so nothing is included",
      "exclude.0.ablation: there is no ablation z — There are: x, x.",
    ]
  `)
})

test('mistakes found only by expanding variants', () => {
  expect(problemsIn({ factors: [factor('a', [1, 'x'])], constraints: ['a < 5'] })).toMatchInlineSnapshot(`
    [
      "constraints.0: cannot order "x" and 5
      a < 5
        ^",
    ]
  `)
  expect(problemsIn({ factors: [factor('a', [1, 2])], constraints: ['a + 1'] })).toMatchInlineSnapshot(`
    [
      "constraints.0: expected true or false, got 2
      a + 1
      ^ — Compare it with something, e.g. x > 0.",
    ]
  `)
  expect(problemsIn({ factors: [factor('a', [1, 2])], constraints: ['a > 5'] })).toMatchInlineSnapshot(`
    [
      "constraints: no variant is left: constraints and exclude remove all of them
      constraints 0: a > 5 (removes 2 of 2) — Relax one of them, or add levels that satisfy them.",
    ]
  `)
})
