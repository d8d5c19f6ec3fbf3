import { globSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { nativeForm } from '../../../src/define/dialects/native-form.ts'
import type { Experiment } from '../../../src/define/experiment.ts'
import { experimentFrom, loadExperiment } from '../../../src/define/load-experiment.ts'
import { targets } from '../../../src/targets/registry.ts'
import type { Json } from '../../../src/util/json.ts'
import { folderWith } from '../example.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(root, 'examples/function')

/** Without what varies: a form is of one variant. */
const fixed = (experiment: Experiment): Experiment => ({
  ...experiment,
  factors: [],
  zip: [],
  include: [],
  exclude: [],
  constraints: [],
  search: undefined,
})
const from = (raw: Json, where = folder) => experimentFrom(raw, { targets, cwd: where, folder: where })
/** Its JSON form: keys without a value make no difference. */
const plain = (experiment: Experiment): Json => JSON.parse(JSON.stringify({ ...experiment, file: null }))

describe('the native form of an experiment', () => {
  const examples = globSync('examples/*/experiment.{yaml,toml}', { cwd: root })
  it.each(examples)('of %s reads back unchanged', file => {
    const path = join(root, file)
    const loaded = loadExperiment(path, { targets, cwd: dirname(path) })
    const params = Object.fromEntries(
      [...loaded.factors, ...loaded.zip.flat()].map(({ name, levels }) => [name, levels[0] ?? 1]),
    )
    const experiment = {
      ...fixed(loaded),
      params: { ...loaded.params, ...params },
      naming: { kind: 'slug' } as const,
      analysis: { baseline: null },
    }
    expect(plain(from(nativeForm(experiment), dirname(path)))).toEqual(plain(experiment))
  })

  it('keeps every non-default limit, metric, block, file and hook', () => {
    const written = {
      name: 'all',
      description: 'everything',
      target: { kind: 'command', command: ['true', '{x}', '{task}'], env: { A: '1' } },
      params: { x: null, nested: { a: [1, null] } },
      ablations: [{ name: 'off', flags: ['--off'], set: { x: 2 } }],
      blocks: { task: ['a', 'b'], seed: '4..9' },
      replicates: 2,
      seed: 9,
      order: 'listed',
      limits: {
        jobs: 3,
        timeout: '1h30m',
        grace: '7s',
        budget_usd: 4,
        run_budget_usd: 0.5,
        retries: { failed: 2, backoff: '3s' },
        quarantine_after: 9,
        halt: '12.5%',
        initial_failures: 0,
      },
      models: {
        own: { provider: 'openai', timeout: '30s', price: { input: 1, output: 2 }, options: { wait_ms: 5 } },
        sim: {
          like: 'sim',
          latency: { base: '1.5ms', per_token: '0.25ms' },
          failures: { rate_limited: 0.1, retry_after: '2s' },
        },
      },
      metrics: {
        a: { goal: 'minimize', csv: 'out/a.csv', column: 'b' },
        b: { json: 'out/b.json', path: 'x.y', primary: true },
        c: { jsonl: 'metrics.jsonl', field: 'c', step: 'n', optional: true },
        d: { regex: 'd=(\\d+)', file: 'out/log.txt' },
        e: {},
        f: { reward: true },
        '*': { csv: 'out/all.csv', row_name: '{p}' },
      },
      inputs: ['train.ts'],
      outputs: ['out/a.csv', { path: 'out/b.json', required: false }],
      hooks: { setup: ['touch', 'a'], cleanup: 'rm a' },
      needs: { cpu: 0.5, memory: '1.5GB', gpu: 2, labels: ['docker'] },
      record_env: ['HOME'],
      out_root: '../elsewhere',
    }
    const experiment = from(written)
    expect(plain(from(nativeForm(experiment)))).toEqual(plain(experiment))
    expect(nativeForm(experiment).blocks).toEqual({ task: ['a', 'b'], seed: '4..9' })
  })

  it('omits defaults', () => {
    const experiment = from({ name: 'least', target: { kind: 'command', command: ['true'] } })
    expect(nativeForm(experiment)).toEqual({ name: 'least', target: { kind: 'command', command: ['true'] } })
    expect(resolve(folder, 'results')).toBe(experiment.out_root)
  })
})

it('names the experiment’s own modules and their settings', () => {
  const where = folderWith({
    'target.mjs': "export default { kind: 'mine', execute() {} }",
    'source.mjs': "export default { kind: 'words', read() {} }",
  })
  const written = {
    name: 'own',
    targets: ['./target.mjs'],
    metric_sources: ['./source.mjs'],
    target: { kind: 'mine', level: 3 },
    metrics: { count: { source: 'words', settings: { file: 'a.txt' }, goal: 'minimize' } },
  }
  const form = nativeForm(from(written, where))
  expect(form).toEqual(written)
  expect(plain(from(form, where))).toEqual(plain(from(written, where)))
})
