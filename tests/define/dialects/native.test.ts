import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { experimentFrom, loadExperiment } from '../../../src/define/load-experiment.ts'
import { errorOf, folderWith, load, loadFile, targets } from '../example.ts'

test('the shortest experiment has every default filled in', () => {
  const { file, folder, ...experiment } = load('')
  expect(file).toBe(join(folder, 'experiment.yaml'))
  expect(experiment).toEqual({
    name: 'example',
    dialect: 'native',
    description: '',
    out_root: join(folder, 'results'),
    target: { kind: 'command', command: ['echo'] },
    params: {},
    factors: [],
    zip: [],
    include: [],
    exclude: [],
    ablations: [],
    constraints: [],
    blocks: [],
    replicates: 1,
    order: 'interleaved',
    seed: 1,
    limits: {
      jobs: availableParallelism(),
      timeout_ms: null,
      grace_ms: 5000,
      budget_usd: null,
      run_budget_usd: null,
      run_calls: null,
      run_tokens: null,
      rate: {},
      fail_on_rate_limit: false,
      retries: { failed: 0, timed_out: 0, infra_error: 3, rate_limited: 5, backoff_ms: 1000 },
      quarantine_after: 5,
      halt: null,
      initial_failures: 5,
    },
    metrics: [],
    analysis: { baseline: null },
    inputs: [],
    outputs: [],
    hooks: { setup: null, cleanup: null },
    naming: { kind: 'slug' },
    record_env: [],
  })
})

describe('factors', () => {
  test('keep the order in which they are written', () => {
    expect(load('factors: { z: [1], a: [2], m: [3] }').factors.map(({ name }) => name)).toEqual(['z', 'a', 'm'])
  })

  test.each([
    ['[1, two, null]', [1, 'two', null], null],
    ['1..3', [1, 2, 3], null],
    ['{ values: [1], when: "a > 1" }', [1], 'a > 1'],
    ['{ values: 1..2 }', [1, 2], null],
    ['{ range: 1..2, when: x }', [1, 2], 'x'],
  ])('%s', (written, levels, when) => {
    expect(load(`factors: { f: ${written} }`).factors).toEqual([{ name: 'f', levels, when }])
  })

  test('one group of zipped factors needs no list', () => {
    const [one, list] = ['zip: { a: [1, 2], b: 3..4 }', 'zip: [{ a: [1, 2], b: 3..4 }]'].map(yaml => load(yaml).zip)
    expect(one).toEqual(list)
    expect(one?.[0]?.[1]).toEqual({ name: 'b', levels: [3, 4], when: null })
  })
})

describe('blocks', () => {
  test.each(['1..3', '[1, 2, 3]', '"1,2..3"'])('seeds: %s is a block called seed', written => {
    expect(load(`seeds: ${written}`).blocks).toEqual([{ name: 'seed', levels: [1, 2, 3] }])
  })

  test('a single number is that one seed', () => {
    expect(load('seeds: 7').blocks).toEqual([{ name: 'seed', levels: [7] }])
  })

  const withTasks = (tasks: string, more: Record<string, string> = {}) =>
    folderWith({
      'sub/experiment.yaml': `name: x\ntarget: { kind: command, command: [echo] }\nblocks: { task: ${tasks}, seed: 1..2 }`,
      ...more,
    })

  test('a file pattern is resolved in the folder of the configuration, sorted and relative', () => {
    const cwd = withTasks('tasks/*.toml', { 'sub/tasks/b.toml': '', 'sub/tasks/a.toml': '', 'sub/tasks/c.txt': '' })
    const { blocks } = loadExperiment('sub/experiment.yaml', { targets, cwd })
    expect(blocks[0]).toEqual({ name: 'task', levels: ['tasks/a.toml', 'tasks/b.toml'] })
  })

  test('and then in the working directory', () => {
    const cwd = withTasks('tasks/*', { 'tasks/a': '' })
    expect(loadExperiment('sub/experiment.yaml', { targets, cwd }).blocks[0]?.levels).toEqual(['tasks/a'])
  })

  test('a pattern must match something', () => {
    const error = errorOf(() => loadExperiment('sub/experiment.yaml', { targets, cwd: withTasks('tasks/*') }))
    expect(error.message).toContain('sub/experiment.yaml:3:17  blocks.task: no file matches tasks/*; looked in ')
  })

  test('seeds are given once', () => {
    expect(errorOf(() => load('seeds: 1..2\nblocks: { seed: 1..3 }')).message).toContain('both are given')
  })
})

describe('limits', () => {
  test('durations and rules are read', () => {
    const { limits } = load('limits: { jobs: 3, timeout: 1h30m, grace: 500ms, halt: fail=10%, retries: 2 }')
    expect(limits).toMatchObject({ jobs: 3, timeout_ms: 5_400_000, grace_ms: 500, halt: { share: 0.1 } })
    expect(limits.retries).toEqual({ failed: 2, timed_out: 2, infra_error: 2, rate_limited: 5, backoff_ms: 1000 })
  })

  test.each([
    ['5', { failures: 5 }],
    ['fail=5', { failures: 5 }],
    ['10%', { share: 0.1 }],
  ])('halt: %s', (written, halt) => expect(load(`limits: { halt: ${written} }`).limits.halt).toEqual(halt))

  test('retries by class keep the other defaults', () => {
    const { retries } = load('limits: { retries: { failed: 1, backoff: 2m } }').limits
    expect(retries).toEqual({ failed: 1, timed_out: 0, infra_error: 3, rate_limited: 5, backoff_ms: 120_000 })
  })
})

test('ablations, outputs, hooks and constraints have short forms', () => {
  const experiment = load(`
ablations: [{ name: baseline }, { name: no_hedge, flags: [--disable_hedging] }, { name: small, set: { k: 1 } }]
constraints: a < b
outputs: [out/a.csv, { path: out/b.csv, required: false }]
hooks: { setup: make, cleanup: [rm, -r, x] }`)
  expect(experiment).toMatchObject({
    ablations: [
      { name: 'baseline', flags: [], set: {} },
      { name: 'no_hedge', flags: ['--disable_hedging'], set: {} },
      { name: 'small', flags: [], set: { k: 1 } },
    ],
    constraints: ['a < b'],
    outputs: [
      { path: 'out/a.csv', required: true },
      { path: 'out/b.csv', required: false },
    ],
    hooks: { setup: 'make', cleanup: ['rm', '-r', 'x'] },
  })
})

test('JSON and TOML are equivalent', () => {
  const json = `{"$schema": "x.json", "name": "e", "target": {"kind": "command", "command": ["echo"]}, "factors": {"a": [1, 2]}}`
  const toml = 'name = "e"\n[target]\nkind = "command"\ncommand = ["echo"]\n[factors]\na = [1, 2]\n'
  const [a, b] = [loadFile('e.json', json), loadFile('e.toml', toml)].map(({ file, folder, out_root, ...rest }) => rest)
  expect(a).toEqual(b)
})

test('an experiment may come from code', () => {
  const raw = { name: 'e', target: { kind: 'command', command: ['echo'] }, limits: { jobs: 0 } }
  const options = { folder: '/tmp', targets, cwd: '/tmp' }
  expect(experimentFrom({ ...raw, limits: {} }, options)).toMatchObject({ file: null, folder: '/tmp' })
  expect(errorOf(() => experimentFrom(raw, options)).message).toBe(
    'limits.jobs: expected a whole number above 0, got 0',
  )
})

test('a number with too many digits is refused rather than changed', () => {
  expect(errorOf(() => load('seeds: [9007199254740993]')).message).toBe(
    'experiment.yaml:3:9  seeds.0: 9007199254740993 has too many digits to be kept exactly; write it as text: "9007199254740993"',
  )
})

describe('naming', () => {
  test('is a template of names in braces', () => {
    expect(load('naming: "{name}.seed{seed}"').naming).toEqual({ kind: 'template', template: '{name}.seed{seed}' })
  })

  test.each(['../{name}', '{name}/{seed}', '.hidden', '{}', '', 'a b'])('refuses the name template %j', template => {
    expect(errorOf(() => load(`naming: ${JSON.stringify(template)}`)).message).toContain('expected a template such as')
  })
})

describe('words of command lines', () => {
  const commandOf = (file: string, text: string) => loadFile(file, text).target.command

  test('are text, spelt as in the file', () => {
    const yaml = 'name: x\ntarget: { kind: command, command: [sleep, 1, 1.50, 012, 1e3, True, 12345678901234567890] }'
    const words = ['sleep', '1', '1.50', '012', '1e3', 'True', '12345678901234567890']
    expect(commandOf('e.yaml', yaml)).toEqual(words)
    const json = '{ "name": "x", "target": { "kind": "command", "command": ["sleep", 1.50, false] } }'
    expect(commandOf('e.json', json)).toEqual(['sleep', '1.50', 'false'])
    expect(load('', { set: ['target.command=[sleep, 2.0]'] }).target.command).toEqual(['sleep', '2.0'])
    const { ablations, hooks } = load(
      'ablations: [{ name: a, flags: [--depth, 1.0] }]\nhooks: { setup: [sleep, 0.10] }',
    )
    expect([ablations[0]?.flags, hooks.setup]).toEqual([
      ['--depth', '1.0'],
      ['sleep', '0.10'],
    ])
  })

  test('of a TOML file need quotes if they are numbers', () => {
    const toml = 'name = "x"\ntarget = { kind = "command", command = ["sleep", 1.50] }'
    expect(errorOf(() => loadFile('e.toml', toml)).message).toBe(
      'e.toml:2:10  target.command.1: expected text, got 1.5; put it in quotes',
    )
  })

  test('that are neither text nor numbers are refused', () => {
    expect(errorOf(() => load('hooks: { setup: [sleep, [1]] }')).message).toBe(
      'experiment.yaml:3:25  hooks.setup.1: expected text, got [1]',
    )
  })
})
