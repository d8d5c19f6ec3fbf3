import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { generatedConfig } from '../../../src/targets/sweagent/batch-config.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'

/** Stands in for SWE-agent: writes down how it is called, and leaves trajectories as the fork does. */
const standIn = `#!${process.execPath}
const { mkdirSync, writeFileSync } = require('node:fs')
const argv = process.argv.slice(2)
const at = option => argv[argv.indexOf(option) + 1]
const dir = at('--output_dir')
const stats = cost => ({ instance_cost: cost, api_calls: 2, tokens: { raw_input: 100, cached_input: 20, output: 10, internal_reasoning: 0 } })
const step = { action: 'ls', observation: 'x', response: 'r', thought: 't', execution_time: 0.5, state: {}, messages: [], extra_info: {},
  turn_statistics: { cost: 0.01, tokens: { raw_input: 50, cached_input: 10, output: 5, internal_reasoning: null }, internal_reasoning: null, inference_time: 30 } }
if (process.env.STAND_IN !== 'nothing')
  for (const [id, status] of [['a__a-1', 'submitted'], ['a__a-2', 'exit_cost'], ['b__b-1', 'submitted (exit_context)']]) {
    mkdirSync(dir + '/' + id, { recursive: true })
    const info = { submission: 'diff', exit_status: status, agent_model_stats: stats(0.2), summary_model_stats: stats(0.05), model_stats: stats(0.25) }
    const history = [{ role: 'system', content: 's', message_type: 'system_prompt', agent: 'main' }, { role: 'user', content: 'q', message_type: 'observation', agent: 'main' }]
    writeFileSync(dir + '/' + id + '/' + id + '.traj', JSON.stringify({ trajectory: [step, step], history, summaries: null, info, replay_config: '{}', environment: 'e' }))
  }
writeFileSync(process.cwd() + '/called-' + process.pid + '.json', JSON.stringify({ argv, key: process.env.DEEPSEEK_API_KEY }))
`

const masking: JsonObject = {
  agent: { history_processors: [{ type: 'last_n_observations', n: 10 }, { type: 'cache_control' }] },
}
const summary: JsonObject = {
  agent: {
    history_processors: [
      { type: 'summarize_every_n_turns', n: 21, keep_last_m: 10, static_checkpoint: true },
      { type: 'last_n_observations', n: 10 },
    ],
  },
}

const experiment = (more: string) => `name: batches
target: { kind: sweagent, program: bin/sweagent, checkout: swe-agent, subset: verified-mini, slice: ":3", num_workers: 2 }
${more}
limits: { jobs: 2 }
`

function folder(more: string) {
  const cwd = folderWith({
    'bin/sweagent': standIn,
    'swe-agent/config/default_no_demo_raw.yaml': 'agent: { tools: {} }\n',
    'swe-agent/config/default_no_demo_N=1_M=10.yaml': JSON.stringify(masking),
    'swe-agent/config/default_no_demo_checkpoint_same_model_openhands_N=21_M=10_masking_M=10.yaml':
      JSON.stringify(summary),
    'experiment.yaml': experiment(more),
  })
  chmodSync(join(cwd, 'bin/sweagent'), 0o755)
  const calls = (): { argv: string[]; key?: string }[] =>
    readdirSync(join(cwd, 'swe-agent'))
      .filter(name => name.startsWith('called-'))
      .map(name => JSON.parse(readFileSync(join(cwd, 'swe-agent', name), 'utf8')))
  return { cwd, calls, dir: join(cwd, 'results/batches') }
}

const env = { USER: 'me', DEEPSEEK_API_KEY: 'sk-very-secret' }

describe('the target sweagent', () => {
  it('calls SWE-agent like the paper’s sweeps, and names keys without revealing them', async () => {
    const { cwd, calls, dir } = folder('params: { model: deepseek-chat, strategy: raw }')
    const ended = await assay(['run', '--json'], { cwd, env })
    expect(summaryOf(ended), ended.stdout).toMatchObject({ completed: 1 })
    const [call] = calls()
    const out = call?.argv.at(-1) ?? ''
    expect(call?.argv).toEqual([
      ...['run-batch', '--config', 'config/default_no_demo_raw.yaml', '--agent.model.name', 'deepseek/deepseek-chat'],
      ...['--agent.model.per_instance_call_limit', '250', '--agent.model.per_instance_cost_limit', '0.0'],
      ...[
        '--agent.model.total_cost_limit',
        '0',
        '--instances.type',
        'swe_bench',
        '--instances.subset',
        'verified-mini',
      ],
      ...['--instances.split', 'test', '--instances.slice', ':3', '--instances.shuffle', 'False'],
      ...['--instances.shuffle_seed', '42', '--num_workers', '2'],
      ...['--agent.model.api_base', 'https://api.deepseek.com/v1', '--agent.model.api_key', '$DEEPSEEK_API_KEY'],
      ...['--agent.model.max_input_tokens', '128000', '--agent.model.max_output_tokens', '8192', '--output_dir', out],
    ])
    expect(out.startsWith(dir)).toBe(true)
    expect(call?.key).toBe('sk-very-secret')
    expect(readFileSync(join(dir, 'journal.db')).includes('sk-very-secret')).toBe(false)
  })

  it('keeps its metrics, instance by instance', async () => {
    const { cwd, dir } = folder('params: { model: deepseek-chat, strategy: raw }')
    await assay(['run'], { cwd, env })
    const metrics = Object.fromEntries(
      journalRows<{ name: string; value: number }>(dir, 'SELECT name, value FROM metrics').map(({ name, value }) => [
        name,
        value,
      ]),
    )
    expect(metrics).toMatchObject({ n_instances: 3, n_submitted: 2, total_turns: 6, avg_turns: 2, total_api_calls: 6 })
    expect(metrics.submission_rate).toBeCloseTo(2 / 3, 12)
    expect(metrics.total_cost).toBeCloseTo(0.75, 12)
    expect(metrics.cost_usd).toBeCloseTo(0.75, 12)
    const [series] = journalRows<{ points: string }>(dir, "SELECT points FROM series WHERE name = 'submission_rate'")
    expect(JSON.parse(series?.points ?? '')).toEqual([1, 0.5, 2 / 3])
  })

  it('generates a configuration for each variant, with collision-free names', async () => {
    const { cwd, calls } = folder(`params: { model: deepseek-chat, strategy: hybrid, summarizer_model: glm-4.6 }
factors: { hp_sum_n: [15, 28], hp_obs_n: [5, 15] }`)
    const ended = await assay(['run', '--json'], { cwd, env })
    expect(summaryOf(ended), ended.stderr).toMatchObject({ completed: 4 })
    const configs = calls().map(({ argv }) => argv[2] ?? '')
    expect(new Set(configs).size).toBe(4)
    for (const config of configs)
      expect(config).toMatch(/^config\/\.generated\/me\/config_[0-9a-f]{12}_deepseek-chat_hybrid\.yaml$/)
    const read = configs.map(
      config => parse(readFileSync(join(cwd, 'swe-agent', config), 'utf8')).agent.history_processors,
    )
    expect(read.map(([one, two]) => [one.n, one.keep_last_m, one.static_checkpoint, two.n]).sort()).toEqual([
      [15, 10, true, 15],
      [15, 10, true, 5],
      [28, 10, true, 15],
      [28, 10, true, 5],
    ])
    const words = calls()[0]?.argv ?? []
    expect(words.slice(words.indexOf('--agent.summary_model.name'), -2)).toEqual([
      ...['--agent.summary_model.name', 'anthropic/glm-4.6', '--agent.summary_model.per_instance_cost_limit', '0.0'],
      ...[
        '--agent.summary_model.total_cost_limit',
        '0',
        '--agent.summary_model.api_base',
        'https://api.z.ai/api/anthropic',
      ],
      ...['--agent.summary_model.api_key', '$ZHIPUAI_API_KEY', '--agent.summary_model.max_input_tokens', '200000'],
      ...['--agent.summary_model.max_output_tokens', '131072'],
    ])
  })

  it('plans without writing anything', async () => {
    const { cwd } = folder('params: { model: deepseek-chat, strategy: observation_masking, hp_obs_n: 5 }')
    const ended = await assay(['plan'], { cwd, env })
    expect(ended.stdout, ended.stderr).toContain('run-batch --config config/.generated/me/config_')
    expect(existsSync(join(cwd, 'swe-agent/config/.generated'))).toBe(false)
  })

  it('fails with a reason if SWE-agent leaves no files', async () => {
    const { cwd } = folder('params: { model: deepseek-chat, strategy: raw }')
    const ended = await assay(['run', '--json'], { cwd, env: { ...env, STAND_IN: 'nothing' } })
    expect(ended.status).toBe(1)
    expect(ended.stdout).toContain('SWE-agent left no trajectories')
  })

  it.each([
    ['params: { strategy: raw }', 'which model?'],
    ['params: { model: no-such-model-9, strategy: raw }', 'no name of LiteLLM is known for'],
  ])('refuses %j', async (more, reason) => {
    const { cwd } = folder(more)
    const ended = await assay(['plan'], { cwd, env })
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain(reason)
  })

  it('uses the base unchanged if no setting affects its processors', () => {
    expect(generatedConfig(masking, { hp_sum_n: 15 }, {})).toBeNull()
    expect(generatedConfig({ agent: {} }, { hp_obs_n: 5 }, {})).toBeNull()
    expect(generatedConfig(masking, { hp_obs_n: 5 }, {})).toEqual({
      agent: { history_processors: [{ type: 'last_n_observations', n: 5 }, { type: 'cache_control' }] },
    })
  })

  it('refuses a setting for which the base configuration has no key, until the key is named', async () => {
    const given = `params: { model: deepseek-chat, strategy: hybrid, hp_sum_n: 9, hp_sum_keep_m: 4, hp_sum_omit_turns: true }\n`
    const { cwd } = folder(given)
    const refused = await assay(['plan'], { cwd, env })
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain('hp_sum_omit_turns has no known name in config/default_no_demo_checkpoint')
    expect(refused.stderr).toContain('target.keys: { hp_sum_omit_turns: its key }')
    expect(refused.stderr).not.toContain('hp_sum_keep_m is called')
    const named = await assay(['plan', '--set', 'target.keys.hp_sum_omit_turns=skip'], { cwd, env })
    expect(named.status).toBe(0)
    const config = generatedConfig(
      summary,
      { hp_sum_n: 9, hp_sum_keep_m: 4, hp_sum_omit_turns: true },
      { hp_sum_omit_turns: 'skip' },
    )
    expect(config).toMatchObject({ agent: { history_processors: [{ n: 9, keep_last_m: 4, skip: true }, { n: 10 }] } })
  })
})
