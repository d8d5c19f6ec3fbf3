import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith, summaryOf } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'
import { simulator, smokeJson } from '../../support/matrix-json.ts'

const file = JSON.stringify({ ...JSON.parse(smokeJson), sim_binary: './build/agent_sched_sim' })

/** The eight runs of the smoke sweep under the ids that Cascade gives them. */
const ids = {
  'fifo_cheapest 1 baseline': 'c9768924ff6b',
  'fifo_cheapest 1 no_hedge': '34d4a264e819',
  'fifo_cheapest 2 baseline': '3282381ea875',
  'fifo_cheapest 2 no_hedge': 'd896f4988e7f',
  'full 1 baseline': 'fcdc4023c8cf',
  'full 1 no_hedge': 'd85f95cd9565',
  'full 2 baseline': '901b070138c8',
  'full 2 no_hedge': 'ff5d8334433a',
}

const common = {
  enable_model_routing: true,
  heavy_tail_mult: 50,
  heavy_tail_prob: 0.02,
  iters: 3,
  pdfs: 10,
  subqueries: 4,
  time_scale: 50,
  workflows: 5,
}

/** A directory of Cascade's sweep runner, made elsewhere; returns the folders of its runs by kind. */
function leftByCascade(dir: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ids).map(([what, hash], index) => {
      const [policy = '', seed, ablation = ''] = what.split(' ')
      const run_id = `${policy}__wf5__seed${seed}__${ablation}__${hash}`
      const runDir = join(dir, 'runs', run_id)
      const flags = ablation === 'no_hedge' ? ['--disable_hedging'] : []
      const cmd = ['./build/agent_sched_sim', '--workflows', '5', ...flags, '--out_dir', `/Users/x/${run_id}/out`]
      const meta = {
        ...{ ablation_flags: flags, ablation_name: ablation, cmd, cwd: '/Users/x' },
        ...{
          end_time_unix_s: 1772152805.69952,
          exit_code: 0,
          params: { ...common, policy, seed: Number(seed) },
          run_id,
        },
        ...{ start_time_unix_s: 1772152804.330642, wall_time_s: 1.368121 },
      }
      mkdirSync(join(runDir, 'out'), { recursive: true })
      writeFileSync(join(runDir, 'meta.json'), `${JSON.stringify(meta, null, 2)}\n`)
      const header = 'makespan_mean_ms,makespan_p50_ms,makespan_p95_ms,makespan_p99_ms,cost_mean,cost_p50'
      writeFileSync(join(runDir, 'out/summary.csv'), `${header}\n${index + 1}.5,2,1.45372e+06,4,1.6,1.7\n`)
      writeFileSync(
        join(runDir, 'out/tiers.csv'),
        'provider,tier_id,utilization,queue_wait_p95_ms,in_flight_avg\nllm_provider,1,0,50,0\n',
      )
      return [what, runDir]
    }),
  )
}

const changed = (runDir: string | undefined, change: (meta: Record<string, unknown>) => object) => {
  const meta = join(runDir ?? '', 'meta.json')
  writeFileSync(meta, JSON.stringify(change(JSON.parse(readFileSync(meta, 'utf8')))))
}

function place() {
  const cwd = folderWith({ 'smoke.json': file, 'build/agent_sched_sim': simulator })
  return { cwd, dir: join(cwd, 'bench_runs/smoke'), runs: leftByCascade(join(cwd, 'bench_runs/smoke')) }
}

describe('--resume', () => {
  it("takes in the results of Cascade's runner from a moved folder, and runs nothing", async () => {
    const { cwd, dir } = place()
    const planned = await assay(['--config', 'smoke.json', '--dry_run', '--resume'], { cwd })
    expect(planned.stdout).toContain('planned_runs=8 to_run=0 skipped=8')
    const ended = await assay(['--config', 'smoke.json', '--resume', '--json'], { cwd })
    expect(summaryOf(ended)).toMatchObject({ planned: 8, completed: 8, reused: 8, attempts: 8 })
    expect(ended.stdout).toContain('8 runs of another program were imported')
    const values = journalRows<{ value: number }>(dir, "SELECT value FROM metrics WHERE name = 'makespan_mean_ms'")
    expect(values.map(({ value }) => value).toSorted()).toEqual([1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5])
    expect(
      journalRows(
        dir,
        'SELECT DISTINCT a.started_at, a.wall_s, w.host FROM attempts a JOIN workers w ON w.id = a.worker_id',
      ),
    ).toEqual([{ started_at: 1772152804331, wall_s: 1.368121, host: 'another program' }])
    // Once in the journal they are runs like any others.
    const again = await assay(['--config', 'smoke.json', '--json'], { cwd })
    expect(summaryOf(again)).toMatchObject({ completed: 8, reused: 8, attempts: 8 })
  })

  it('runs what is missing, incomplete or of other settings, and keeps failures', async () => {
    const { cwd, runs } = place()
    changed(runs['full 1 baseline'], meta => ({ ...meta, exit_code: 7 }))
    changed(runs['full 1 no_hedge'], meta => ({ ...meta, params: { ...common, policy: 'full', seed: 1, pdfs: 11 } }))
    changed(runs['full 2 baseline'], meta => ({ ...meta, cmd: ['./build/another', '--workflows', '5'] }))
    changed(runs['full 2 no_hedge'], ({ exit_code: _, wall_time_s: __, end_time_unix_s: ___, ...meta }) => meta)
    rmSync(join(runs['fifo_cheapest 1 baseline'] ?? '', 'out/summary.csv'))
    writeFileSync(join(runs['fifo_cheapest 1 no_hedge'] ?? '', 'meta.json'), '{"run_id":')
    const ended = await assay(['run', 'smoke.json', '--resume', '--json'], { cwd })
    expect(summaryOf(ended)).toMatchObject({ planned: 8, completed: 7, failed: 1, reused: 2, attempts: 8 })
    expect(ended.status).toBe(1)
    const retried = await assay(['run', 'smoke.json', '--retry-failed', '--json'], { cwd })
    expect(summaryOf(retried)).toMatchObject({ completed: 8, failed: 0 })
    // Its files are kept with the first attempt.
    const kept = join(runs['full 1 baseline'] ?? '', 'attempts/1/meta.json')
    expect(JSON.parse(readFileSync(kept, 'utf8')).exit_code).toBe(7)
  })

  it('is suggested by a run without it', async () => {
    const { cwd } = place()
    const ended = await assay(['run', 'smoke.json', '--json'], { cwd })
    expect(summaryOf(ended)).toMatchObject({ completed: 8, reused: 0 })
    expect(ended.stdout).toContain('8 runs of this plan have a result of another program')
  })

  it('takes them in without the program, unless the built-in simulator would run the rest', async () => {
    const { cwd, dir, runs } = place()
    rmSync(join(cwd, 'build'), { recursive: true })
    const one = runs['full 2 no_hedge'] ?? ''
    renameSync(one, join(cwd, 'aside'))
    const refused = await assay(['run', 'smoke.json', '--resume'], { cwd })
    expect(refused.status).toBe(2)
    expect(complaint(refused, { cwd })).toContain(
      '7 runs were made by ./build/agent_sched_sim, which was not found; 1 more would be made by another program',
    )
    expect(existsSync(join(dir, 'journal.db'))).toBe(false)
    renameSync(join(cwd, 'aside'), one)
    const ended = await assay(['run', 'smoke.json', '--resume', '--json'], { cwd })
    expect(summaryOf(ended)).toMatchObject({ completed: 8, reused: 8 })
  })
})

describe("a directory of Cascade's runner without a journal", () => {
  it('is collected as its own collector does it, cell by cell', async () => {
    const { cwd, dir, runs } = place()
    changed(runs['full 1 baseline'], meta => meta)
    const ended = await assay(['collect', '--exp_dir', 'bench_runs/smoke'], { cwd })
    expect(ended.stdout).toBe(`wrote: ${dir}/aggregate/runs.csv rows=8\n`)
    const lines = readFileSync(join(dir, 'aggregate/runs.csv'), 'utf8').split('\n')
    expect(lines[0]).toBe(
      'run_id,policy,workflows,pdfs,iters,subqueries,seed,time_scale,enable_model_routing,heavy_tail_prob,heavy_tail_mult,ablation_name,ablation_flags,disable_hedging,disable_escalation,disable_dag_priority,exit_code,wall_time_s,makespan_mean_ms,makespan_p50_ms,makespan_p95_ms,makespan_p99_ms,cost_mean,cost_p50,run_dir,start_time_unix_s,end_time_unix_s,llm_provider_tier1_in_flight_avg,llm_provider_tier1_queue_wait_p95_ms,llm_provider_tier1_utilization',
    )
    const row = lines.find(line => line.startsWith('full__wf5__seed1__baseline'))
    expect(row).toBe(
      `full__wf5__seed1__baseline__fcdc4023c8cf,full,5,10,3,4,1,50,True,0.02,50,baseline,,False,False,False,0,1.368121,5.5,2,1.45372e+06,4,1.6,1.7,${runs['full 1 baseline']},1772152804.330642,1772152805.69952,0,50,0`,
    )
    expect(existsSync(join(dir, 'journal.db'))).toBe(false)
  })

  it('is reported and compared; failures do not count', async () => {
    const { cwd, dir, runs } = place()
    changed(runs['full 2 no_hedge'], meta => ({ ...meta, exit_code: 7 }))
    const report = JSON.parse((await assay(['report', '--exp_dir', 'bench_runs/smoke', '--json'], { cwd })).stdout)
    expect(report.files).toContain(join(dir, 'report/index.html'))
    expect(existsSync(join(dir, 'report/assets/cost_by_policy.svg'))).toBe(true)
    const args = ['compare', 'bench_runs/smoke', '--metric', 'makespan_mean_ms', '--group', 'policy', '--json']
    const compared = JSON.parse((await assay(args, { cwd })).stdout)
    // Values of runs 1 to 4, and of 5 to 7.
    expect(compared).toMatchObject({ control: 'fifo_cheapest', candidate: 'full', n: { pairs: 2 } })
    expect(compared.warnings.join(' ')).toContain('fail')
  })

  it('ignores a folder without a run or with a truncated document', async () => {
    const { cwd, dir, runs } = place()
    mkdirSync(join(dir, 'runs/empty'))
    writeFileSync(join(runs['full 2 no_hedge'] ?? '', 'meta.json'), '{')
    expect((await assay(['collect', 'bench_runs/smoke'], { cwd })).stdout).toContain('rows=7')
  })
})
