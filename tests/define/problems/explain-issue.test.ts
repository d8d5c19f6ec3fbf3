import { describe, expect, test } from 'vitest'
import { errorOf, load, loadFile } from '../example.ts'

describe('a problem has place, path, expected value, given value and suggestion', () => {
  test.each([
    ['limits: { jobs: two }', '3:17  limits.jobs: expected a whole number above 0, got "two"'],
    ['limits: { jobs: 1.5 }', '3:17  limits.jobs: expected a whole number above 0, got 1.5'],
    ['limits: { job: 2 }', '3:11  limits.job: unknown key "job"; did you mean "jobs"?'],
    ['facors: {}', '3:1  facors: unknown key "facors"; did you mean "factors"?'],
    [
      'limits: { timeout: soon }',
      '3:20  limits.timeout: expected a duration such as 30m, 1h30m or 90 (seconds), got "soon"',
    ],
    ['limits: { timeout: 0 }', '3:20  limits.timeout: expected a duration above 0, got 0'],
    ['limits: { retries: { faild: 1 } }', '3:22  limits.retries.faild: unknown key "faild"; did you mean "failed"?'],
    ['limits: { budget_usd: -1 }', '3:23  limits.budget_usd: expected an amount in USD, 0 or more, got -1'],
    [
      'order: interleavd',
      '3:8  order: expected "interleaved", "listed" or "shuffled", got "interleavd"; did you mean "interleaved"?',
    ],
    [
      'factors: { policy: full }',
      '3:20  factors.policy: expected a list of levels or a range such as 1..5 (a value that never varies belongs under "params"), got "full"',
    ],
    [
      'factors: { n: { valus: [1], values: [1] } }',
      '3:17  factors.n.valus: unknown key "valus"; did you mean "values"?',
    ],
    [
      'factors: { n: [1..5] }',
      '3:16  factors.n.0: a range inside a list is only text: write it without the list, or list the numbers',
    ],
    ['factors: { n: {} }', '3:15  factors.n: "values" or "range" is missing (or, for a search, "min" and "max")'],
    [
      'factors: { "a b": [1] }',
      '3:12  factors.a b: expected a name that starts with a letter and has only letters, digits, "_", "-" and ".", got "a b"',
    ],
    [
      'outputs: [../x]',
      '3:11  outputs.0: expected a path inside the run\'s directory, neither absolute nor with "..", got "../x"',
    ],
    ['ablations: [{ flags: [] }]', '3:13  ablations.0.name: missing, expected text'],
    ['hooks: { setup: [] }', '3:17  hooks.setup: expected at least 1 item, got []'],
    ['replicates: 0', '3:13  replicates: expected a whole number above 0, got 0'],
    [
      'blocks: { task: nope }',
      '3:17  blocks.task: expected a list, a range such as 1..5, or a pattern of files with "*", got "nope"',
    ],
  ])('%s', (yaml, line) => expect(errorOf(() => load(yaml)).message).toBe(`experiment.yaml:${line}`))

  test('an unknown kind of target', () => {
    expect(errorOf(() => loadFile('e.yaml', 'name: x\ntarget: { kind: comand }')).message).toBe(
      'e.yaml:2:17  target.kind: expected command, got "comand"; did you mean "command"?',
    )
  })

  test("a problem in the target's own part", () => {
    expect(errorOf(() => loadFile('e.yaml', 'name: x\ntarget: { kind: command, comand: [a] }')).message).toBe(
      'e.yaml:2:9  target.command: missing, expected a list\ne.yaml:2:26  target.comand: unknown key "comand"; did you mean "command"?',
    )
  })

  test('a name that would lead out of the results', () => {
    expect(errorOf(() => loadFile('e.yaml', 'name: ../x\ntarget: { kind: command, command: [a] }')).message).toContain(
      'since it names a directory, got "../x"',
    )
  })

  test('a value that is not a map', () => {
    expect(errorOf(() => loadFile('e.yaml', '- 1')).message).toBe(
      'e.yaml:1:1  expected a map of keys and values, got [1]',
    )
  })
})

test('all problems are reported together, in the order of the file, also as facts', () => {
  const error = errorOf(() => load('seeds: x\nlimits: { jobs: two }\nfacors: {}'))
  expect(error.code).toBe('config')
  expect(error.message.split('\n')).toHaveLength(3)
  expect(error.facts.problems).toMatchObject([
    { path: 'seeds', line: 3 },
    { path: 'limits.jobs', line: 4, column: 17, file: 'experiment.yaml', hint: null, option: null },
    { path: 'facors', line: 5, column: 1, hint: 'did you mean "factors"?' },
  ])
})
