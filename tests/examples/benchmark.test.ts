import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSource } from '../../src/define/read-files.ts'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { needsBubblewrap } from '../targets/task/support.ts'

const example = fileURLToPath(new URL('../../examples/benchmark/', import.meta.url))

/** Records its command lines, creates the files of `run`, and exits as configured: `EXIT_run=1`. */
const program = `#!/bin/sh
echo "$*" >> "$LOG"
if [ "$1" = run ]; then mkdir -p "data/rollouts/daily_benchmark/$STAMP" && : > "data/rollouts/daily_benchmark/$STAMP/journal.db"; fi
eval "exit \\\${EXIT_$1:-0}"
`

function start() {
  const cwd = folderWith()
  cpSync(example, cwd, { recursive: true })
  const assay = join(cwd, 'assay')
  writeFileSync(assay, program)
  chmodSync(assay, 0o755)
  return (script: string, env: Readonly<Record<string, string>>) => {
    const log = join(cwd, 'log')
    writeFileSync(log, '')
    const { status, stdout, stderr } = spawnSync('bash', [join(cwd, script)], {
      env: { PATH: process.env.PATH ?? '', ASSAY: assay, LOG: log, STAMP: '20250824__02-00-00', ...env },
      encoding: 'utf8',
    })
    return { status, stdout, stderr, lines: readFileSync(log, 'utf8').trim().split('\n') }
  }
}

const [first, second] = ['20250824__02-00-00', '20250825__02-00-00'].map(
  stamp => `data/rollouts/daily_benchmark/${stamp}`,
)
const nightly = 'scripts/run_nightly_benchmark.sh'

describe('daily_benchmark.sh', () => {
  test('runs the benchmark and shows its scores', () => {
    const { status, stdout, lines } = start()('daily_benchmark.sh', {})
    expect(status).toBe(0)
    expect(lines).toEqual(['run configs/daily_benchmark.toml', 'summarize daily_benchmark --latest'])
    expect(stdout).toMatch(
      /^Starting daily benchmark: \d{8}\nBenchmark complete, results in data\/rollouts\/daily_benchmark\/\d{8}\n$/,
    )
  })

  test.each([
    [1, 2],
    [2, 1],
    [130, 1],
  ])('exits with %i like the run, after %i calls', (exit, calls) => {
    const { status, lines } = start()('daily_benchmark.sh', { EXIT_run: String(exit) })
    expect([status, lines.length]).toEqual([exit, calls])
  })
})

describe('run_nightly_benchmark.sh', () => {
  test('has nothing to compare on the first night', () => {
    const { status, lines, stdout } = start()(nightly, {})
    expect(status).toBe(0)
    expect(lines).toEqual([
      'run configs/daily_benchmark.toml',
      `summarize ${first}`,
      `report ${first} --format junit --output ${first}/junit.xml`,
      `report ${first} --format comment --output ${first}/comment.md`,
    ])
    expect(stdout).toContain('no earlier series')
  })

  test('compares with the night before, and fails if it is worse', () => {
    const run = start()
    run(nightly, {})
    const next = run(nightly, { STAMP: '20250825__02-00-00' })
    expect(next.status).toBe(0)
    expect(next.lines.slice(-2)).toEqual([
      `summarize ${first} ${second}`,
      `compare ${first} ${second} --metric score --margin 5pts --require not-worse`,
    ])
    expect(run(nightly, { STAMP: '20250825__02-00-00', EXIT_compare: '1' }).status).toBe(1)
    expect(run(nightly, { STAMP: '20250825__02-00-00', EXIT_run: '3' })).toMatchObject({
      status: 3,
      lines: { length: 1 },
    })
  })
})

test('the workflow is valid YAML with existing parts', () => {
  const workflow = parse(readFileSync(join(example, '.github/workflows/benchmark.yml'), 'utf8'))
  expect(Object.keys(workflow.on)).toEqual(['schedule', 'workflow_dispatch', 'pull_request'])
  const steps: readonly { readonly run?: string }[] = workflow.jobs.benchmark.steps
  const scripts = steps.flatMap(({ run = '' }) => run.match(/scripts\/\w+\.sh/g) ?? [])
  expect(scripts).toEqual(['scripts/run_nightly_benchmark.sh'])
})

test('the agent in the guide is that of the example', () => {
  const guide = readFileSync(join(example, '../../docs/benchmarks.md'), 'utf8')
  expect(guide).toContain(`\`\`\`python\n${readFileSync(join(example, 'agents/mini.py'), 'utf8')}\`\`\``)
})

test('an agent of forty lines solves tasks with simulated models, in boxes', async () => {
  await needsBubblewrap()
  const cwd = folderWith()
  for (const name of ['benchmark', 'tasks']) cpSync(join(example, '..', name), join(cwd, name), { recursive: true })
  const env = { SANDBOX_BACKEND: 'bubblewrap' }
  const fewer = ['--set', 'replicates=1', '--filter', 'task=../tasks/lru-cache']
  const ended = await assay(['run', 'benchmark/experiment.yaml', '--json', ...fewer], { cwd, env })
  expect(summaryOf(ended), ended.stderr).toMatchObject({ planned: 4, completed: 4, pass: { judged: 4 } })
  expect(summaryOf(ended).cost_usd).toBeGreaterThan(0)
  const table = await assay(['summarize', 'benchmark/results/benchmark'], { cwd })
  expect(table.stdout).toContain('| sim/steady, agent=mini | 1 | 1 | 1 | 0 | 0 | 1 | 0 | 100% |')
  expect(table.stdout).toContain('| sim/steady, agent=one-answer | 1 | 1 | 1 | 0 | 0 | 0 | 1 | 0% |')
})

test('every configuration is valid TOML of the guide', () => {
  const configs = globSync('configs/*.toml', { cwd: example })
  expect(configs.length).toBeGreaterThan(3)
  for (const config of configs) expect(readSource(config, example).value).toHaveProperty('tasks')
})
