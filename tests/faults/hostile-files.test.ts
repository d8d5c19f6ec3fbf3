import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readApart } from '../../src/perform/metric-reader.ts'
import { regexSource } from '../../src/perform/metric-sources/regex.ts'
import { assay, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { serveRoot } from '../support/dashboard.ts'
import { journalRows } from '../support/journal.ts'

/** Two runs: the first does `mischief` in its folder, the second writes its output correctly. */
const experiment = (metric: string, mischief: string) => ({
  'run.sh': `#!/bin/sh
cd "$ASSAY_RUN_DIR" && mkdir -p out
if [ "$1" = 1 ]; then ${mischief}; else printf 'v\\n7\\n' > out/v.csv; echo '{"v": 7}' > out/v.json; echo '{"v": 7}' > out/v.jsonl; echo 'v=7'; fi
`,
  'experiment.yaml': `
name: hostile
target: { kind: command, command: [./run.sh, '{x}'] }
factors: { x: [1, 2] }
order: listed
metrics: { v: ${metric} }
limits: { jobs: 1 }
`,
})

const readings = (cwd: string) =>
  journalRows<{ value: number | null; problem: string | null }>(
    join(cwd, 'results/hostile'),
    "SELECT value, problem FROM metrics WHERE name = 'v' ORDER BY attempt_id",
  )

describe('endless files of a run', () => {
  it.each([
    ['a pipe as CSV', '{ csv: out/v.csv }', 'mkfifo out/v.csv', 'out/v.csv is not a regular file and was not read'],
    ['a pipe as JSON', '{ json: out/v.json, path: v }', 'mkfifo out/v.json', 'out/v.json is not a regular file'],
    ['a pipe as JSONL', '{ jsonl: out/v.jsonl, field: v }', 'mkfifo out/v.jsonl', 'out/v.jsonl is not a regular file'],
    ['a pipe as text', "{ regex: 'v=(.*)', file: out/v.txt }", 'mkfifo out/v.txt', 'out/v.txt is not a regular file'],
    ['a device', '{ csv: out/v.csv }', 'ln -s /dev/zero out/v.csv', 'out/v.csv leads out of the folder of the run'],
    ['a link to elsewhere', '{ csv: out/v.csv }', 'ln -s /etc/passwd out/v.csv', 'out/v.csv leads out of the folder'],
    ['a folder', '{ csv: out/v.csv }', 'mkdir out/v.csv', 'out/v.csv is not a regular file and was not read'],
    ['a pipe to report in', '{}', 'mkfifo metrics.jsonl', 'metrics.jsonl is not a regular file and was not read'],
  ])('don’t hang assay: %s', async (_, metric, mischief, problem) => {
    const cwd = folderWith(experiment(metric, mischief))
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), ended.stderr).toMatchObject({ completed: 2 })
    const [first] = readings(cwd)
    expect(first).toEqual({ value: null, problem: expect.stringContaining(problem) })
  })

  it('don’t hang status, report or dashboard when a run’s output is a pipe', async () => {
    const cwd = folderWith(experiment('{}', 'rm stdout.txt stderr.txt; mkfifo stdout.txt stderr.txt; exit 3'))
    await assay(['run', '-q'], { cwd })
    expect((await assay(['status'], { cwd })).stdout).toContain('failed')
    expect((await assay(['report', 'results/hostile'], { cwd })).status).toBe(0)
    const { ask } = await serveRoot(cwd)
    expect((await ask('/api/dataset', { dir: 'hostile' })).status).toBe(200)
  })
})

describe('a run that replaces its own files', () => {
  it.each([
    ['a pipe as meta.json', 'mkfifo meta.json'],
    ['a link as meta.json', 'ln -s "$OLDPWD/precious" meta.json'],
    ['a folder as meta.json', 'mkdir -p meta.json/more'],
  ])('%s: its result is still written, and nowhere else', async (_, mischief) => {
    const cwd = folderWith({ ...experiment('{}', mischief), precious: 'mine' })
    expect(summaryOf(await assay(['run', '--json'], { cwd }))).toMatchObject({ completed: 2 })
    expect(readFileSync(join(cwd, 'precious'), 'utf8')).toBe('mine')
    const runs = join(cwd, 'results/hostile/runs')
    for (const run of readdirSync(runs)) expect(lstatSync(join(runs, run, 'meta.json')).isFile()).toBe(true)
  })

  it('by a link as its folder: nothing is written or moved at its target', async () => {
    const elsewhere = folderWith({ precious: 'mine' })
    const cwd = folderWith(experiment('{}', `cd / && rm -r "$ASSAY_RUN_DIR" && ln -s ${elsewhere} "$ASSAY_RUN_DIR"`))
    for (const args of [[], ['--retry-failed']]) {
      const ended = await assay(['run', '--json', '--retries', '0', ...args], { cwd })
      expect(summaryOf(ended)).toMatchObject({ completed: 1, infra_error: 1 })
    }
    expect(readdirSync(elsewhere)).toEqual(['precious'])
    expect((await assay(['status'], { cwd })).stdout).toContain('was replaced by a link')
  })
})

it('by a link as the folder of earlier attempts: nothing is moved to its target', async () => {
  const elsewhere = folderWith({ precious: 'mine' })
  const cwd = folderWith(experiment('{}', `ln -s ${elsewhere} attempts; exit 3`))
  await assay(['run', '-q'], { cwd })
  const again = await assay(['run', '--json', '--retries', '0', '--retry-failed'], { cwd })
  expect(summaryOf(again)).toMatchObject({ completed: 1, infra_error: 1 })
  expect(readdirSync(elsewhere)).toEqual(['precious'])
})

describe('a regular expression', () => {
  it('with exponential backtracking takes linear time', async () => {
    const cwd = folderWith(
      experiment(
        "{ regex: '^(a+)+(\\d)$', group: 2, file: out/v.txt }",
        'yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab | head -1000 > out/v.txt',
      ),
    )
    expect(summaryOf(await assay(['run', '--json'], { cwd }))).toMatchObject({ completed: 2 })
    expect(readings(cwd)[0]?.problem).toContain('nothing in out/v.txt matches')
  })

  it('that is inherently slow is stopped, and the next metric is read', async () => {
    const runDir = folderWith({ 'slow.txt': `${'a'.repeat(60)}b\n`, 'quick.txt': 'v=7\n' })
    const read = (file: string, pattern: string, limitMs?: number) =>
      readApart(
        regexSource,
        { runDir, metric: 'v', spec: { kind: 'regex', file, pattern }, modules: { folder: runDir } },
        limitMs,
      )
    expect(await read('slow.txt', '^(a+)+\\1$', 500)).toEqual({
      readings: [{ metric: 'v', problem: 'reading it took more than 0.5 s and was stopped' }],
      series: [],
    })
    expect(await read('quick.txt', 'v=(\\d)')).toMatchObject({ readings: [{ metric: 'v', value: 7 }] })
  })

  it('does not block Ctrl-C during a match', async () => {
    const cwd = folderWith(
      experiment("{ regex: '^(a+)+\\1$', file: out/v.txt }", `echo ${'a'.repeat(80)}b > out/v.txt`),
    )
    const run = startAssay(['run', '--json'], { cwd })
    await run.said('attempt_started')
    run.child.kill('SIGINT')
    await expect(run.said('"kind":"draining"')).resolves.toBeUndefined()
  })
})
