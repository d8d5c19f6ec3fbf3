import { describe, expect, test } from 'vitest'
import { errorOf, load } from '../example.ts'

const searching =
  'metrics: { loss: { goal: minimize }, other: {} }\nsearch: { method: bayes, metric: loss, max_runs: 9 }\n'
const linesOf = (text: string) => errorOf(() => load(text)).message.replaceAll('experiment.yaml:', '')

describe('an invalid search is refused with its place', () => {
  test.each([
    ['x: { min: 2, max: 1 }', '3:22  factors.x.min: min must be less than max, got 2 and 1'],
    ['x: { min: 1, max: 1 }', '3:22  factors.x.min: min must be less than max, got 1 and 1'],
    [
      'x: { min: 0, max: 1, scale: log }',
      '3:22  factors.x.min: a log scale has only numbers above 0, got a minimum of 0',
    ],
    ['x: { min: 0 }', '3:15  factors.x: "max" is missing'],
    ['x: { mean: 0 }', '3:15  factors.x: "sd" is missing'],
    ['x: { mean: 0, sd: 0 }', '3:30  factors.x.sd: expected a number above 0, got 0'],
    [
      'x: { min: 0, max: 1, mean: 0 }',
      '3:15  factors.x: give min and max, mean and sd, or beta, not several of them (min, max, mean)',
    ],
    ['x: { values: [1], min: 0, max: 1 }', '3:15  factors.x: give a list or limits, not both'],
    ['x: { min: 0.5, max: 3, integer: true }', '3:22  factors.x.min: whole numbers need whole limits'],
    ['x: { min: 0, max: 1, step: 2 }', '3:39  factors.x.step: the step 2 is larger than the range from 0 to 1'],
    [
      'x: { min: 0, max: 9, step: 1.5, integer: true }',
      `3:39  factors.x.step: whole numbers can't be 1.5 apart: leave "integer" or "step" out`,
    ],
    ['x: { beta: [2] }', '3:23  factors.x.beta: expected two numbers above 0, such as [2, 5], got [2]'],
    ['x: { beta: [2, 2], scale: log }', '3:38  factors.x.scale: a beta distribution has no log scale'],
    [
      'x: { values: [a, b], probabilities: [1] }',
      '3:48  factors.x.probabilities: expected one for each of the 2 levels, got [1]',
    ],
    ['x: { values: [a, b], probabilities: [0, 0] }', '3:48  factors.x.probabilities: at least one must be above 0'],
    ['x: { minn: 0, max: 1 }', '3:17  factors.x.minn: unknown key "minn"; did you mean "min"?'],
    ['x: [1]', '5:9  search: there is nothing to search: no factor has more than one level'],
  ])('factors: { %s }', (factor, line) => {
    expect(linesOf(`factors: { ${factor} }\n${searching}`)).toContain(line)
  })

  test.each([
    [
      'search: { method: bays }',
      '5:19  search.method: expected "grid", "random", "sobol", "bayes" or "tpe", got "bays"; did you mean "bayes"?',
    ],
    [
      'search: { method: bayes, max_runs: 9 }',
      '5:9  search: bayes learns from a metric, and several are declared; add "metric", or mark one as primary',
    ],
    [
      'search: { method: bayes, metric: los, max_runs: 9 }',
      '5:34  search.metric: the metric "los" is not declared; did you mean "loss"?',
    ],
    [
      'search: { method: tpe, metric: other, max_runs: 9 }',
      '5:9  search: is a large or a small "other" better?; add "goal: minimize" or "goal: maximize"',
    ],
    [
      'search: { method: tpe, metric: loss, goal: maximize, max_runs: 9 }',
      '5:44  search.goal: the search would maximize "loss", but its metric says minimize; leave one out',
    ],
    [
      'search: { method: random }',
      '5:9  search: "x" has no end of levels, so the search would never end; add "max_runs: 50"',
    ],
    [
      'search: { method: random, max_runs: 3 }\nseeds: 1..4',
      '5:37  search.max_runs: one variant alone takes 4 runs, in all its blocks and replicates, and only 3 are allowed',
    ],
    [
      'search: { method: tpe, metric: loss, max_runs: 9, also: [others] }',
      '5:58  search.also.0: the metric "others" is not declared; did you mean "other"?',
    ],
    [
      'search: { method: tpe, metric: loss, max_runs: 9, also: [other] }',
      '5:58  search.also.0: is a large or a small "other" better?; add "goal" to the metric "other"',
    ],
    ['search: { method: tpe, metric: loss, max_runs: 9, also: [loss] }', '"loss" is an objective already'],
    [
      'search: { method: random, max_runs: 3 }\ninclude: [{ x: 1 }]',
      '6:10  include: "include" lists variants, and "search" chooses them itself; leave one out, or search with method: grid',
    ],
    [
      'search: { method: grid }',
      '3:15  factors.x: "x" is continuous, and a grid needs levels: list them, or give a step;',
    ],
    ['search: { method: random, max_runs: 9, target: 1 }', 'search.target: a target needs a metric; add "metric"'],
    [
      'search: { method: random, metric: other, max_runs: 9, target: 1 }',
      'search.target: is a large or a small "other" better?; add "goal: minimize" or "goal: maximize"',
    ],
    ['', '3:15  factors.x: "x" is continuous, and a grid needs levels: list them, or give a step;'],
  ])('%s', (search, line) => {
    const metrics = 'metrics: { loss: { goal: minimize }, other: {} }'
    expect(linesOf(`factors: { x: { min: 0, max: 1 } }\n${metrics}\n${search}\n`)).toContain(line)
  })
})

describe('defaults', () => {
  test('the metric is the primary one, or the only one, with its goal', () => {
    const { search } = load(
      'factors: { x: [1, 2] }\nmetrics: { a: {}, b: { goal: maximize, primary: true } }\nsearch: { method: tpe }',
    )
    expect(search).toEqual({
      ...{
        method: 'tpe',
        metric: 'b',
        goal: 'maximize',
        max_runs: null,
        seed: null,
        impute: 'worst',
        initial: null,
        also: [],
        early_stop: null,
        target: null,
        value: 'last',
      },
    })
  })

  test('integers and steps have levels, so a grid accepts them', () => {
    const { factors } = load('factors: { a: { min: 1, max: 4, integer: true }, b: { min: 0, max: 1, step: 0.5 } }')
    expect(factors.map(({ levels }) => levels)).toEqual([
      [1, 2, 3, 4],
      [0, 0.5, 1],
    ])
  })

  test('ranges are plain data', () => {
    const { factors } = load(
      'factors: { a: { min: 1e-5, max: 0.1, scale: log }, b: { mean: 0, sd: 2, step: 0.5 }, c: { beta: [2, 5] } }\nsearch: { method: random, max_runs: 5 }',
    )
    expect(factors.map(({ domain }) => domain)).toEqual([
      { kind: 'uniform', min: 1e-5, max: 0.1, scale: 'log', step: null },
      { kind: 'normal', mean: 0, sd: 2, scale: 'linear', step: { size: 0.5, from: 0 } },
      { kind: 'beta', a: 2, b: 5, step: null },
    ])
  })
})
