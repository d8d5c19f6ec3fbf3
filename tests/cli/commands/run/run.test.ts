import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, eventsOf, folderWith, summaryOf } from '../../../support/assay.ts'
import { jsonOf } from '../../../support/files.ts'
import { expectAddsUp } from '../../../support/summary.ts'

const definition = `
name: e
target: { kind: command, command: [sh, -c, 'echo "{{\\"score\\": {x}}}" >> $ASSAY_METRICS_FILE; exit {x}'] }
factors: { x: [0, 1] }
order: listed
limits: { jobs: 1 }
metrics: { score: {} }
`
const keys =
  'dir planned completed failed timed_out cost_limited rate_limited stopped_early cancelled infra_error quarantined stale running pending reused attempts cost_usd overrun_usd wall_s'

describe('assay run', () => {
  it('prints runs, results, failures and how to retry', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition })
    const { stdout, stderr } = await assay(['run'], { cwd })
    const shown = stdout.replaceAll(cwd, '<cwd>').replace(/[\d.]+m?s this time/, '<time> this time')
    expect(shown).toMatchInlineSnapshot(`
      "experiment: <cwd>/results/e
      planned_runs=2 to_run=2 skipped=0 jobs=1
      [OK]   x-0__caa802291c1f (1/2)

      x    n  score
      0    1  0
      1  0/1  failed

      e, 2 runs: 1 completed, 1 failed
      2 attempts so far, <time> this time
      everything is in <cwd>/results/e

      x=1 and x=0 can't be compared on score: no data (0 and 1 run); 1 run of x=1 has no value and is left out.
        assay compare results/e
        assay report results/e

      failures=1
      - x-1__fbcfa25c2be0: exit_code=1  the program ended with exit code 1

      Output of one of them:
      assay logs results/e x-1__fbcfa25c2be0

      To run them again:
      assay run --retry-failed
      "
    `)
    expect(stderr).toMatchInlineSnapshot(`
      "[FAIL] x-1__fbcfa25c2be0 exit_code=1 (2/2) the program ended with exit code 1
      "
    `)
  })

  it('--json: one event per line in the order they happen, the last is the summary', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition })
    const events = eventsOf(await assay(['run', '--json'], { cwd }))
    expect(events.map(event => event.kind).filter(kind => kind !== 'progress')).toEqual([
      'started',
      'attempt_started',
      'attempt_ended',
      'attempt_started',
      'attempt_ended',
      'summary',
    ])
    expect(Object.keys(events.at(-1) ?? {})).toEqual(['kind', ...keys.split(' '), 'exit_code', 'stopped_by'])
    expect(events.at(-1)).toMatchObject({ exit_code: 1, stopped_by: null, completed: 1, failed: 1 })
  })

  it('--json: an error is one document too', async () => {
    const { status, stdout, stderr } = await assay(['run', '--json'], { cwd: folderWith() })
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'error', code: 'usage', message: expect.any(String) })
  })

  it('accepts the experiment’s directory as well as its file', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition })
    await assay(['run', '-q', '--filter', 'x=0'], { cwd })
    const ended = await assay(['run', 'results/e', '--json'], { cwd })
    expect(summaryOf(ended)).toMatchObject({ planned: 2, completed: 1, failed: 1, reused: 1 })
  })

  it('-q prints only failures and the summary; -v also prints starts', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition })
    const quiet = await assay(['run', '-q'], { cwd })
    expect(quiet.stdout).not.toContain('[OK]')
    expect(quiet.stderr).toContain('[FAIL] x-1__')
    expect((await assay(['run', '-v', '--fresh'], { cwd })).stdout).toMatch(/\[RUN\] {2}x-0__/)
  })
})

describe('assay status', () => {
  it('--json prints the content of summary.json and the last line of run', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition })
    await assay(['run', '-q', '--filter', 'x=0'], { cwd })
    const last = summaryOf(await assay(['run', '--json'], { cwd }))
    const status = summaryOf(await assay(['status', '--json'], { cwd }))
    expect(Object.keys(status)).toEqual(keys.split(' '))
    expectAddsUp(status)
    const file = jsonOf(join(cwd, 'results/e/summary.json'))
    expect({ ...status, wall_s: file.wall_s }).toEqual(file)
    expect(last).toMatchObject({ ...status, wall_s: last.wall_s, reused: 1 })
    expect(status.wall_s).toBeGreaterThan(0)
  })

  it('prints progress and failures', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition })
    await assay(['run', '-q'], { cwd })
    const { stdout } = await assay(['status'], { cwd })
    expect(stdout.replaceAll(cwd, '<cwd>')).toMatchInlineSnapshot(`
      "e: 2 runs: 1 completed, 1 failed
        in <cwd>/results/e
        no process is running it
        ✗ x-1__fbcfa25c2be0  failed, exit code 1: the program ended with exit code 1
      "
    `)
  })

  it('without an experiment says what to do', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition, 'empty/.keep': '' })
    const nothing = await assay(['status'], { cwd })
    expect(nothing.status).toBe(2)
    expect(nothing.stderr).toContain('the experiment has not been run yet: ')
    const folder = await assay(['status', 'empty'], { cwd })
    expect(folder.status).toBe(2)
    expect(folder.stderr).toContain('empty contains neither an experiment file nor the results of an experiment')
    const mistyped = await assay(['status', 'results/f'], { cwd })
    expect(mistyped.status).toBe(2)
    expect(mistyped.stderr).toContain('results/f is not an experiment directory')
  })

  it('accepts the folder of the experiment', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition })
    await assay(['run', '-q'], { cwd })
    expect((await assay(['status', '.'], { cwd })).stdout).toContain('e: 2 runs: 1 completed, 1 failed')
    expect((await assay(['collect', '.'], { cwd })).stdout).toContain('runs.csv rows=2')
    expect((await assay(['why', '.', 'x-0'], { cwd })).stdout).toContain('reuses it')
  })
})
