import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { jsonOf, linesOf } from '../../support/files.ts'
import { defaultJson, simulator, smokeJson } from '../../support/matrix-json.ts'

/** The original's own layout: its configuration and its simulator where it has them. */
const layout = () =>
  folderWith({
    'build/agent_sched_sim': simulator,
    'bench/experiments/default.json': defaultJson,
    'bench/experiments/smoke.json': smokeJson,
  })

/** Names that the original gives to the runs of smoke.json. */
const smokeNames = [
  'fifo_cheapest__wf5__seed1__baseline__c9768924ff6b',
  'fifo_cheapest__wf5__seed1__no_hedge__34d4a264e819',
  'fifo_cheapest__wf5__seed2__baseline__3282381ea875',
  'fifo_cheapest__wf5__seed2__no_hedge__d896f4988e7f',
  'full__wf5__seed1__baseline__fcdc4023c8cf',
  'full__wf5__seed1__no_hedge__d85f95cd9565',
  'full__wf5__seed2__baseline__901b070138c8',
  'full__wf5__seed2__no_hedge__ff5d8334433a',
]

const smoke = ['--config', 'bench/experiments/smoke.json']

describe('Cascade’s command lines work after replacing the program name', () => {
  it('--dry_run shows all 96 runs of the default experiment and runs nothing', async () => {
    const cwd = layout()
    const ended = await assay(['--dry_run'], { cwd })
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    const lines = ended.stdout.split('\n')
    expect(lines[0]).toBe(`experiment: ${join(cwd, 'bench_runs/default')}`)
    expect(lines[1]).toBe('planned_runs=96 to_run=96 skipped=0 jobs=2')
    expect(lines.filter(line => /^- \w+__wf(50|100)__seed[123]__\w+__[0-9a-f]{12}$/.test(line))).toHaveLength(96)
    const at = lines.findIndex(line => line.startsWith('- full__wf50__seed1__no_hedge__'))
    const run = lines[at]?.slice(2)
    expect(lines.slice(at + 1, at + 3)).toEqual([
      `  run_dir=${join(cwd, `bench_runs/default/runs/${run}`)}`,
      `  cmd=${join(cwd, 'build/agent_sched_sim')} --workflows 50 --pdfs 10 --iters 3 --subqueries 4 --policy full --seed 1 --time_scale 50 --heavy_tail_prob 0.02 --heavy_tail_mult 50 --enable_model_routing --disable_hedging --out_dir ${join(cwd, `bench_runs/default/runs/${run}/out`)}`,
    ])
    expect(existsSync(join(cwd, 'bench_runs'))).toBe(false)
  })

  it('--jobs 2, then --jobs 2 --resume: 96 runs, then none', async () => {
    const cwd = layout()
    const first = await assay(['--jobs', '2'], { cwd })
    expect(first.status).toBe(0)
    expect(first.stdout.match(/^\[OK\] {3}\S+ \(\d+\/96\)$/gm)).toHaveLength(96)
    const again = await assay(['--jobs', '2', '--resume'], { cwd })
    expect(again.status).toBe(0)
    expect(again.stdout).toContain('planned_runs=96 to_run=0 skipped=96 jobs=2')
  })

  it('--config, --exp_name, --out_root and --fail_fast, with Cascade’s names', async () => {
    const cwd = layout()
    const line = [...smoke, '--exp_name', 'my_exp', '--out_root', 'elsewhere', '--jobs', '2', '--fail_fast']
    expect((await assay(line, { cwd })).status).toBe(0)
    expect(readdirSync(join(cwd, 'elsewhere/my_exp/runs')).sort()).toEqual(smokeNames)
  })

  it('collect --exp_dir writes aggregate/runs.csv with Cascade’s columns', async () => {
    const cwd = layout()
    await assay([...smoke, '--jobs', '2'], { cwd })
    const file = join(cwd, 'bench_runs/smoke/aggregate/runs.csv')
    const ended = await assay(['collect', '--exp_dir', 'bench_runs/smoke'], { cwd })
    expect(ended).toMatchObject({ status: 0, stdout: `wrote: ${file} rows=8\n`, stderr: '' })
    const [header = '', ...rows] = linesOf(file).map(line => line.split(','))
    expect(header.slice(0, 27)).toEqual(
      'run_id,policy,workflows,pdfs,iters,subqueries,seed,time_scale,enable_model_routing,heavy_tail_prob,heavy_tail_mult,ablation_name,ablation_flags,disable_hedging,disable_escalation,disable_dag_priority,exit_code,wall_time_s,makespan_mean_ms,makespan_p50_ms,makespan_p95_ms,makespan_p99_ms,cost_mean,cost_p50,run_dir,start_time_unix_s,end_time_unix_s'.split(
        ',',
      ),
    )
    expect(header.slice(27)).toEqual([...header.slice(27)].sort())
    expect(header).toContain('openai_tier1_queue_wait_p95_ms')
    const row = rows.find(([name]) => name === 'full__wf5__seed1__baseline__fcdc4023c8cf') ?? []
    expect(row.slice(0, 17).join()).toBe(
      'full__wf5__seed1__baseline__fcdc4023c8cf,full,5,10,3,4,1,50,True,0.02,50,baseline,,False,False,False,0',
    )
    expect(row.slice(18, 24).join()).toBe('49809.8,49147.1,1,62344.4,1.68572,1.5922')
    expect(rows.map(([name]) => name)).toEqual(smokeNames)

    const out = await assay(['collect', '--exp_dir', 'bench_runs/smoke', '--out_csv', 'runs.csv'], { cwd })
    expect(out.stdout).toBe(`wrote: ${join(cwd, 'runs.csv')} rows=8\n`)
    expect(linesOf(join(cwd, 'runs.csv'))).toHaveLength(9)
  })
})

it('meta.json has Cascade’s keys first, then assay’s', async () => {
  const cwd = layout()
  await assay(['run', ...smoke, '--first', '1'], { cwd })
  const runs = join(cwd, 'bench_runs/smoke/runs')
  const [name = ''] = readdirSync(runs)
  const meta = jsonOf(join(runs, name, 'meta.json'))
  const original =
    'ablation_flags ablation_name cmd cwd end_time_unix_s exit_code params run_id start_time_unix_s wall_time_s'
  expect(Object.keys(meta).slice(0, 10)).toEqual(original.split(' '))
  expect(meta).toMatchObject({ run_id: name, exit_code: 0, cwd, outcome: { kind: 'completed' }, attempt: 1 })
  expect(meta.cmd).toEqual(expect.arrayContaining(['--out_dir', join(runs, name, 'out')]))
  expect(meta.params).toMatchObject({ workflows: 5, enable_model_routing: true, heavy_tail_prob: 0.02 })
})

it('the default experiment is interleaved by seed like any other', async () => {
  const cwd = layout()
  const plan = await assay(['plan', '--json'], { cwd })
  const seeds = (JSON.parse(plan.stdout).runs as { seed: number }[]).map(run => run.seed)
  expect(seeds).toEqual([1, 2, 3].flatMap(seed => Array(32).fill(seed)))
  expect(summaryOf(await assay(['run', '--json', '--first', '32'], { cwd }))).toMatchObject({ completed: 32 })
})
