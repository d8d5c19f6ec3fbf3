import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { summarizeCommand } from '../../../src/cli/commands/agents/summarize.ts'
import { folderWith } from '../../support/assay.ts'
import { runRollouts, scoring } from '../../support/rollouts.ts'
import { fakeIo } from '../fake-io.ts'

const toml = (name: string) => `name = "${name}"
[[tasks]]
prepared_dir = "data/tasks/prepared/sort"
rollouts = 2
[[tasks]]
prepared_dir = "data/tasks/prepared/docs"
[[tasks]]
prepared_dir = "data/tasks/prepared/search"
[assay.limits]
retries = 0
`

/** The second rollout of sort fails, search can't be run; the other model breaks docs and solves sort. */
const first = scoring(({ block, replicate }) => {
  const task = String(block.task)
  return task.endsWith('search') ? null : task.endsWith('sort') ? 2 - replicate : 1
})
const second = scoring(({ block }) => (String(block.task).endsWith('docs') ? 0.25 : 1))

async function twice() {
  const cwd = folderWith({ 'configs/v1.toml': toml('model_v1'), 'configs/v2.toml': toml('model_v2') })
  await runRollouts({ cwd, file: 'configs/v1.toml', script: first })
  await runRollouts({ cwd, file: 'configs/v2.toml', script: second, at: '2025-08-25T01:02:03Z' })
  return cwd
}

async function summarize(cwd: string, args: readonly string[], options = {}) {
  const io = fakeIo('summarize', { cwd })
  const status = await summarizeCommand(args, options, io)
  return { status, text: io.stdout.text(), json: () => JSON.parse(io.stdout.text()) }
}

describe('assay summarize', () => {
  test('shows runs, aggregates and tasks, with the denominators beside every mean', async () => {
    const cwd = await twice()
    const { status, text } = await summarize(cwd, ['model_v1'], { latest: true })
    expect(status).toBe(0)
    expect(text).toMatchInlineSnapshot(`
      "[rollouts] Summary for data/rollouts/model_v1/20250824__12-34-56
      | task | run | unit | lm | tokens | tools |
      |---|---|---:|---:|---:|---:|
      | sort | 20250824__12-34-56-0 | 100% | 50% | 1000 | 7 |
      | sort | 20250824__12-34-56-1 | 0% | 0% | 1000 | 7 |
      | docs | 20250824__12-34-56-2 | 100% | 50% | 1000 | 7 |
      | search | 20250824__12-34-56-3 | N/A | N/A | 0 | 0 |

      [rollouts] Aggregates:
      - Unit tests average: 67% (n=4, scored=3, unscored=0, errored=1; 95% CI 21% to 94% over 2 tasks)
      - LM rubric average: 33% (n=4, judged=3)
      - With errors counted as 0: 50% (of 4)
      - Resolved: 2 of 3 scored; failed: 1
      - pass@1: 75%, pass^1: 75% (tasks=2)
      - pass@2: 100%, pass^2: 0% (tasks=1)

      [rollouts] Per-task aggregates (mean/max across rollouts):
      | task | rollouts | unit_mean | unit_max | lm_mean | lm_max | scored | unscored | errored | resolved |
      |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
      | docs | 1 | 100% | 100% | 50% | 50% | 1 | 0 | 0 | 1 |
      | search | 1 | N/A | N/A | N/A | N/A | 0 | 0 | 1 | 0 |
      | sort | 2 | 50% | 100% | 25% | 50% | 2 | 0 | 0 | 1 |

      [rollouts] Flaky tasks (some rollouts passed, some failed):
      - sort: 1 of 2 passed

      [rollouts] Not scored:
      - 20250824__12-34-56-3 (search, errored): the sandbox did not start

      [rollouts] summary.md written: data/rollouts/model_v1/20250824__12-34-56/summary.md
      "
    `)
  })

  test('writes summary.md with the same content', async () => {
    const cwd = await twice()
    const { text } = await summarize(cwd, ['model_v1'])
    const { read } = await runRollouts({ cwd, file: 'configs/v1.toml', mode: 'score', script: first })
    const file = read('data/rollouts/model_v1/20250824__12-34-56/summary.md')
    expect(file).toMatch(/^# Rollout Summary: 20250824__12-34-56\n\n\| task \| run \|/)
    expect(file).toContain('## Per-task aggregates (mean/max across rollouts)')
    const tables = (one: string) => one.split('\n').filter(line => /^[|-]/.test(line))
    expect(tables(file)).toEqual(tables(text))
  })

  test.each([
    ['a stamp', ['model_v2'], { rollout: '20250825__01-02-03' }],
    ['the beginning of one', ['model_v2'], { rollout: '20250825' }],
    ['its directory', ['data/rollouts/model_v2/20250825__01-02-03'], {}],
    ['the beginning of its directory', ['data/rollouts/model_v2/20250825'], {}],
    ['the folder of its series', ['data/rollouts/model_v2'], {}],
    ['another root', ['model_v2'], { outRoot: 'data/rollouts' }],
  ])('finds a series by %s', async (_, args, options) => {
    const cwd = await twice()
    const { dir } = (await summarize(cwd, args, { ...options, json: true })).json()
    expect(dir).toBe(join(cwd, 'data/rollouts/model_v2/20250825__01-02-03'))
  })

  test.each([
    [['model_v3'], {}, 'No rollouts found for model_v3'],
    [['model_v1'], { rollout: '2024' }, 'model_v1 has no rollout 2024'],
    [['model_v1'], { rollout: '2024', latest: true }, '--latest and --rollout name two series'],
    [[], {}, 'no benchmark was named'],
  ])('refuses %j %j', async (args, options, message) => {
    const cwd = await twice()
    await expect(summarize(cwd, args, options)).rejects.toThrow(message)
  })

  test('ranks several benchmarks, and lists the tasks that flipped first', async () => {
    const { text } = await summarize(await twice(), ['model_v1', 'model_v2'])
    expect(text).toMatchInlineSnapshot(`
      "[rollouts] Leaderboard:
      | place | benchmark | variant | tasks | n | scored | unscored | errored | mean | 95% CI | strict | pass@1 | pass@k | pass^k | cost | shared |
      |---|---|---|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|
      | 1 (1–2) | model_v1 | – | 3 | 4 | 3 | 0 | 1 | 67% | 21% to 94% | 50% | 75% | – | – | – | 75% |
      | 2 (1–2) | model_v2 | – | 3 | 4 | 4 | 0 | 0 | 81% | 0% to 100% | 81% | 67% | – | – | – | 63% |
      "shared" is the mean over the 2 of 3 tasks scored in every row, each task counted once. In parentheses after a place: those it may have, with 95% for all rows together.
      Ranked by "shared"; four rows or more are ranked by values that allow for how much each row rests on.

      [rollouts] Tasks (1 broken and 1 solved against the first benchmark):
      | task | flip | model_v1 | model_v2 |
      |---|---|---:|---:|
      | docs | broken | 100% (1/1) | 25% (0/1) |
      | sort | solved | 50% (1/2) | 100% (2/2) |
      | search |  | N/A | 100% (1/1) |
      "
    `)
  })

  test('distinguishes two series of one benchmark', async () => {
    const cwd = await twice()
    await runRollouts({ cwd, file: 'configs/v2.toml', script: first, at: '2025-08-26T00:00:00Z' })
    const stamps = ['20250825__01-02-03', '20250826__00-00-00']
    const { json } = await summarize(
      cwd,
      stamps.map(stamp => `data/rollouts/model_v2/${stamp}`),
      { json: true },
    )
    expect(json().tasks.columns).toEqual(stamps.map(stamp => `model_v2/${stamp}`))
  })
})

describe('a series that OneShot made', () => {
  const evaluation = { task_id: 'sort', evaluation: { total_score: 0.75 }, lm_evaluation: { weighted_score: 0.5 } }

  function original() {
    const cwd = folderWith({})
    const results = [0, 1, 2].map(index => ({
      task_dir: 'data/tasks/prepared/sort',
      run_id: `20250824__12-34-56-${index}`,
      run_dir: join(cwd, `data/runs/20250824__12-34-56-${index}`),
      launch_rc: index === 2 ? 1 : 0,
      status: index === 2 ? 'launch_failed' : 'launched',
    }))
    mkdirSync(join(cwd, 'data/rollouts/old/20250824__12-34-56'), { recursive: true })
    const series = join(cwd, 'data/rollouts/old/20250824__12-34-56')
    writeFileSync(join(series, 'manifest.json'), JSON.stringify({ name: 'old', results }))
    writeFileSync(join(series, 'runs.txt'), results.map(({ run_dir }) => `${run_dir}\n`).join(''))
    for (const { run_dir } of results) mkdirSync(run_dir, { recursive: true })
    writeFileSync(join(results[0]?.run_dir ?? '', 'evaluation_results.json'), JSON.stringify(evaluation))
    writeFileSync(join(results[1]?.run_dir ?? '', 'evaluation_results.json'), '{ broken')
    return { cwd, series }
  }

  test('is read from its files; a run without a result counts for its task', async () => {
    const { cwd } = original()
    const { json } = await summarize(cwd, ['old'], { json: true })
    expect(json()).toMatchObject({
      scores: [{ n: 3, scored: 1, unscored: 1, errored: 1, mean: 0.75, strict_mean: 0.375 }],
      tasks: [{ task: 'data/tasks/prepared/sort', n: 3 }],
    })
  })

  test('is read from runs.txt alone', async () => {
    const { cwd, series } = original()
    rmSync(join(series, 'manifest.json'))
    const { json } = await summarize(cwd, ['old'], { json: true })
    expect(json().scores).toMatchObject([{ n: 3, scored: 1, mean: 0.75 }])
  })
})
