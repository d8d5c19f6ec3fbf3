import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EngineEvent } from '../../../src/engine/call.ts'
import { folderWith } from '../../support/assay.ts'
import { runRollouts, scoring } from '../../support/rollouts.ts'

const toml = `name = "bench"
parallel = 2
[[tasks]]
prepared_dir = "data/tasks/prepared/task_1"
model = "gpt-4"
rollouts = 2
[[tasks]]
prepared_dir = "data/tasks/prepared/task_2"
model = "claude-3-sonnet"
environment_variables = { TIMEOUT_SEC = "1800" }
[assay.limits]
retries = 0
`
const stamp = '20250824__12-34-56'
const series = `data/rollouts/bench/${stamp}`

const start = () => folderWith({ 'configs/bench.toml': toml })
const solved = scoring(({ block, replicate }) => (String(block.task).endsWith('1') ? replicate - 1 : null))

describe('the files of a benchmark', () => {
  test('are those of the guide, with additions', async () => {
    const cwd = start()
    const { json, read } = await runRollouts({ cwd, script: solved })
    const manifest = json(`${series}/manifest.json`)
    expect(manifest).toMatchObject({ config: 'configs/bench.toml', name: 'bench', created_at: stamp })
    expect(manifest.results).toMatchObject([
      {
        task_dir: 'data/tasks/prepared/task_1',
        run_id: `${stamp}-0`,
        run_dir: join(cwd, `data/runs/${stamp}-0`),
        status: 'launched',
        launch_rc: 0,
        model: 'gpt-4',
        rollout: 1,
        outcome: 'completed',
        total_score: 0,
        passed: false,
      },
      { run_id: `${stamp}-1`, rollout: 2, total_score: 1, passed: true },
      {
        task_dir: 'data/tasks/prepared/task_2',
        run_id: `${stamp}-2`,
        status: 'launch_failed',
        launch_rc: 1,
        model: 'claude-3-sonnet',
        environment_variables: { TIMEOUT_SEC: '1800' },
        outcome: 'infra_error',
        reason: 'the sandbox did not start',
        total_score: null,
      },
    ])
    const runs = [0, 1, 2].map(index => join(cwd, `data/runs/${stamp}-${index}`))
    expect(read(`${series}/runs.txt`)).toBe(runs.map(run => `${run}\n`).join(''))
    expect(json(`data/rollouts/temp/rollout_bench__${stamp}.json`)).toEqual({
      created_at: stamp,
      rollout_dir: join(cwd, series),
      runs,
      tasks: ['data/tasks/prepared/task_1', 'data/tasks/prepared/task_2'],
    })
    expect(readdirSync(join(cwd, series, 'task_results'))).toEqual(['task_1.json', 'task_2.json'])
    expect(json(`${series}/task_results/task_1.json`)).toMatchObject({
      task_dir: 'data/tasks/prepared/task_1',
      scores: [{ n: 2, scored: 2, errored: 0, mean: 0.5, max: 1, is_flaky: true }],
      results: [{ run_id: `${stamp}-0` }, { run_id: `${stamp}-1` }],
    })
  })

  test('link each run under data/runs, relatively', async () => {
    const cwd = start()
    const { read } = await runRollouts({ cwd })
    expect(read(`data/runs/${stamp}-0/logs/eval.log`)).toBe('scored 1\n')
    expect(readlinkSync(join(cwd, `data/runs/${stamp}-0`))).toBe(`../rollouts/bench/${stamp}/runs/${stamp}-0`)
  })

  test('show pending and running runs', async () => {
    const cwd = start()
    const shown = new Set<string>()
    await runRollouts({
      cwd,
      // The first look at the journal comes before any run has ended.
      listener: dir => event => {
        if (event.kind !== 'progress') return
        const { results } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'))
        for (const { status } of results) shown.add(status)
      },
      script: async (_, { makeDirectory }) => {
        makeDirectory()
        return { kind: 'completed' }
      },
    })
    expect(['pending', 'running', 'launched']).toEqual(expect.arrayContaining([...shown]))
  })

  test('have the new scores and a mark after eval', async () => {
    const cwd = start()
    await runRollouts({ cwd, script: solved })
    const { json } = await runRollouts({ cwd, script: solved, mode: 'score' })
    const { evaluated_at, results } = json(`${series}/eval_manifest.json`)
    expect(evaluated_at).toMatch(/^\d{8}__\d{2}-\d{2}-\d{2}$/)
    expect(results).toEqual(
      [0, 1].map(index => ({
        run_dir: join(cwd, `data/runs/${stamp}-${index}`),
        task_dir: 'data/tasks/prepared/task_1',
        eval_rc: 0,
        status: 'ok',
      })),
    )
    const scores = json(`${series}/manifest.json`).results.map(
      ({ total_score }: { total_score: number }) => total_score,
    )
    expect(scores).toEqual([0.1, 1.1, null])
  })
})

describe('a series', () => {
  test('is new each time, but continues while it is unfinished', async () => {
    const cwd = start()
    const first = await runRollouts({ cwd, first: 1, at: '2025-08-24T12:34:56Z' })
    const second = await runRollouts({ cwd, at: '2025-08-25T00:00:00Z' })
    const third = await runRollouts({ cwd, at: '2025-08-25T00:00:01Z' })
    const fourth = await runRollouts({ cwd, at: '2025-08-25T00:00:01Z' })
    expect(second.dir).toBe(first.dir)
    expect([third.dir, fourth.dir]).toEqual([
      join(cwd, 'data/rollouts/bench/20250825__00-00-01'),
      join(cwd, 'data/rollouts/bench/20250825__00-00-02'),
    ])
    expect(readdirSync(join(fourth.dir, 'runs')).toSorted()).toEqual(
      [0, 1, 2].map(index => `20250825__00-00-02-${index}`),
    )
  })

  test('of another program is not continued', async () => {
    const cwd = folderWith({ 'configs/bench.toml': toml, 'data/rollouts/bench/20300101__00-00-00/manifest.json': '{}' })
    const { dir } = await runRollouts({ cwd })
    expect(dir).toBe(join(cwd, series))
  })

  test('keeps the numbers of its runs when rollouts are added before it is finished', async () => {
    const cwd = start()
    await runRollouts({ cwd, first: 2 })
    const more = toml.replace('rollouts = 2', 'rollouts = 3')
    writeFileSync(join(cwd, 'configs/bench.toml'), more)
    const { dir, json } = await runRollouts({ cwd })
    const numbered = json(`${series}/manifest.json`).results.map(
      (one: { run_id: string; rollout: number; model: string }) => [
        one.run_id.slice(stamp.length + 1),
        one.model,
        one.rollout,
      ],
    )
    expect(numbered.toSorted()).toEqual(
      [
        ['0', 'gpt-4', 1],
        ['2', 'claude-3-sonnet', 1],
        ['1', 'gpt-4', 2],
        ['3', 'gpt-4', 3],
      ].toSorted(),
    )
    expect(readdirSync(join(dir, 'runs'))).toHaveLength(4)
  })
})

describe('files outside the directory', () => {
  test('are written only below their roots, despite links', async () => {
    const cwd = start()
    const elsewhere = folderWith()
    mkdirSync(join(cwd, 'data/rollouts'), { recursive: true })
    symlinkSync(elsewhere, join(cwd, 'data/runs'))
    await runRollouts({ cwd })
    // The user's own link for the root itself is followed: it is where they want it.
    expect(readdirSync(elsewhere)).toHaveLength(3)
  })

  test('are not written over other files, and the run continues', async () => {
    const cwd = start()
    mkdirSync(join(cwd, `data/runs/${stamp}-0`), { recursive: true })
    const events: EngineEvent[] = []
    const { end } = await runRollouts({ cwd, listener: () => event => void events.push(event) })
    expect(end.summary.completed).toBe(3)
    expect(lstatSync(join(cwd, `data/runs/${stamp}-0`)).isSymbolicLink()).toBe(false)
    expect(events.filter(({ kind }) => kind === 'notice')).toMatchObject([
      { message: expect.stringContaining('is not a link of assay, and was left as it is') },
    ])
  })

  test('are not written from a copy of the directory', async () => {
    const cwd = start()
    const { dir } = await runRollouts({ cwd })
    const copy = folderWith()
    cpSync(dir, join(copy, stamp), { recursive: true })
    rmSync(join(copy, stamp, 'manifest.json'))
    const { writing } = await import('../../../src/report/layouts/layouts.ts')
    const { rolloutsLayout } = await import('../../../src/report/layouts/rollouts-toml.ts')
    const summary = { kind: 'summary' } as unknown as EngineEvent
    writing(rolloutsLayout, join(copy, stamp))(summary)
    expect(readdirSync(copy)).toEqual([stamp])
    expect(existsSync(join(copy, stamp, 'manifest.json'))).toBe(true)
  })
})
