import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { listProcesses } from '../../../src/process/processes.ts'
import { functionTarget } from '../../../src/targets/function/function-target.ts'
import { ThreadPool } from '../../../src/targets/function/thread-pool.ts'
import { experimentWith, functions, performOne } from '../../perform/support.ts'
import { temporaryDirectory } from '../../process/support.ts'
import { needsProc } from '../../support/needs.ts'

afterAll(() => functionTarget.close?.())

const calling = (name: string) =>
  experimentWith({ kind: 'function', module: 'simple.ts', export: name }, { folder: functions })

/** Aborts as soon as the function has said that it is under way. */
function abortOnceStarted(kind: 'timed_out' | 'cancelled') {
  const controller = new AbortController()
  return { signal: controller.signal, onPoint: () => controller.abort({ kind, message: 'enough' }) }
}

describe('what a function returns', () => {
  test('an object of numbers, with booleans as 1 and 0', async () => {
    const result = await performOne(calling('default'), temporaryDirectory(), { run: { params: { x: 4 } } })
    expect(result.outcome).toEqual({ kind: 'completed' })
    expect(result.metrics).toEqual([
      { metric: 'doubled', value: 8 },
      { metric: 'positive', value: 1 },
    ])
    expect(result.place).toBe(null)
  })

  test('one number is the metric "value"; no value is allowed too', async () => {
    expect((await performOne(calling('one'), temporaryDirectory())).metrics).toEqual([{ metric: 'value', value: 42 }])
    expect((await performOne(calling('nothing'), temporaryDirectory())).metrics).toEqual([])
  })

  test('NaN is a problem and not a value', async () => {
    const { metrics } = await performOne(calling('notANumber'), temporaryDirectory())
    expect(metrics).toEqual([{ metric: 'loss', problem: 'loss was reported as NaN' }])
  })

  test('anything nested is refused', async () => {
    const { outcome } = await performOne(calling('nested'), temporaryDirectory())
    expect(outcome).toMatchObject({
      kind: 'failed',
      message: 'the function returned an object as "inner"; a metric is a number',
    })
  })
})

describe('the context of a function', () => {
  test('the same seed gives the same random numbers', async () => {
    const draws = await Promise.all(
      [7, 7, 8].map(seed => performOne(calling('random'), temporaryDirectory(), { run: { seed } })),
    )
    const [first, second, other] = draws.map(({ metrics }) => JSON.stringify(metrics))
    expect(first).toBe(second)
    expect(first).not.toBe(other)
  })

  test('report: series, and costs that add up', async () => {
    const points: string[] = []
    const result = await performOne(calling('reports'), temporaryDirectory(), {
      onPoint: ({ metric }) => points.push(metric),
    })
    expect(result.series).toContainEqual({ metric: 'loss', steps: [1, 2, 3], values: [1, 1 / 2, 1 / 3] })
    expect(result.cost_usd).toBe(0.75)
    expect(points).toEqual(['loss', 'loss', 'loss', 'cost_usd', 'cost_usd'])
  })

  test('a directory, created on demand', async () => {
    const dir = temporaryDirectory()
    const metrics = [
      { name: 'score', goal: null, primary: false, source: { kind: 'json', file: 'out/summary.json', path: 'score' } },
    ]
    const result = await performOne({ ...calling('writes'), metrics }, dir)
    expect(result.metrics).toEqual([{ metric: 'score', value: 3 }])
    expect(existsSync(join(dir, 'runs/the-run/meta.json'))).toBe(true)
  })

  test('its output goes to the files of its run', async () => {
    const dir = temporaryDirectory()
    expect((await performOne(calling('prints'), dir)).place).toBe('runs/the-run')
    expect(readFileSync(join(dir, 'runs/the-run/stdout.txt'), 'utf8')).toBe('hello\nagain\n')
    expect(readFileSync(join(dir, 'runs/the-run/stderr.txt'), 'utf8')).toBe('oh\n')
  })
})

test('late effects of a function are not attributed to the next run', async () => {
  const dir = temporaryDirectory()
  const notes: string[] = []
  const onNote = (note: string) => void notes.push(note)
  expect((await performOne(calling('forgetsToWait'), dir, { onNote })).metrics).toEqual([{ metric: 'own', value: 1 }])
  const next = await performOne(calling('waitsALittle'), dir, { onNote, run: { name: 'next' } })
  expect(next.metrics).toEqual([{ metric: 'own', value: 2 }])
  expect(readFileSync(join(dir, 'runs/next/stdout.txt'), 'utf8')).toBe('printed in time\n')
  await expect.poll(() => notes).toEqual([expect.stringMatching(/^the-run reported late after it had returned/)])
})

describe('how a function fails', () => {
  test('by throwing: the class and the message are kept, the stack is in stderr.txt', async () => {
    const dir = temporaryDirectory()
    const { outcome } = await performOne(calling('throws'), dir)
    expect(outcome).toEqual({ kind: 'failed', error_class: 'RangeError', message: 'too far' })
    expect(readFileSync(join(dir, 'runs/the-run/stderr.txt'), 'utf8')).toContain('simple.ts')
  })

  test.each(['exits', 'rejectsLater'])('by taking its thread with it: %s', async name => {
    const { outcome } = await performOne(calling(name), temporaryDirectory())
    expect(outcome).toMatchObject({ kind: 'failed', error_class: 'thread_lost' })
    expect((await performOne(calling('one'), temporaryDirectory())).outcome.kind).toBe('completed')
  })

  test.each(['openTooMany', 'causedByTooMany'])('but not by a shortage of open files: %s', async name => {
    const experiment = { kind: 'function', module: 'short-of-files.ts', export: name }
    const { outcome } = await performOne(experimentWith(experiment, { folder: functions }), temporaryDirectory())
    expect(outcome).toMatchObject({ kind: 'infra_error', error_class: 'EMFILE' })
  })

  test('by reporting a step that is no number', async () => {
    const { outcome } = await performOne(calling('oddStep'), temporaryDirectory())
    expect(outcome).toMatchObject({ kind: 'failed', error_class: 'TypeError', message: expect.stringContaining('NaN') })
  })

  test('by not existing: the message lists the exports', async () => {
    const { outcome } = await performOne(calling('simpel'), temporaryDirectory())
    expect(outcome.message).toMatch(/simple.ts has no export "simpel"; it exports default, .*one/)
  })
})

describe('ending a function', () => {
  test('one that observes its signal', async () => {
    const { outcome } = await performOne(calling('waits'), temporaryDirectory(), abortOnceStarted('cancelled'))
    expect(outcome).toEqual({ kind: 'cancelled', message: 'enough' })
  })

  test('its programs end with it', async () => {
    needsProc()
    const controller = new AbortController()
    let pid = 0
    const onPoint = ({ value }: { readonly value: number }) => {
      pid = value
      controller.abort({ kind: 'timed_out', message: 'enough' })
    }
    const ended = await performOne(calling('startsProgram'), temporaryDirectory(), {
      signal: controller.signal,
      onPoint,
    })
    expect(ended.outcome.kind).toBe('timed_out')
    expect(pid).toBeGreaterThan(0)
    expect(listProcesses().filter(entry => entry.pid === pid && !entry.zombie)).toEqual([])
  })

  test('a busy loop ends with its thread, and the next run gets another', async () => {
    const { outcome } = await performOne(calling('loops'), temporaryDirectory(), abortOnceStarted('timed_out'))
    expect(outcome).toEqual({ kind: 'timed_out', message: 'enough' })
    expect((await performOne(calling('one'), temporaryDirectory())).outcome.kind).toBe('completed')
  })
})

test('a thread being ended gets no more calls, even if its last message is late', async () => {
  const pool = new ThreadPool()
  onTestFinished(() => pool.close())
  const thread = pool.take()
  const ending = thread.terminate()
  pool.giveBack(thread)
  expect(pool.take()).not.toBe(thread)
  await ending
})

test('a module that is not there is a problem', () => {
  const spec = { kind: 'function' as const, module: 'missing.ts' }
  expect(functionTarget.check(spec, calling('one'))).toMatchObject([{ path: ['target', 'module'] }])
})
