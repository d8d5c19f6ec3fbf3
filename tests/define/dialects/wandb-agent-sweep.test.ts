import { describe, expect, it } from 'vitest'
import { loadExperiment } from '../../../src/define/load-experiment.ts'
import { targets } from '../../../src/targets/registry.ts'
import { assay, complaint, folderWith } from '../../support/assay.ts'

const task = {
  'task.toml': 'version = "1.0"\n',
  'instruction.md': 'Do it.\n',
  'environment/Dockerfile': 'FROM scratch\nWORKDIR /app\n',
  'tests/test.sh': '#!/bin/sh\nexit 0\n',
}

const tasksIn = (folder: string, ids: readonly string[]) =>
  Object.fromEntries(ids.flatMap(id => Object.entries(task).map(([name, text]) => [`${folder}/${id}/${name}`, text])))

const models =
  'sim/x: { rules: [{ tool: { name: submit } }] }\ndeepseek-chat: { provider: sim, like: sim/x }\nglm-4.6: { provider: sim, like: sim/x }\n'

const sweep = (parameters: string, more = '') => `program: code/scripts/run_sweep.py
method: grid
metric: { name: submission_rate, goal: maximize }
${more}
parameters:
  model: { value: deepseek-chat }
${parameters}
`

const folder = (text: string, more: Record<string, string> = {}) =>
  folderWith({
    ...tasksIn('instances/verified', ['b__b-1', 'a__a-2', 'a__a-10', 'c__c-1']),
    'models.yaml': models,
    'sweep.yaml': text,
    ...more,
  })

async function planned(cwd: string, ...more: readonly string[]) {
  const ended = await assay(['plan', 'sweep.yaml', '--models', 'models.yaml', '--json', ...more], { cwd })
  const plan: {
    runs: readonly { params: Record<string, unknown>; block: { task: string } }[]
    notes?: readonly string[]
  } = JSON.parse(ended.stdout)
  return { ...plan, params: plan.runs.map(({ params }) => params), tasks: plan.runs.map(({ block }) => block.task) }
}

const refused = async (text: string, more: Record<string, string> = {}) => {
  const cwd = folder(text, more)
  const ended = await assay(['plan', 'sweep.yaml', '--models', 'models.yaml'], { cwd })
  expect(ended.status).toBe(2)
  return complaint(ended, { cwd })
}

describe('a sweep for a missing scripts/run_sweep.py', () => {
  it('runs the built-in agent with the parameters that matter to each strategy', async () => {
    const cwd = folder(
      sweep(`  strategy: { values: [raw, observation_masking, hybrid] }
  instances-slice: { value: ":1" }
  hp-obs-n: { values: [5, 10] }
  hp-sum-n: { value: 15 }
  hp-sum-static-checkpoint: { values: ["Yes", "no"] }
  num-workers: { value: 3 }
  cost-limit: { value: 0.0 }`),
    )
    const { params, notes } = await planned(cwd)
    const common = { model: 'deepseek-chat', cost_limit: 0 }
    const hybrid = { ...common, strategy: 'hybrid', hp_sum_n: 15 }
    expect(params).toHaveLength(7)
    expect(params).toEqual(
      expect.arrayContaining([
        { ...common, strategy: 'raw' },
        { ...common, strategy: 'observation_masking', hp_obs_n: 5 },
        { ...common, strategy: 'observation_masking', hp_obs_n: 10 },
        ...[5, 10].flatMap(hp_obs_n =>
          [true, false].map(hp_sum_static_checkpoint => ({ ...hybrid, hp_obs_n, hp_sum_static_checkpoint })),
        ),
      ]),
    )
    expect(notes?.join('\n')).toContain('code/scripts/run_sweep.py is not here')
    const text = await assay(['plan', 'sweep.yaml', '--models', 'models.yaml'], { cwd })
    expect(text.stdout).toContain('jobs=3')
  })

  it('takes instances in the order of SWE-agent: by id, shuffled, filtered, sliced', async () => {
    const raw = '  strategy: { value: raw }\n'
    const ids = async (parameters: string) =>
      (await planned(folder(sweep(raw + parameters)))).tasks.map(one => one.split('/').at(-1))
    expect(await ids('')).toEqual(['a__a-10', 'a__a-2', 'b__b-1', 'c__c-1'])
    // random.Random(42).shuffle of these four, computed with CPython.
    expect(await ids('  instances-shuffle: { value: true }')).toEqual(['b__b-1', 'a__a-2', 'c__c-1', 'a__a-10'])
    expect(await ids('  instances-shuffle: { value: "true" }\n  instances-slice: { value: "1:3" }')).toEqual([
      'a__a-2',
      'c__c-1',
    ])
    expect(await ids('  instances-filter: { value: "(a|c)__" }\n  instances-slice: { value: "-2:" }')).toEqual([
      'a__a-2',
      'c__c-1',
    ])
    expect(await ids('  instances-filter: { value: "__b" }').catch(() => 'none')).toBe('none')
  })

  it('counts trials, and judges a variant by the mean over its instances', async () => {
    const cwd = folder(
      sweep('  strategy: { values: [raw, hybrid] }', 'run_cap: 1\nearly_terminate: { type: hyperband, min_iter: 3 }'),
    )
    const { params } = await planned(cwd)
    expect(new Set(params.map(({ strategy }) => strategy)).size).toBe(1)
    expect(params).toHaveLength(4)
  })

  it('uses the program if it exists', async () => {
    const cwd = folder(sweep('  strategy: { values: [raw, hybrid] }'), { 'code/scripts/run_sweep.py': '' })
    const ended = await assay(['plan', 'sweep.yaml'], { cwd })
    expect(ended.stdout, ended.stderr).toMatch(
      /python3? code\/scripts\/run_sweep\.py --model=deepseek-chat --strategy=raw/,
    )
  })

  it('says where to put missing instances', async () => {
    const said = await refused(sweep('  strategy: { value: raw }\n  instances-subset: { value: lite }'))
    expect(said).toContain('the instances of "lite" are not on this machine, and nothing is downloaded')
    expect(said).toContain('instances/lite.jsonl')
    expect(said).toContain('--instances')
  })

  it.each([
    [
      '  strategy: { value: llm_summary }\n  hp-sum-n: { value: 10 }\n  hp-sum-keep-m: { value: 15 }',
      'hp-sum-keep-m (15) must be less than hp-sum-n (10)',
    ],
    ['  strategy: { value: hybrid }\n  hp-sum-n: { value: 10 }', 'hp-sum-keep-m (10) must be less than hp-sum-n (10)'],
    ['  strategy: { value: rwa }', 'there is no strategy "rwa"'],
    ['  strategy: { value: raw }\n  hp-obs-m: { value: 3 }', 'has no option --hp-obs-m'],
    ['  strategy: { value: raw }\n  instances-slice: { values: [":1", ":2"] }', 'must have one value'],
    ['  strategy: { value: raw }\n  instances-slice: { value: "1-3" }', 'expected a Python slice'],
  ])('refuses %j', async (parameters, reason) => {
    expect(await refused(sweep(parameters))).toContain(reason)
  })

  it('leaves out combinations that keep as many turns as a summary covers', async () => {
    const cwd = folder(
      sweep(
        '  strategy: { value: llm_summary }\n  instances-slice: { value: ":1" }\n  hp-sum-n: { values: [8, 15] }\n  hp-sum-keep-m: { values: [7, 10] }',
      ),
    )
    const { params } = await planned(cwd)
    expect(params.map(({ hp_sum_n, hp_sum_keep_m }) => [hp_sum_n, hp_sum_keep_m])).toEqual(
      expect.arrayContaining([
        [8, 7],
        [15, 7],
        [15, 10],
      ]),
    )
    expect(params).toHaveLength(3)
  })
})

describe('one variant on the command line', () => {
  const line = ['--model', 'deepseek-chat', '--strategy', 'hybrid', '--models', 'models.yaml']

  it('is named like the program’s runs, and accepts all its options', async () => {
    const cwd = folder('')
    const given = [
      ...['--summarizer-model', 'glm-4.6', '--hp-obs-n', '10', '--hp-sum-n=21', '--hp_sum_keep_m', '10'],
      ...['--hp-sum-static-checkpoint', 'true', '--hp-sum-extract-actions', 'F', '--hp-sum-max-action-length', '-1'],
      ...[
        '--hp-sum-max-reasoning-length',
        '15',
        '--hp-sum-omit-turns',
        'no',
        '--call-limit',
        '9',
        '--cost-limit',
        '0.5',
      ],
      ...[
        '--instances-subset',
        'verified',
        '--instances-slice',
        ':2',
        '--instances-filter',
        'a',
        '--instances-shuffle',
        'y',
      ],
      ...[
        '--instances-shuffle-seed',
        '7',
        '--num-workers',
        '2',
        '--wandb',
        '--wandb-project',
        'p',
        '--wandb-entity',
        'e',
      ],
      ...[
        '--wandb-group',
        'g',
        '--wandb-tags',
        'one',
        'two',
        '--weave',
        '--no-weave',
        '--weave-project',
        'w',
        '--execution',
        'subprocess',
      ],
    ]
    const ended = await assay(['run', ...line, ...given, '--dry-run', '--json'], { cwd })
    expect(ended.status, ended.stderr).toBe(2)
    const plan = JSON.parse(ended.stdout)
    expect(plan.notes).toContainEqual(expect.stringContaining('`run` will stop: parameters.cost-limit: the price of'))
    expect(plan.name).toBe('deepseek-chat__hyb_glm-4.6_o=10_s=21_k=10__v2')
    expect(plan.runs).toHaveLength(2)
    expect(plan.runs[0].params).toEqual({
      model: 'deepseek-chat',
      strategy: 'hybrid',
      summarizer_model: 'glm-4.6',
      hp_obs_n: 10,
      hp_sum_n: 21,
      hp_sum_keep_m: 10,
      hp_sum_static_checkpoint: true,
      hp_sum_extract_actions: false,
      hp_sum_max_action_length: -1,
      hp_sum_max_reasoning_length: 15,
      hp_sum_omit_turns: false,
      call_limit: 9,
      cost_limit: 0.5,
    })
  })

  it.each([
    [['--model', 'deepseek-chat'], '--strategy is missing'],
    [['--strategy', 'raw'], '--model is missing'],
    [
      ['sweep.yaml', '--model', 'deepseek-chat', '--strategy', 'raw'],
      '--model is for calls without a configuration file',
    ],
    [
      ['--model', 'm', '--strategy', 'llm_summary', '--hp-sum-n', '5', '--hp-sum-keep-m', '5'],
      'must be less than hp-sum-n (5)',
    ],
    [['--model', 'm', '--strategy', 'raw', '--instances-subset', 'full'], 'expected verified, verified-mini or lite'],
  ])('refuses %j', async (words, reason) => {
    const ended = await assay(['run', ...words], { cwd: folder(sweep('  strategy: { value: raw }')) })
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain(reason)
  })
})

it('with the program, equivalent combinations are counted, with the when lines that separate them', () => {
  const values = (count: number) => JSON.stringify(Array.from({ length: count }, (_, index) => index + 1))
  const folder = folderWith({
    'scripts/run_sweep.py': '',
    'sweep.yaml': `program: scripts/run_sweep.py
method: bayes
metric: { name: submission_rate, goal: maximize }
parameters:
  model: { values: [a, b, c, d, e, f] }
  strategy: { values: [raw, observation_masking, llm_summary, hybrid] }
  summarizer-model: { values: [a, b, c, d, e, f] }
  hp-obs-n: { values: ${values(3)} }
  hp-sum-n: { values: ${values(3)} }
  hp-sum-keep-m: { values: ${values(3)} }
  hp-sum-static-checkpoint: { values: [true, false] }
  hp-sum-extract-actions: { values: ["true", "false"] }
  call-limit: { value: 250 }
`,
  })
  const { notes = [] } = loadExperiment('sweep.yaml', { targets, cwd: folder, isToRun: false })
  const note = notes.find(text => text.includes('combinations'))
  expect(note).toContain('15,552 combinations, of which 5,208 differ')
  expect(note).toContain(`  hp-obs-n: { values: [1,2,3], when: "strategy in ['observation_masking', 'hybrid']" }`)
  expect(note).toContain(`when: "strategy in ['llm_summary', 'hybrid']" }`)
})
