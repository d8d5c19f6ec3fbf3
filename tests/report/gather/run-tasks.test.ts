import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Observation } from '../../../src/define/observation.ts'
import { filesOf } from '../../../src/report/gather/run-files.ts'
import { unmetTests, wholeWorkIn, workOf } from '../../../src/report/gather/run-tasks.ts'
import { aRun } from '../../analyze/evidence.ts'
import { folderWith } from '../../support/assay.ts'
import { patch, workFiles } from '../../support/task-work.ts'

describe('the work of an agent', () => {
  it('has score, agent, tests, rubrics, sandbox, changes and logs', () => {
    const folder = folderWith(workFiles(0.5))
    expect(wholeWorkIn(folder)).toEqual({
      score: 0.5,
      passed: false,
      problem: null,
      agent: {
        ...{ name: 'codex', model: 'gpt-4', ended: 'timed_out', exit_code: null, wall_s: 12.5 },
        ...{ calls: 7, tokens: 1200, tool_calls: 5, cost_usd: 0.25 },
      },
      numbers: { reward: 0.5, speed: 2.5 },
      tests: {
        total: 2,
        passed: 1,
        kept: [
          { name: 'test_<b>works</b>', passed: false, output: 'first\n<img src=x onerror=alert(1)> no hello' },
          { name: 'test_there', passed: true, output: '' },
        ],
      },
      rubrics: {
        total: 2,
        kept: [
          {
            ...{ id: 'works', criterion: 'it <b>works</b>', weight: 0.7, score: 0.5, tests: 2, tests_passed: 1 },
            ...{ judged: null, spread: 0, judgements: [] },
          },
          {
            ...{ id: 'style', criterion: 'it is short', weight: 0.3, score: null, tests: 0, tests_passed: 0 },
            ...{ judged: 0.5, spread: 0.8 },
            judgements: [
              { judge: 'kind', score: 0.9, reason: 'short and clear' },
              { judge: 'strict', score: 0.1, reason: '<i>no comments</i>' },
            ],
          },
        ],
        weighted_score: 0.5,
        agreement: 0,
      },
      sandbox: {
        ...{ backend: 'bubblewrap', version: '0.8.0', isolation: 'namespaces', network: 'none' },
        ...{ unenforced: ['storage'], provided: ['RUN pip install pytest'], notes: ['programs of the host'] },
      },
      diff: { path: 'artifacts/diff.patch', text: patch, bytes: patch.length, left_bytes: 0 },
      logs: [
        expect.objectContaining({ path: 'logs/agent.log', text: 'thinking …\nred <script>alert(2)</script>\n' }),
        expect.objectContaining({ path: 'test_output.txt' }),
        expect.objectContaining({ path: 'logs/eval.log' }),
      ],
    })
  })

  it('is missing without its files, and keeps readable files beside broken ones', () => {
    expect(wholeWorkIn(folderWith())).toBeNull()
    for (const text of ['{"total_sc', '[]', 'null', '7', '']) {
      const folder = folderWith({ 'evaluation_results.json': text, 'logs/agent.log': 'hi\n' })
      expect(wholeWorkIn(folder)).toMatchObject({ score: null, agent: null, logs: [{ text: 'hi\n' }] })
    }
    const odd = {
      ...{ total_score: 'much', passed: 1, rewards: [1], test_results: { a: null, b: { success: 'yes' } } },
      ...{ evaluation: { rubrics: { r: 5 } }, lm_evaluation: { rubric_scores: [3] }, agent_metrics: 'x', sandbox: [] },
    }
    expect(wholeWorkIn(folderWith({ 'evaluation_results.json': JSON.stringify(odd) }))).toMatchObject({
      ...{ score: null, passed: null, agent: null, sandbox: null, numbers: {} },
      tests: { total: 2, passed: 0 },
      rubrics: { total: 2 },
    })
  })

  it('comes only from regular files of limited size inside the folder', () => {
    const secret = folderWith({ 'diff.patch': 'secret', 'agent.log': 'secret', 'r.json': '{"problem":"secret"}' })
    const folder = folderWith({ 'test_output.txt': 'fine\n' })
    symlinkSync(secret, join(folder, 'artifacts'))
    symlinkSync(secret, join(folder, 'logs'))
    symlinkSync(join(secret, 'r.json'), join(folder, 'evaluation_results.json'))
    expect(wholeWorkIn(folder)).toMatchObject({ problem: null, diff: null, logs: [{ text: 'fine\n' }] })
    rmSync(join(folder, 'logs'))
    rmSync(join(folder, 'artifacts'))
    rmSync(join(folder, 'evaluation_results.json'))
    mkdirSync(join(folder, 'logs'))
    mkdirSync(join(folder, 'artifacts'))
    execFileSync('mkfifo', [join(folder, 'logs/agent.log'), join(folder, 'artifacts/diff.patch')])
    // Holes take no room on disk, and would take all of it in memory.
    for (const name of ['evaluation_results.json', 'logs/eval.log']) {
      writeFileSync(join(folder, name), '')
      truncateSync(join(folder, name), 2 ** 40)
    }
    const work = wholeWorkIn(folder)
    expect(work).toMatchObject({ score: null, diff: null })
    expect(work?.logs.map(({ path, bytes, left_bytes }) => [path, bytes, bytes - left_bytes])).toEqual([
      ['test_output.txt', 5, 5],
      ['logs/eval.log', 2 ** 40, 32_000],
    ])
  })

  it('is cut at line ends, with the length of the cut', () => {
    const long = Array.from({ length: 50_000 }, (_, at) => `+line ${at}\n`).join('')
    const tests = Array.from(
      { length: 100 },
      (_, at) => [`t${at}`, { success: at % 2 === 0, output: `${'x'.repeat(50_000)}end` }] as const,
    )
    const folder = folderWith({
      'artifacts/diff.patch': long,
      'logs/agent.log': long,
      'evaluation_results.json': JSON.stringify({ total_score: 0, test_results: Object.fromEntries(tests) }),
    })
    const [work] = workOf([aRun({ block: { task: 't' } })], [folder]).works
    expect(work?.tests).toMatchObject({ total: 100, passed: 50 })
    expect(work?.tests.kept).toHaveLength(60)
    expect(work?.tests.kept[0]?.output).toMatch(/^x{400}\n… \(48803 characters left out\) …\nx{797}end$/)
    expect(work?.diff?.text).toMatch(/\+line \d+\n$/)
    expect(work?.diff?.left_bytes).toBe(long.length - (work?.diff?.text.length ?? 0))
    expect(work?.logs[0]?.text).toMatch(/^\+line \d+\n/)
    expect(JSON.stringify(work).length).toBeLessThan(120_000)
  })

  it('of thousands of runs is included for some of every task, failed ones first', () => {
    const folder = folderWith({ ...workFiles(0), 'artifacts/diff.patch': '+x\n'.repeat(6000) })
    const run = (task: string, passed: number): Observation => aRun({ block: { task }, metrics: { passed } })
    const runs = [
      ...Array.from({ length: 3000 }, () => run('a', 1)),
      ...Array.from({ length: 3000 }, () => run('b', 0)),
      run('c', 0),
    ]
    const { works, tasks } = workOf(
      runs,
      runs.map(() => folder),
    )
    expect(tasks).toBe(6001)
    expect(workOf(runs.slice(0, 2), [folder, folderWith()]).tasks).toBe(1)
    const kept = works.flatMap((work, at) => (work === null ? [] : [at]))
    expect(kept.length).toBeGreaterThan(50)
    expect(JSON.stringify(works).length).toBeLessThan(1_600_000)
    expect(kept).toEqual(expect.arrayContaining([0, 3000, 6000]))
  })

  it('gives failed tests as unmet expectations', () => {
    expect(unmetTests(wholeWorkIn(folderWith(workFiles(0.5))))).toEqual([
      { type: 'test_<b>works</b>', reason: '<img src=x onerror=alert(1)> no hello' },
    ])
    expect(unmetTests(wholeWorkIn(folderWith(workFiles(1))))).toEqual([])
  })
})

it('lists top-level files of a run before those of large folders', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`artifacts/${at}.txt`, '']))
  const [files] = filesOf([folderWith({ ...many, 'trace.jsonl': '', 'agent.json': '' })]).lists
  const paths = files?.map(({ path }) => path) ?? []
  expect(paths).toHaveLength(60)
  expect(paths).toEqual(paths.toSorted())
  expect(paths).toEqual(expect.arrayContaining(['agent.json', 'trace.jsonl']))
})
