import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Job, UnfinishedAttempt } from '../../src/define/run.ts'
import type { Point } from '../../src/define/target.ts'
import type { Executor, JobIo } from '../../src/execute/executor.ts'
import type { Setting } from '../../src/perform/perform.ts'
import { experimentWith, jobWith, noLimits, settingOf } from '../perform/support.ts'
import { fileWith, startProgram, temporaryDirectory } from '../process/support.ts'

/** The contract of every executor. */
export function executorContract(
  name: string,
  open: (setting: Setting, slots: number) => Executor | Promise<Executor>,
): void {
  const opened = async (command: string[], slots = 2) => {
    const dir = temporaryDirectory()
    const executor = await open(settingOf(experimentWith({ kind: 'command', command }), dir), slots)
    onTestFinished(() => executor.close())
    return { executor, dir }
  }

  describe(`the executor ${name}`, () => {
    test('performs a job: a result with its token, as plain JSON, and files in the stated folder', async () => {
      const { executor, dir } = await opened(['./prints.sh'])
      const job = jobWith()
      const result = await executor.start(job, io())
      expect(result).toMatchObject({ token: job.token, mode: 'run', outcome: { kind: 'completed' } })
      expect(JSON.parse(JSON.stringify(result))).toEqual(result)
      expect(isAbsolute(result.place ?? '/')).toBe(false)
      expect(existsSync(join(dir, result.place ?? '', 'stdout.txt'))).toBe(true)
    })

    test('reports duration, not times of day, which the engine sets', async () => {
      const { executor, dir } = await opened(['./prints.sh'])
      const result = await executor.start(jobWith({ started_at: 5_000_000 }), io())
      expect(result.wall_s).toBeGreaterThan(0)
      expect(Object.keys(result).filter(key => key.endsWith('_at'))).toEqual([])
      const meta = JSON.parse(readFileSync(join(dir, result.place ?? '', 'meta.json'), 'utf8'))
      expect([meta.start_time_unix_s, meta.end_time_unix_s]).toEqual([5000, 5000 + result.wall_s])
    })

    test('reports errors of a run as its outcome', async () => {
      const { executor } = await opened(['./exits.sh', '7'])
      const { outcome } = await executor.start(jobWith(), io())
      expect(outcome).toMatchObject({ kind: 'failed', error_class: 'exit_7' })
    })

    test('counts its slots, which can change while jobs run', async () => {
      const { executor } = await opened(['./prints.sh'])
      const running = executor.start(jobWith(), io())
      expect(executor.free()).toBe(1)
      executor.resize(1)
      expect([executor.slots, executor.free()]).toEqual([1, 0])
      await running
      expect(executor.free()).toBe(1)
    })

    test('passes on reports of a running job, and ends it on request', async () => {
      const { executor } = await opened(['./reports-then-waits.sh'])
      const stop = new AbortController()
      const points: Point[] = []
      const { outcome } = await executor.start(
        jobWith(),
        io({
          signal: stop.signal,
          onPoint(point) {
            points.push(point)
            stop.abort({ kind: 'cancelled', message: 'no longer wanted' })
          },
        }),
      )
      expect(points.length).toBeGreaterThan(0)
      expect(outcome).toMatchObject({ kind: 'cancelled', message: 'no longer wanted' })
    })

    test('takes in a left result with the right token', async () => {
      const { executor } = await opened(['./prints.sh'])
      const job = jobWith()
      const result = await executor.start(job, io())
      expect(await executor.adopt([unfinished(job)])).toEqual([{ kind: 'finished', token: job.token, result }])
      const newer = { ...unfinished(job), token: 'newer' }
      expect(await executor.adopt([newer])).toEqual([{ kind: 'ended', token: 'newer', spent_usd: 0, place: null }])
    })

    test('ends interrupted attempts', async () => {
      const { executor } = await opened(['./prints.sh'])
      const orphan = startProgram('ignores-sigterm.sh')
      await fileWith(orphan.stdoutFile, 'ready')
      const { token, pid, startTime } = orphan.attempt
      const cut = { ...unfinished(jobWith({ token })), pid, startTime }
      expect(await executor.adopt([cut])).toEqual([{ kind: 'ended', token, spent_usd: 0, place: null }])
      expect(await orphan.exit).toMatchObject({ kind: 'signalled', signal: 'SIGKILL' })
    })

    test('gives a job the files of its earlier attempt', async () => {
      const { executor, dir } = await opened(['./shows-environment.sh'])
      const first = jobWith()
      await executor.start(first, io())
      const continues = { attempt: 1, outcome: { kind: 'infra_error' }, cost_usd: 1 } as const
      const second = await executor.start(jobWith({ attempt: 2, continues }), io())
      const said = readFileSync(join(dir, second.place ?? '', 'stdout.txt'), 'utf8')
      expect(said).toContain(`ASSAY_CONTINUES_DIR=${dir}/runs/the-run/attempts/1\n`)
      expect(existsSync(join(dir, 'runs/the-run/attempts/1/stdout.txt'))).toBe(true)
    })
  })
}

export const io = (more: Partial<JobIo> = {}): JobIo => ({
  signal: new AbortController().signal,
  permits: noLimits(),
  modelIds: new Map(),
  onPoint() {},
  onStarted() {},
  onNote() {},
  ...more,
})

export const unfinished = ({ grace_ms, run_calls, run_tokens, ...job }: Job): UnfinishedAttempt => ({
  ...job,
  pid: null,
  startTime: null,
  lostBefore: 0,
})
