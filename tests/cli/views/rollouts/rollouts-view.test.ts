import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rolloutsView } from '../../../../src/cli/views/rollouts/rollouts-view.ts'
import { loadExperiment } from '../../../../src/define/load-experiment.ts'
import type { EngineEvent } from '../../../../src/engine/call.ts'
import { folderWith } from '../../../support/assay.ts'
import { runRollouts, type Script, task } from '../../../support/rollouts.ts'
import { fakeIo } from '../../fake-io.ts'

const toml = `name = "your_benchmark"
parallel = 1
[[tasks]]
prepared_dir = "data/tasks/prepared/task_1"
[[tasks]]
prepared_dir = "data/tasks/prepared/task_2"
overrides = "short.json"
[[tasks]]
prepared_dir = "data/tasks/prepared/task_3"
[assay.limits]
retries = 0
`

/** The third task can't be started. */
const script: Script = async ({ block }, { makeDirectory, report }) => {
  report({ metric: 'score', value: 1, step: null })
  const { run_dir } = makeDirectory()
  mkdirSync(join(run_dir, 'logs'))
  writeFileSync(join(run_dir, 'logs/agent.log'), `thinking about ${block.task}\n\u001b[31mred\u001b[0m\u0007 words\n`)
  writeFileSync(join(run_dir, 'logs/eval.log'), '1 passed')
  return String(block.task).endsWith('3')
    ? { kind: 'failed', exit_code: 7, message: 'the image could not be built' }
    : { kind: 'completed' }
}

async function shown(verbosity: 0 | 1 | 2 | 3, { isTTY = false } = {}) {
  const cwd = folderWith({ 'configs/your_benchmark.toml': toml, 'short.json': '{}' })
  const io = fakeIo('run', { cwd, isTTY })
  const file = 'configs/your_benchmark.toml'
  const view = rolloutsView(loadExperiment(file, { targets: [task(script)], cwd }), verbosity, io)
  await runRollouts({
    cwd,
    file,
    script,
    // How often the engine looks is a matter of time, and these lines are not.
    listener: () => event => event.kind !== 'progress' && view.listener(event),
  })
  view.end()
  return { stdout: io.stdout.text(), stderr: io.stderr.text() }
}

describe('assay run on a benchmark', () => {
  test('shows marks and a status line', async () => {
    const { stdout, stderr } = await shown(1)
    expect(stdout).toMatchInlineSnapshot(`
      "[rollouts] config=configs/your_benchmark.toml name=your_benchmark tasks=3 parallel=1
      [rollouts] output=data/rollouts/your_benchmark/20250824__12-34-56
      [rollouts] Running in quiet mode - use -vv for full output
      [rollouts] Starting 3 tasks with parallel=1
      ⠋ Running tasks... 0/3 completed
      ✓ Task 20250824__12-34-56-0 completed (launched)
      ✓ Task 20250824__12-34-56-1 completed (launched)
      ✗ Task 20250824__12-34-56-2 completed (launch_failed)
      ✓ All 3 tasks completed!
      [rollouts] temp index: data/rollouts/temp/rollout_your_benchmark__20250824__12-34-56.json

      [rollouts] Summary:
      | task | run_id | status |
      |---|---|---|
      | task_1 | 20250824__12-34-56-0 | launched |
      | task_2 | 20250824__12-34-56-1 | launched |
      | task_3 | 20250824__12-34-56-2 | launch_failed |
      "
    `)
    expect(stderr).toBe('[error] the image could not be built\n')
  })

  test('with -v shows plain progress', async () => {
    const { stdout } = await shown(2)
    expect(stdout).toMatchInlineSnapshot(`
      "[rollouts] config=configs/your_benchmark.toml name=your_benchmark tasks=3 parallel=1
      [rollouts] output=data/rollouts/your_benchmark/20250824__12-34-56
      [rollouts] Starting 3 tasks with parallel=1
      [run_codex_box] Task path: data/tasks/prepared/task_1
      [rollouts] finished: run_id=20250824__12-34-56-0 status=launched
      [run_codex_box] Task path: data/tasks/prepared/task_2
      [overrides] Using overrides file: short.json
      [rollouts] finished: run_id=20250824__12-34-56-1 status=launched
      [run_codex_box] Task path: data/tasks/prepared/task_3
      [rollouts] finished: run_id=20250824__12-34-56-2 status=launch_failed
      [rollouts] all 3 tasks completed
      [rollouts] temp index: data/rollouts/temp/rollout_your_benchmark__20250824__12-34-56.json

      [rollouts] Summary:
      | task | run_id | status |
      |---|---|---|
      | task_1 | 20250824__12-34-56-0 | launched |
      | task_2 | 20250824__12-34-56-1 | launched |
      | task_3 | 20250824__12-34-56-2 | launch_failed |
      "
    `)
  })

  test('with -vv also shows output of builds, agents and tests', async () => {
    const { stdout } = await shown(3)
    expect(stdout).toMatchInlineSnapshot(`
      "[rollouts] config=configs/your_benchmark.toml name=your_benchmark tasks=3 parallel=1
      [rollouts] output=data/rollouts/your_benchmark/20250824__12-34-56
      [rollouts] Starting 3 tasks with parallel=1
      [run_codex_box] Task path: data/tasks/prepared/task_1
      20250824__12-34-56-0 | thinking about data/tasks/prepared/task_1
      20250824__12-34-56-0 | red words
      20250824__12-34-56-0 | 1 passed
      [rollouts] finished: run_id=20250824__12-34-56-0 status=launched
      [run_codex_box] Task path: data/tasks/prepared/task_2
      [overrides] Using overrides file: short.json
      20250824__12-34-56-1 | thinking about data/tasks/prepared/task_2
      20250824__12-34-56-1 | red words
      20250824__12-34-56-1 | 1 passed
      [rollouts] finished: run_id=20250824__12-34-56-1 status=launched
      [run_codex_box] Task path: data/tasks/prepared/task_3
      20250824__12-34-56-2 | thinking about data/tasks/prepared/task_3
      20250824__12-34-56-2 | red words
      20250824__12-34-56-2 | 1 passed
      [rollouts] finished: run_id=20250824__12-34-56-2 status=launch_failed
      [rollouts] all 3 tasks completed
      [rollouts] temp index: data/rollouts/temp/rollout_your_benchmark__20250824__12-34-56.json

      [rollouts] Summary:
      | task | run_id | status |
      |---|---|---|
      | task_1 | 20250824__12-34-56-0 | launched |
      | task_2 | 20250824__12-34-56-1 | launched |
      | task_3 | 20250824__12-34-56-2 | launch_failed |
      "
    `)
  })

  test('with -q prints only failures', async () => {
    expect(await shown(0)).toEqual({
      stdout: '',
      stderr: '✗ Task 20250824__12-34-56-2 completed (launch_failed)\n[error] the image could not be built\n',
    })
  })

  test('draws its status line in place on a terminal, and restores the cursor', async () => {
    const { stdout } = await shown(1, { isTTY: true })
    expect(stdout).toContain('Running tasks... 0/3 completed')
    expect(stdout).toContain('✓ Task 20250824__12-34-56-0 completed (launched)')
    expect(stdout.split('\u001b[?25l')).toHaveLength(2)
    expect(stdout.split('\u001b[?25h')).toHaveLength(2)
    expect(stdout.endsWith('| task_3 | 20250824__12-34-56-2 | launch_failed |\n')).toBe(true)
  })

  test('counts runs of other processes, one line per update', () => {
    const io = fakeIo('run', { cwd: '/' })
    const cwd = folderWith({ 'b.toml': toml, 'short.json': '{}' })
    const view = rolloutsView(loadExperiment('b.toml', { targets: [task(script)], cwd }), 1, io)
    const looks = [0, 0, 2, 2, 3].map(ended => ({ planned: 3, pending: 3 - ended, running: 0 }))
    view.listener({ kind: 'started', name: 'b', dir: '/d', planned: 3, reused: 0, to_run: 3, jobs: 2 })
    for (const summary of looks) view.listener({ kind: 'progress', summary } as unknown as EngineEvent)
    view.end()
    expect(
      io.stdout
        .text()
        .split('\n')
        .filter(line => line.includes('Running')),
    ).toEqual([
      '[rollouts] Running in quiet mode - use -vv for full output',
      '⠋ Running tasks... 0/3 completed',
      '⠙ Running tasks... 2/3 completed',
    ])
  })
})
