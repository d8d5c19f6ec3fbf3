import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { loadExperiment } from '../../../../src/define/load-experiment.ts'
import type { Overrides } from '../../../../src/define/overrides/overrides.ts'
import type { Target } from '../../../../src/define/target.ts'
import { plannerFor, planRuns } from '../../../../src/plan/plan.ts'
import { everything } from '../../../../src/plan/planner.ts'
import { errorOf, folderWith } from '../../example.ts'

/** As much of the task target as loading needs. */
const task: Target = {
  kind: 'task',
  schema: z.strictObject({
    kind: z.literal('task'),
    agent: z.string().optional(),
    sandbox: z.enum(['auto', 'bubblewrap', 'process']).default('auto'),
    provided: z.array(z.string()).default([]),
  }),
  check: (_, { blocks }) =>
    (blocks[0]?.levels ?? []).flatMap((level, index) =>
      String(level).includes('missing') ? [{ path: ['blocks', 'task', index], message: 'no such task' }] : [],
    ),
  identity: () => ({}),
  describe: () => ({ command: [], cwd: '' }),
  bound: () => 'unknown',
  execute: async () => ({ kind: 'completed' }),
}

const own = { 'data/tasks/prepared/task_1/overrides.json': '{}', 'short.json': '{}' }

const load = (toml: string, overrides: Overrides = {}, file = 'configs/bench.toml') =>
  loadExperiment(file, { targets: [task], overrides, cwd: folderWith({ ...own, [file]: toml }) })

const problem = (toml: string) => errorOf(() => load(toml)).message

const guide = `name = "my_benchmark"
parallel = 4

[[tasks]]
prepared_dir = "data/tasks/prepared/task_1"
model = "gpt-4"
rollouts = 3
apply_overrides = true
overrides = "data/tasks/prepared/task_1/overrides.json"

[[tasks]]
prepared_dir = "data/tasks/prepared/task_2"
model = "claude-3-sonnet"
rollouts = 5
apply_overrides = false

[[tasks]]
prepared_dir = "data/tasks/prepared/task_3"
model = "gpt-3.5-turbo"
rollouts = 1
`

describe('the configuration of the guide', () => {
  test('becomes cells: each entry with its own rollouts, tasks as blocks', () => {
    const experiment = load(guide)
    expect(experiment).toMatchObject({
      name: 'my_benchmark',
      dialect: 'rollouts-toml',
      limits: { jobs: 4 },
      target: { kind: 'task', sandbox: 'auto' },
      directory: { kind: 'dated', stamp: 'second' },
      params: { overrides: null, environment_variables: {} },
      blocks: [
        {
          name: 'task',
          levels: ['data/tasks/prepared/task_1', 'data/tasks/prepared/task_2', 'data/tasks/prepared/task_3'],
        },
      ],
      cells: [
        { levels: { model: 'gpt-4', apply_overrides: true, task: 'data/tasks/prepared/task_1' }, replicates: 3 },
        { levels: { model: 'claude-3-sonnet', apply_overrides: false }, replicates: 5 },
        { levels: { model: 'gpt-3.5-turbo', apply_overrides: true }, replicates: 1 },
      ],
      metrics: [{ name: 'score', goal: 'maximize', primary: true }, { name: 'passed' }],
    })
    expect(experiment.out_root.endsWith('/data/rollouts')).toBe(true)
  })

  test('has exactly one run per rollout, numbered in the order of the file', () => {
    const experiment = load(guide)
    const options = { order: 'interleaved', seed: 1, selection: everything } as const
    const runs = [...planRuns(experiment, options)]
    expect(runs).toHaveLength(9)
    const indexes = runs.map(({ name, block, replicate }) => [Number(name.split('-').at(-1)), block.task, replicate])
    expect(indexes.toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
      ...[1, 2, 3].map(replicate => [replicate - 1, 'data/tasks/prepared/task_1', replicate]),
      ...[1, 2, 3, 4, 5].map(replicate => [replicate + 2, 'data/tasks/prepared/task_2', replicate]),
      [8, 'data/tasks/prepared/task_3', 1],
    ])
  })

  test('takes its name from the file, one worker, one rollout and gpt-5-mini', () => {
    const experiment = load('[[tasks]]\nprepared_dir = "data/tasks/prepared/task_1"\n')
    expect(experiment).toMatchObject({ name: 'bench', limits: { jobs: 1 }, params: { model: 'gpt-5-mini' } })
    expect(experiment.cells).toEqual([{ levels: { task: 'data/tasks/prepared/task_1' }, replicates: 1 }])
  })

  test('is read as JSON too', () => {
    const json = JSON.stringify({ name: 'b', tasks: [{ prepared_dir: 'a', rollouts: 2 }] })
    expect(load(json, {}, 'bench.json')).toMatchObject({ dialect: 'rollouts-toml', cells: [{ replicates: 2 }] })
  })
})

describe('variants', () => {
  test('differ in their environment', () => {
    const { zip, cells } = load(`
[[tasks]]
prepared_dir = "coding"
rollouts = 3
environment_variables = { "TIMEOUT_SEC" = "1800" }
[[tasks]]
prepared_dir = "coding"
rollouts = 3
environment_variables = { "TIMEOUT_SEC" = 3600 }`)
    const levels = [{ TIMEOUT_SEC: '1800' }, { TIMEOUT_SEC: '3600' }]
    expect(zip).toEqual([[{ name: 'environment_variables', levels, when: null }]])
    expect(cells?.map(cell => cell.levels)).toEqual(
      levels.map(environment_variables => ({ environment_variables, task: 'coding' })),
    )
  })

  test('are only the listed ones, not a full cross', () => {
    const tasks = Array.from(
      { length: 40 },
      (_, at) => `[[tasks]]\nprepared_dir = "t${at}"\nmodel = "m${at}"\nenvironment_variables = { A = "${at}" }\n`,
    )
    const experiment = load(tasks.join(''))
    const planner = plannerFor(experiment, { order: 'interleaved', seed: 1, selection: everything })
    expect(planner.count()).toBe(40)
  })

  test('include an overrides file other than the task’s own', () => {
    const { params } = load('[[tasks]]\nprepared_dir = "a"\noverrides = "./short.json"\n')
    expect(params.overrides).toBe('short.json')
  })

  test('a task is identified by its resolved path', () => {
    const { blocks } = load('[[tasks]]\nprepared_dir = "./a/"\nmodel="x"\n[[tasks]]\nprepared_dir = "a"\nmodel="y"\n')
    expect(blocks[0]?.levels).toEqual(['a'])
  })

  test('an entry with 0 rollouts is ignored', () => {
    const { blocks, cells } = load('[[tasks]]\nprepared_dir = "a"\nrollouts = 0\n[[tasks]]\nprepared_dir = "b"\n')
    expect([blocks[0]?.levels, cells?.length]).toEqual([['b'], 1])
  })
})

describe('assay’s additions', () => {
  const toml = '[[tasks]]\nprepared_dir = "a"\n[assay]\nagent = "oracle"\nsandbox = "process"\n'

  test('are in a table of their own: settings of the target, limits, order', () => {
    const experiment = load(`${toml}order = "listed"\n[assay.limits]\ntimeout = "30m"\n`)
    expect(experiment).toMatchObject({
      target: { kind: 'task', agent: 'oracle', sandbox: 'process' },
      order: 'listed',
      limits: { timeout_ms: 1_800_000 },
    })
  })

  test('accept the options of the command line', () => {
    const overrides = { name: 'other', out_root: 'elsewhere', limits: { jobs: 7 } }
    const experiment = load(toml, overrides)
    expect(experiment).toMatchObject({ name: 'other', limits: { jobs: 7 } })
    expect(experiment.out_root.endsWith('/elsewhere')).toBe(true)
  })

  test('report unused overrides', () => {
    const { notes } = load('[[tasks]]\nprepared_dir = "a"\napply_overrides = false\noverrides = "gone.json"\n')
    expect(notes).toEqual(['overrides of entry 1 are not used, because apply_overrides is false there'])
  })
})

describe('mistakes are reported with their place', () => {
  test.each([
    [
      '[[tasks]]\nprepared_dir = "a"\nmodle = "x"\n',
      'bench.toml:3:1  tasks.0.modle: unknown key "modle"; did you mean "model"?',
    ],
    [
      'paralel = 2\n[[tasks]]\nprepared_dir = "a"\n',
      'bench.toml:1:1  paralel: unknown key "paralel"; did you mean "parallel"?',
    ],
    ['[[tasks]]\nprepard_dir = "a"\n', 'tasks.0.prepared_dir: missing, expected text'],
    [
      '[[tasks]]\nprepared_dir = "a"\nrollouts = -1\n',
      'bench.toml:3:12  tasks.0.rollouts: expected a whole number, 0 or more, got -1',
    ],
    [
      '[[tasks]]\nprepared_dir = "a"\n[[tasks]]\nprepared_dir = "a/"\nrollouts = 4\n',
      'bench.toml:3:1  tasks.1: entry 2 is the same as entry 1',
    ],
    [
      '[[tasks]]\nprepared_dir = "a"\noverrides = "gone.json"\n',
      'bench.toml:3:13  tasks.0.overrides: no such file: gone.json',
    ],
    [
      '[[tasks]]\nprepared_dir = "a"\nenvironment_variables = { OPENAI_API_KEY = "sk-1" }\n',
      'OPENAI_API_KEY looks like a secret',
    ],
    [
      '[[tasks]]\nprepared_dir = "a"\nenvironment_variables = { TIMEOUT_SEC = "soon" }\n',
      'expected a number of seconds above 0, got "soon"',
    ],
    ['[[tasks]]\nprepared_dir = "a"\nrollouts = 0\n', 'every entry has rollouts = 0'],
    ['name = "temp"\n[[tasks]]\nprepared_dir = "a"\n', 'a benchmark can\'t be called "temp"'],
    ['name = "../x"\n[[tasks]]\nprepared_dir = "a"\n', 'since it names a directory'],
    [
      '[[tasks]]\nprepared_dir = "a"\n[assay]\nsandbox = "procss"\n',
      'bench.toml:4:11  assay.sandbox: expected "auto", "bubblewrap" or "process", got "procss"; did you mean "process"?',
    ],
    [
      '[[tasks]]\nprepared_dir = "a"\nrollouts = 0\n[[tasks]]\nprepared_dir = "missing"\n',
      'bench.toml:5:16  tasks.1.prepared_dir: no such task',
    ],
  ])('%j', (toml, message) => expect(problem(toml)).toContain(message))
})
