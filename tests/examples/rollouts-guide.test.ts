import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { assay, folderWith } from '../support/assay.ts'
import { needsBubblewrap } from '../targets/task/support.ts'

const tasks = fileURLToPath(new URL('../../examples/tasks/', import.meta.url))

const config = `name = "your_benchmark"
parallel = 2

[[tasks]]
prepared_dir = "data/tasks/prepared/task_1"
model = "gpt-4"
rollouts = 2

[[tasks]]
prepared_dir = "data/tasks/prepared/task_2"
model = "claude-3-sonnet"
apply_overrides = false

[assay]
agent = "oracle"
`

/** A project as the guide describes it: two prepared tasks and a configuration. */
function project() {
  const cwd = folderWith({ 'configs/your_benchmark.toml': config })
  for (const [index, name] of ['lru-cache', 'interval-set'].entries())
    cpSync(join(tasks, name), join(cwd, `data/tasks/prepared/task_${index + 1}`), { recursive: true })
  return cwd
}

/** Whatever else is installed here: images can't be had without a network. */
const env = { SANDBOX_BACKEND: 'bubblewrap' }

const seriesIn = (cwd: string) => readdirSync(join(cwd, 'data/rollouts/your_benchmark')).toSorted()

/** The guide's own snippet, unchanged but for the stamp. */
const snippet = (stamp: string) => `
import json
from pathlib import Path
rollout_dir = Path("data/rollouts/your_benchmark/${stamp}")
manifest = json.loads((rollout_dir / "manifest.json").read_text())
for result in manifest["results"]:
    run_dir = Path(result["run_dir"])
    if (run_dir / "evaluation_results.json").exists():
        eval_data = json.loads((run_dir / "evaluation_results.json").read_text())
        print(f"Task: {result['task_dir']}")
        print(f"Score: {eval_data.get('total_score', 'N/A')}")
        print("---")
`

describe('the guide to benchmarks', () => {
  test('run, summarize, eval, and the files they leave', async () => {
    await needsBubblewrap()
    const cwd = project()
    const ran = await assay(['run', 'configs/your_benchmark.toml'], { cwd, env })
    expect(ran.status, ran.stderr).toBe(0)
    const [stamp = ''] = seriesIn(cwd)
    expect(ran.stdout).toContain('[rollouts] config=configs/your_benchmark.toml name=your_benchmark tasks=2 parallel=2')
    expect(ran.stdout).toContain(`[rollouts] output=data/rollouts/your_benchmark/${stamp}`)
    expect(ran.stdout).toContain('✓ All 3 tasks completed!')
    for (const path of ['manifest.json', 'runs.txt', 'task_results'])
      expect(existsSync(join(cwd, 'data/rollouts/your_benchmark', stamp, path)), path).toBe(true)
    expect(existsSync(join(cwd, `data/rollouts/temp/rollout_your_benchmark__${stamp}.json`))).toBe(true)
    for (const path of [
      'artifacts/diff.patch',
      'artifacts/notes.md',
      'artifacts/repo_info.json',
      'evaluation_results.json',
      'scoring_results.md',
      'logs/eval.log',
    ])
      expect(existsSync(join(cwd, `data/runs/${stamp}-0`, path)), path).toBe(true)

    for (const which of [['--latest'], ['--rollout', stamp]]) {
      const { status, stdout } = await assay(['summarize', 'your_benchmark', ...which], { cwd, env })
      expect(status).toBe(0)
      expect(stdout).toContain('- Unit tests average: 100% (n=3, scored=3, unscored=0, errored=0')
    }
    const evaluated = await assay(['eval', 'your_benchmark', '--latest'], { cwd, env })
    expect(evaluated.status, evaluated.stderr).toBe(0)
    expect(evaluated.stdout.match(/-> ok/g)).toHaveLength(3)
    // Scored, not run again: the artifacts of the agent are still those of the first attempt.
    expect(existsSync(join(cwd, `data/runs/${stamp}-0/artifacts/diff.patch`))).toBe(true)

    const python = spawnSync('python3', ['-c', snippet(stamp)], { cwd, encoding: 'utf8' })
    if (python.error === undefined) expect(python.stdout.match(/^Score: 1/gm)).toHaveLength(3)
  })

  test('a second run is a second series', async () => {
    await needsBubblewrap()
    const cwd = project()
    await assay(['run', 'configs/your_benchmark.toml', '-v'], { cwd, env })
    const { stdout } = await assay(['run', 'configs/your_benchmark.toml', '-vv'], { cwd, env })
    expect(seriesIn(cwd)).toHaveLength(2)
    expect(stdout).toMatch(/-0 \| /)
    const manifest = readFileSync(
      join(cwd, 'data/rollouts/your_benchmark', seriesIn(cwd).at(-1) ?? '', 'manifest.json'),
      'utf8',
    )
    expect(JSON.parse(manifest).results).toHaveLength(3)
  })

  test('every configuration of examples/benchmark is accepted', async () => {
    const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
    for (const name of readdirSync(join(examples, 'benchmark/configs'))) {
      const { status, stderr } = await assay(['plan', `benchmark/configs/${name}`], { cwd: examples })
      expect(status, stderr).toBe(0)
    }
  })
})
