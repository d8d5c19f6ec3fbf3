import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { needsBubblewrap } from '../targets/task/support.ts'

const sweeps = fileURLToPath(new URL('../../examples/context-strategies/sweeps/', import.meta.url))

const ids = ['a__a-1', 'a__a-2', 'b__b-1', 'b__b-2']
const instances = Object.fromEntries(
  ['verified', 'verified-mini'].flatMap(subset =>
    ids.flatMap(id => [
      [`instances/${subset}/${id}/task.toml`, 'version = "1.0"\n'],
      [`instances/${subset}/${id}/instruction.md`, 'Look at all files.\n'],
      [`instances/${subset}/${id}/environment/Dockerfile`, 'FROM scratch\nWORKDIR /app\n'],
      [
        `instances/${subset}/${id}/tests/test.sh`,
        '#!/bin/sh\nmkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt\n',
      ],
    ]),
  ),
)

/** A project as the guide has it, with instances on this machine and simulated models. */
function project(): string {
  const cwd = folderWith({ ...instances, 'sweeps/here': '' })
  for (const name of [
    'quick_test',
    'hparams_obs_masking',
    'hparams_llm_summary',
    'hparams_hybrid',
    'bedrock_repro',
    'models_mini',
    'models_verified_20',
    'bedrock_hparams',
    'simulated',
  ])
    copyFileSync(join(sweeps, `${name}.yaml`), join(cwd, 'sweeps', `${name}.yaml`))
  return cwd
}

const models = ['--models', 'sweeps/simulated.yaml']

/** The lines of the guide, with the program's name replaced, and models that need no network. */
const say = (cwd: string, line: string) => assay([...line.split(' '), ...models], { cwd })

describe('the guide to sweeps over context strategies', () => {
  it('quick start: a sweep, one trial, five more', async () => {
    await needsBubblewrap()
    const cwd = project()
    // Two models are enough to see it work.
    const file = join(cwd, 'sweeps/quick_test.yaml')
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replaceAll(/values: \[deepseek-chat,.*\]/g, 'values: [deepseek-chat, glm-4.6]')
        .replace(':3', ':1'),
    )
    const made = await say(cwd, 'sweep sweeps/quick_test.yaml --project complexity-trap-test')
    const [, id = ''] = /^ {2}assay worker ([0-9a-f]{8})$/m.exec(made.stdout) ?? []
    const one = await assay(['agent', `me/complexity-trap-test/${id}`, '--count', '1', '--json'], { cwd })
    expect(summaryOf(one), one.stderr).toMatchObject({ planned: 12, completed: 1 })
    const five = await assay(['agent', `me/complexity-trap-test/${id}`, '--count', '5', '--json'], { cwd })
    expect(summaryOf(five), five.stderr).toMatchObject({ completed: 6, attempts: 6 })
  })

  it('direct usage: a dry run, a run, and its files', async () => {
    await needsBubblewrap()
    const cwd = project()
    const dry = await say(cwd, 'run --model deepseek-chat --strategy observation_masking --dry-run')
    expect(dry.stdout, dry.stderr).toContain('planned_runs=4 to_run=4')
    expect(existsSync(join(cwd, 'results'))).toBe(false)
    const line =
      'run --model deepseek-chat --strategy observation_masking --instances-slice :3 --wandb --wandb-project complexity-trap-test --json'
    const ran = await say(cwd, line)
    expect(summaryOf(ran), ran.stderr).toMatchObject({ completed: 3 })
    const dir = join(cwd, 'results/deepseek-chat__obs__v3')
    const read = (name: string) => readFileSync(join(dir, name), 'utf8')
    expect(Object.keys(JSON.parse(read('preds.json')))).toEqual(ids.slice(0, 3))
    expect(JSON.parse(read('preds.json'))['a__a-1']).toEqual({
      model_name_or_path: 'deepseek-chat__obs__v3',
      instance_id: 'a__a-1',
      model_patch: expect.stringContaining('+looked at'),
    })
    expect(read('run_batch_exit_statuses.yaml')).toMatch(
      /^instances_by_exit_status:\n {2}submitted:\n {4}- a__a-1\n {4}- a__a-2\n {4}- b__b-1\ntotal_cost: 0\.\d+\n$/,
    )
    const [head = '', first = '', ...others] = read('instances.csv').trim().split('\n')
    expect(head).toBe(
      'instance_id,repo,exit_status,exit_category,submitted,n_turns,total_cost,agent_cost,summary_cost,rloop_cost,agent_api_calls,summary_api_calls,rloop_api_calls,raw_input_tokens,cached_input_tokens,output_tokens,internal_reasoning_tokens,cache_hit_rate,summary_raw_input_tokens,summary_cached_input_tokens,summary_output_tokens,patch_lines,instance_duration_ms,tokens_per_turn,review_score',
    )
    expect(first).toMatch(/^a__a-1,a,submitted,submitted,True,6,0\.\d+,/)
    expect(others).toHaveLength(2)
    const again = await say(cwd, line)
    expect(summaryOf(again)).toMatchObject({ completed: 3, reused: 3, attempts: 3 })
    const parsed = await assay(['parse', dir, '--json'], { cwd })
    expect(JSON.parse(parsed.stdout), parsed.stderr).toMatchObject({
      n_instances: 3,
      n_submitted: 3,
      submission_rate: 1,
    })
  })

  it.each([
    'run --model deepseek-chat --strategy raw --no-weave --wandb --dry-run',
    'run --model deepseek-chat --strategy raw --wandb --execution subprocess --dry-run',
    'run --model deepseek-chat --strategy llm_summary --hp-sum-n 15 --hp-sum-keep-m 5 --instances-slice :10 --wandb --dry-run',
    'sweep sweeps/hparams_obs_masking.yaml',
    'sweep sweeps/hparams_llm_summary.yaml',
    'sweep sweeps/hparams_hybrid.yaml',
    'sweep sweeps/bedrock_repro.yaml',
    'sweep sweeps/bedrock_hparams.yaml',
    'sweep sweeps/models_mini.yaml',
    'sweep sweeps/models_verified_20.yaml',
  ])('takes %s', async line => {
    const ended = await say(project(), line)
    expect(ended.status, ended.stderr).toBe(0)
  })

  it('refuses what the guide calls nonsense, with a reason', async () => {
    const ended = await say(
      project(),
      'run --model deepseek-chat --strategy llm_summary --hp-sum-n 10 --hp-sum-keep-m 15',
    )
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain('hp-sum-keep-m (15) must be less than hp-sum-n (10)')
  })
})

const published = fileURLToPath(
  new URL('../../../shared/data/complexity-trap/experiment_instance_costs_sweagent.csv', import.meta.url),
)

it.skipIf(!existsSync(published))(
  'compare reproduces the published baselines (skipped if the data is missing)',
  async () => {
    const [head = '', ...rows] = readFileSync(published, 'utf8').trim().split('\n')
    const total = (row: string) =>
      row
        .split(',')
        .slice(3, 5)
        .reduce((sum, cell) => sum + Number(cell), 0)
    const cwd = folderWith({ 'totals.csv': [`${head},total`, ...rows.map(row => `${row},${total(row)}`)].join('\n') })
    const coder = 'local-Qwen3-Coder_480B_A35B_Instruct_FP8'
    const changeOf = async (candidate: string) => {
      const ended = await assay(
        [
          'compare',
          'totals.csv',
          '--group',
          'experiment',
          '--pair-by',
          'instance_id',
          '--metric',
          'total',
          '--goal',
          'minimize',
          '--unpaired',
          '--resamples',
          '100',
          '--json',
          '--control',
          `experiment=${coder}-baseline_raw.0-verified-500`,
          '--candidate',
          `experiment=${coder}-${candidate}`,
        ],
        { cwd },
      )
      const { estimate } = JSON.parse(ended.stdout)
      const raw = 1.285889
      // To cents, as the paper rounds before it divides.
      return { exact: estimate / raw, rounded: Math.round((raw + estimate) * 100) / Math.round(raw * 100) - 1 }
    }
    const masking = await changeOf('baseline_N_1_M_10.0-verified-500')
    const summary = await changeOf('t_0.8-turn-summaries-t_0-N_21_M_10_openhands.0-verified-500')
    expect(masking.exact).toBeCloseTo(-0.526, 3)
    expect(summary.exact).toBeCloseTo(-0.505, 3)
    expect(masking.rounded).toBeCloseTo(-0.527, 3)
    expect(summary.rounded).toBeCloseTo(-0.504, 3)
  },
)
