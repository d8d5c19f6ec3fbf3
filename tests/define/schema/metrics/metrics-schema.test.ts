import { describe, expect, test } from 'vitest'
import { errorOf, load } from '../../example.ts'

const metric = (name: string, written: string) => load(`metrics: { "${name}": ${written} }`).metrics[0]
const problem = (name: string, written: string) => errorOf(() => metric(name, written)).message

describe('a metric is read from', () => {
  test.each([
    ['p95', '{ csv: out/a.csv, column: c }', { kind: 'csv', file: 'out/a.csv', column: 'c' }],
    ['p95', '{ csv: out/a.csv }', { kind: 'csv', file: 'out/a.csv', column: 'p95' }],
    ['*', '{ csv: out/a.csv, row_name: "{p}" }', { kind: 'csv', file: 'out/a.csv', row_name: '{p}' }],
    ['*', '{ json: a.json, optional: true }', { kind: 'json', file: 'a.json', optional: true }],
    ['score', '{ json: a.json, path: a.b }', { kind: 'json', file: 'a.json', path: 'a.b' }],
    ['loss', '{ jsonl: m.jsonl, step: epoch }', { kind: 'jsonl', file: 'm.jsonl', field: 'loss', step: 'epoch' }],
    ['acc', '{ regex: "acc=(.*)", file: out/log }', { kind: 'regex', file: 'out/log', pattern: 'acc=(.*)', group: 1 }],
    ['acc', '{ regex: "[0-9]+" }', { kind: 'regex', file: 'stdout.txt', pattern: '[0-9]+', group: 0 }],
    ['acc', '{ regex: "(?<n>.)", group: n }', { kind: 'regex', file: 'stdout.txt', pattern: '(?<n>.)', group: 'n' }],
    ['solved', '{ reward: true }', { kind: 'reward' }],
    ['cost', '{ goal: minimize }', { kind: 'reported' }],
    ['cost', 'null', { kind: 'reported' }],
  ])('%s: %s', (name, written, source) => expect(metric(name, written)?.source).toEqual(source))
})

test('goal and primary are kept', () => {
  expect(metric('a', '{ goal: maximize, primary: true }')).toMatchObject({ goal: 'maximize', primary: true })
})

describe('refuses', () => {
  test.each([
    ['p95', '{ csv: /etc/passwd }', 'metrics.p95.csv: expected a path inside the run'],
    ['p95', '{ csv: out/../../x }', 'metrics.p95.csv: expected a path inside the run'],
    ['a', '{ csv: a.csv, json: b.json }', 'metrics.a.json: give one source, not both "csv" and "json"'],
    ['a', '{ value: best }', 'metrics.a.value: which value is the best? "goal" must say which way is better'],
    [
      'a',
      '{ goal: minimize, csv: a.csv, value: best }',
      'metrics.a.value: "csv" gives one number: "value" is for metrics over steps',
    ],
    ['a', '{ column: c }', 'metrics.a.column: "column" needs "csv"'],
    ['a', '{ csv: a.csv, path: c }', 'metrics.a.path: "path" needs "json"'],
    ['a', '{ csv: a.csv, row_name: c }', 'metrics.a.row_name: "row_name" is for the metric "*"'],
    [
      '*',
      '{ jsonl: a.jsonl }',
      'metrics.*: the metric "*" takes every number of a file: give "csv", "json" or "tensorboard"',
    ],
    ['*', '{ csv: a.csv, column: c }', 'metrics.*.column: the metric "*" takes every number: leave "column" out'],
    ['a', '{ regex: "(a" }', 'metrics.a.regex: not a regular expression'],
    ['a', '{ regex: "(a)", group: 2 }', 'metrics.a.group: the regular expression has no group 2'],
    [
      'a',
      '{ goal: maximise }',
      'metrics.a.goal: expected "minimize" or "maximize", got "maximise"; did you mean "maximize"?',
    ],
  ])('%s: %s', (name, written, message) => expect(problem(name, written)).toContain(message))
})
