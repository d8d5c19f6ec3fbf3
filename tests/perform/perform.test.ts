import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Experiment } from '../../src/define/experiment.ts'
import type { StopReason } from '../../src/define/outcome.ts'
import { readResult } from '../../src/perform/read-result.ts'
import { listProcesses, membersOf } from '../../src/process/processes.ts'
import { fileWith, temporaryDirectory } from '../process/support.ts'
import { needsProc } from '../support/needs.ts'
import { mountDisk } from '../support/small-disk.ts'
import { experimentWith, performOne } from './support.ts'

const running = (command: string[], more: Partial<Experiment> = {}) =>
  experimentWith({ kind: 'command', command }, more)
const runDir = (dir: string) => join(dir, 'runs/the-run')
const contentOf = (dir: string, file: string) => readFileSync(join(runDir(dir), file), 'utf8')
const stillAlive = (token: string) => {
  needsProc()
  return membersOf(listProcesses(), [{ token, pid: null, startTime: null }]).length
}

describe('a command', () => {
  test('that succeeds leaves its output, result.json and meta.json', async () => {
    const dir = temporaryDirectory()
    const result = await performOne(running(['./prints.sh', '{x}']), dir, { token: 't', run: { params: { x: 5 } } })
    expect(result.outcome).toEqual({ kind: 'completed', exit_code: 0, signal: null })
    expect(readdirSync(runDir(dir)).sort()).toEqual(['meta.json', 'out', 'result.json', 'stderr.txt', 'stdout.txt'])
    expect(contentOf(dir, 'stdout.txt')).toBe('5\n')
    expect(readResult(dir, 'the-run')).toEqual(result)
    expect(contentOf(dir, 'result.json')).toBe(contentOf(dir, 'meta.json'))
  })

  test('that fails keeps the line with the reason in its outcome', async () => {
    const dir = temporaryDirectory()
    const script = `echo working; echo 'Error: no gold' >&2; echo '    at dig (/mine.js:3:4)' >&2; exit 3`
    const result = await performOne(running(['sh', '-c', script]), dir)
    expect(result.outcome).toMatchObject({ kind: 'failed', error_class: 'exit_3', said: 'Error: no gold' })
    expect(readResult(dir, 'the-run')?.outcome).toEqual(result.outcome)
  })

  test('has a meta.json whose first keys are those of Cascade’s sweep runner', async () => {
    const dir = temporaryDirectory()
    await performOne(running(['./dies.sh', 'KILL']), dir, { run: { params: { b: 1 }, ablation: 'baseline' } })
    const text = contentOf(dir, 'meta.json')
    const meta = JSON.parse(text)
    expect(Object.keys(meta).slice(0, 10)).toEqual(
      'ablation_flags ablation_name cmd cwd end_time_unix_s exit_code params run_id start_time_unix_s wall_time_s'.split(
        ' ',
      ),
    )
    expect(meta).toMatchObject({ exit_code: -9, ablation_name: 'baseline', run_id: 'the-run', attempt: 1 })
    expect(text.startsWith('{\n  "ablation_flags"')).toBe(true)
    expect(text.endsWith('}\n')).toBe(true)
  })

  test('finds the facts of its run in its environment', async () => {
    const dir = temporaryDirectory()
    await performOne(
      running(['./shows-environment.sh'], { folder: join(import.meta.dirname, '../fixtures/programs') }),
      dir,
      {
        token: 'the-token',
        run_budget_usd: 2,
        run: { params: { x: 1 }, block: { task: 't' } },
      },
    )
    const lines = contentOf(dir, 'stdout.txt').split('\n')
    expect(lines).toEqual([
      'ASSAY_ATTEMPT=the-token',
      'ASSAY_BLOCK={"task":"t"}',
      `ASSAY_METRICS_FILE=${runDir(dir)}/metrics.jsonl`,
      'ASSAY_MODE=run',
      `ASSAY_OUT_DIR=${runDir(dir)}/out`,
      'ASSAY_PARAMS={"x":1}',
      'ASSAY_REPLICATE=1',
      'ASSAY_RUN_BUDGET_USD=2',
      `ASSAY_RUN_DIR=${runDir(dir)}`,
      'ASSAY_RUN_ID=the-run',
      'ASSAY_SEED=7',
      join(import.meta.dirname, '../fixtures/programs'),
      '',
    ])
  })

  test.each([
    [['./exits.sh', '7'], { kind: 'failed', error_class: 'exit_7' }],
    [['./exits.sh', '75'], { kind: 'infra_error', error_class: 'exit_75' }],
    [['./dies.sh', 'SEGV'], { kind: 'failed', error_class: 'signal_SIGSEGV' }],
    [['./no-such-program'], { kind: 'failed', exit_code: 127, error_class: 'spawn_ENOENT' }],
    [['./README.md'], { kind: 'failed', exit_code: 126, error_class: 'spawn_EACCES' }],
  ])('%j', async (command, outcome) => {
    expect((await performOne(running(command), temporaryDirectory())).outcome).toMatchObject(outcome)
  })

  test('that can’t be recorded is ended', async () => {
    const token = randomUUID()
    const result = await performOne(running(['./sleeps.sh']), temporaryDirectory(), {
      token,
      onStarted() {
        throw new Error('the journal is gone')
      },
    })
    expect(result.outcome).toMatchObject({ kind: 'infra_error', message: 'the run failed: the journal is gone' })
    expect(stillAlive(token)).toBe(0)
  })

  test('ends background processes of the command', async () => {
    const token = randomUUID()
    const result = await performOne(running(['./leaves-background.sh']), temporaryDirectory(), { token })
    expect(result.outcome.kind).toBe('completed')
    expect(stillAlive(token)).toBe(0)
  })
})

describe('stopping', () => {
  test('a timeout ends children that ignore SIGTERM too', async () => {
    // Long enough for a busy machine to get as far as to ignore SIGTERM.
    const job = { token: randomUUID(), timeout_ms: 3000 }
    const result = await performOne(running(['./ignores-sigterm.sh']), temporaryDirectory(), job)
    expect(result.outcome).toMatchObject({
      kind: 'timed_out',
      signal: 'SIGKILL',
      message: 'ended after its timeout of 3 s',
    })
    expect(result.cpu_s).not.toBeNull()
    expect(stillAlive(job.token)).toBe(0)
  })

  test('the grace period is that of the job, not of the experiment', async () => {
    const limits = { ...experimentWith({ kind: 'command' }).limits, grace_ms: 3_600_000 }
    const job = { timeout_ms: 3000, grace_ms: 20 }
    const ended = await performOne(running(['./ignores-sigterm.sh'], { limits }), temporaryDirectory(), job)
    expect(ended.outcome).toMatchObject({ kind: 'timed_out', signal: 'SIGKILL' })
  })

  test('a program that ends within its grace period is not killed', async () => {
    const dir = temporaryDirectory()
    mkdirSync(runDir(dir), { recursive: true })
    const controller = new AbortController()
    const limits = { ...experimentWith({ kind: 'command' }).limits, grace_ms: 0 }
    const ending = performOne(running(['./ends-when-told.sh', '{run_dir}'], { limits }), dir, {
      signal: controller.signal,
      grace_ms: 3_600_000,
    })
    await fileWith(join(dir, 'runs/the-run/stdout.txt'), 'ready')
    controller.abort(cancelled)
    await fileWith(join(dir, 'runs/the-run/stdout.txt'), 'asked')
    writeFileSync(join(runDir(dir), 'go'), '')
    expect((await ending).outcome).toMatchObject({ kind: 'cancelled', exit_code: 5, signal: null })
  })

  test('cancelling ends a grandchild that left the session', async () => {
    needsProc()
    const dir = temporaryDirectory()
    const controller = new AbortController()
    const token = randomUUID()
    const ending = performOne(running(['./leaves-session.sh']), dir, {
      token,
      signal: controller.signal,
      onStarted() {
        void fileWith(join(runDir(dir), 'stdout.txt'), 'ready').then(() => controller.abort(cancelled))
      },
    })
    expect((await ending).outcome).toMatchObject({ kind: 'cancelled', message: 'Ctrl-C' })
    expect(stillAlive(token)).toBe(0)
  })

  test('a job cancelled before it began does nothing', async () => {
    const dir = temporaryDirectory()
    const result = await performOne(running(['./prints.sh']), dir, { signal: AbortSignal.abort(cancelled) })
    expect(result.outcome).toEqual(cancelled)
    expect(existsSync(runDir(dir))).toBe(false)
  })

  test('a run that spends more than its budget is ended', async () => {
    const result = await performOne(running(['./reports-then-waits.sh']), temporaryDirectory(), { run_budget_usd: 0.5 })
    expect(result.outcome).toMatchObject({
      kind: 'cost_limited',
      message: 'ended after spending $1.00, above its budget of $0.50',
    })
    expect(result.cost_usd).toBe(1)
    const cents = `printf '{{"cost_usd": 0.19}}\\n%.0s' 1 2 3 >> "$ASSAY_METRICS_FILE"; sleep 1000000`
    const summed = await performOne(running(['bash', '-c', cents]), temporaryDirectory(), { run_budget_usd: 0.5 })
    expect(summed.outcome.message).toBe('ended after spending $0.57, above its budget of $0.50')
  })

  const cancelled: StopReason = { kind: 'cancelled', message: 'Ctrl-C' }
})

describe('metrics', () => {
  test('an unreadable report is noticed once if no metric has it as its reason', async () => {
    const lines = (...texts: string[]) =>
      running(['sh', '-c', `printf '%s\\n' ${texts.join(' ')} >> "$ASSAY_METRICS_FILE"`], {
        metrics: [{ name: 'a', source: { kind: 'reported' }, goal: null, primary: false }],
      })
    const notes: string[] = []
    const onNote = (note: string) => notes.push(note)
    await performOne(lines('oops', `'{{"a": 1}}'`), temporaryDirectory(), { onNote })
    expect(notes).toEqual(['metrics.jsonl:1 is not a JSON object: oops (in the-run)'])
    const { metrics } = await performOne(lines('oops'), temporaryDirectory(), { onNote })
    expect(metrics).toEqual([
      { metric: 'a', problem: 'the run did not report a; metrics.jsonl:1 is not a JSON object: oops' },
    ])
    expect(notes).toHaveLength(1)
  })

  test('reported ones need no declaration', async () => {
    const points: number[] = []
    const result = await performOne(running(['./reports.sh']), temporaryDirectory(), {
      onPoint: ({ value }) => points.push(value),
    })
    expect(result.metrics).toEqual([
      { metric: 'loss', value: 0.6 },
      { metric: 'cost_usd', value: 0.75 },
    ])
    expect(result.cost_usd).toBe(0.75)
    expect(result.series[0]).toEqual({ metric: 'loss', steps: [1, 2, 3], values: [0.8, 0.7, 0.6] })
    expect(points).toHaveLength(6)
  })

  test('declared ones come from their files, and a missing one is a problem', async () => {
    const metric = (name: string, source: Experiment['metrics'][number]['source']) => ({
      name,
      goal: null,
      primary: false,
      source,
    })
    const metrics = [
      metric('p95', { kind: 'csv', file: 'out/summary.csv', column: 'makespan_p95_ms' }),
      metric('p50', { kind: 'csv', file: 'out/summary.csv', column: 'makespan_p50_ms' }),
      metric('solved', { kind: 'reported' }),
    ]
    const result = await performOne(running(['./writes-summary.sh'], { metrics }), temporaryDirectory())
    expect(result.metrics).toEqual([
      { metric: 'p95', value: 12.5 },
      { metric: 'p50', problem: 'out/summary.csv has no column "makespan_p50_ms"; it has policy, makespan_p95_ms' },
      { metric: 'solved', problem: 'the run did not report solved' },
    ])
  })

  test('a number at the end of 200 MB of output', async () => {
    const source = { kind: 'regex', file: 'stdout.txt', pattern: 'score=(\\d+)', group: 1 }
    const metrics = [{ name: 'score', goal: null, primary: true, source }]
    const result = await performOne(running(['./much-output.sh'], { metrics }), temporaryDirectory())
    expect(result.metrics).toEqual([{ metric: 'score', value: 42 }])
  })
})

describe('files', () => {
  test('a required output that is missing makes the run fail', async () => {
    const outputs = [
      { path: 'out/summary.csv', required: true },
      { path: 'out/extra.csv', required: false },
    ]
    const missing = await performOne(running(['./prints.sh'], { outputs }), temporaryDirectory())
    expect(missing.outcome).toMatchObject({
      kind: 'failed',
      error_class: 'missing_output',
      message: 'it ended without writing out/summary.csv',
    })
    const there = await performOne(running(['./writes-summary.sh'], { outputs }), temporaryDirectory())
    expect(there.outcome.kind).toBe('completed')
  })

  test('a program’s own result.json is kept; the result is in meta.json alone', async () => {
    const dir = temporaryDirectory()
    const result = await performOne(running(['sh', '-c', 'echo mine > $ASSAY_RUN_DIR/result.json']), dir)
    expect(contentOf(dir, 'result.json')).toBe('mine\n')
    expect(readResult(dir, 'the-run')).toEqual(result)
  })

  test('every attempt is kept, and none sees the files of another', async () => {
    const dir = temporaryDirectory()
    const experiment = running(['./writes-summary.sh', '{x}'])
    await performOne(experiment, dir, { attempt: 1, run: { params: { x: 1 } } })
    writeFileSync(join(runDir(dir), 'out/stale.txt'), '')
    await performOne(experiment, dir, { attempt: 2, run: { params: { x: 2 } } })
    await performOne(experiment, dir, { attempt: 3, run: { params: { x: 3 } } })
    expect(readdirSync(join(runDir(dir), 'attempts')).sort()).toEqual(['1', '2'])
    expect(contentOf(dir, 'attempts/1/out/summary.csv')).toContain('full,1')
    expect(existsSync(join(runDir(dir), 'attempts/1/out/stale.txt'))).toBe(true)
    expect(readdirSync(join(runDir(dir), 'out'))).toEqual(['summary.csv'])
    expect(contentOf(dir, 'out/summary.csv')).toContain('full,3')
  })

  test('an attempt interrupted before it wrote its number is kept as the previous one', async () => {
    const dir = temporaryDirectory()
    mkdirSync(join(runDir(dir), 'out'), { recursive: true })
    await performOne(running(['./prints.sh']), dir, { attempt: 3 })
    expect(readdirSync(join(runDir(dir), 'attempts'))).toEqual(['2'])
  })

  test('a directory that can’t be created is an infrastructure error, not a crash', async () => {
    const dir = join(temporaryDirectory(), 'a-file')
    writeFileSync(dir, '')
    const result = await performOne(running(['./prints.sh']), dir)
    expect(result.outcome).toMatchObject({ kind: 'infra_error', error_class: 'ENOTDIR' })
  })

  test('a full disk is an infrastructure error, not a crash', async ({ skip }) => {
    const dir = join(temporaryDirectory(), 'disk')
    if (!mountDisk(dir, 'size=1m')) return skip('mounting takes root')
    const result = await performOne(running(['./fills-disk.sh']), dir)
    expect(result.outcome).toMatchObject({
      kind: 'infra_error',
      error_class: 'ENOSPC',
      message: expect.stringContaining('no space is left on the disk'),
    })
  })
})
