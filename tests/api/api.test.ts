import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  AssayError,
  BatchAnalyzer,
  defineExperiment,
  type EngineEvent,
  loadExperimentFile,
  openSearch,
  plan,
  run,
  searchResults,
} from '../../src/api/index.ts'
import { assay, folderWith, summaryOf } from '../support/assay.ts'

const squares = (target: Parameters<typeof defineExperiment>[0]['target'] = ({ x }) => ({ square: Number(x) ** 2 })) =>
  defineExperiment({ name: 'squares', factors: { x: [1, 2, 3] }, seeds: [1, 2], limits: { jobs: 2 }, target })

describe('defineExperiment', () => {
  const errorOf = (definition: Record<string, unknown>) => {
    try {
      defineExperiment({ name: 'e', target: () => 1, ...definition } as Parameters<typeof defineExperiment>[0])
    } catch (error) {
      if (error instanceof AssayError) return `${error.code}: ${error.message}`
      throw error
    }
    throw new Error('expected an error')
  }

  it('reports all errors at once', () => {
    expect(errorOf({ factor: { x: [1] }, replicates: 0 })).toMatchInlineSnapshot(`
      "config: replicates: expected a whole number above 0, got 0
      factor: unknown key "factor"; did you mean "factors"?"
    `)
  })

  it('refuses an experiment without runs', () => {
    expect(errorOf({ factors: { x: [] } })).toMatchInlineSnapshot(
      `"config: factors.x: "x" has no levels, so nothing would be run"`,
    )
    expect(errorOf({ factors: { x: [1] }, constraints: ['x > 1'] })).toMatchInlineSnapshot(`
      "config: constraints: no variant is left: constraints and exclude remove all of them
        constraints 0: x > 1 (removes 1 of 1)"
    `)
  })

  it('refuses an unknown target', () => {
    expect(errorOf({ target: { kind: 'comand', command: ['true'] } })).toMatchInlineSnapshot(
      `"config: target.kind: expected agent, command, function, prompt, scenario, sched-sim, sweagent or task, got "comand"; did you mean "command"?"`,
    )
  })
})

describe('plan', () => {
  it('yields the runs lazily in their starting order', () => {
    const runs = [...plan(squares())]
    expect(runs.map(one => one.seed)).toEqual([1, 1, 1, 2, 2, 2])
    expect([...plan(squares(), { filters: ['x > 1'], first: 3 })]).toHaveLength(3)
    const million = defineExperiment({ name: 'm', factors: { a: '1..1000', b: '1..1000' }, target: () => 1 })
    expect(plan(million).next().value).toMatchObject({ params: { a: expect.any(Number), b: expect.any(Number) } })
  })
})

describe('run', () => {
  it('calls the function for every run and returns the metrics', async () => {
    const dir = folderWith()
    const { summary, runs, exitCode } = await run(squares(), { dir })
    expect(exitCode).toBe(0)
    expect(summary).toMatchObject({ planned: 6, completed: 6, dir })
    expect(runs.map(({ params, metrics }) => [params.x, metrics.square]).sort()).toEqual([
      [1, 1],
      [1, 1],
      [2, 4],
      [2, 4],
      [3, 9],
      [3, 9],
    ])
    expect(existsSync(join(dir, 'runs', runs[0]?.name ?? ''))).toBe(false)
  })

  it('the same call again reuses finished runs', async () => {
    const dir = folderWith()
    let calls = 0
    const counted = squares(({ x }) => {
      calls++
      if (x === 2 && calls < 7) throw new RangeError('not yet')
      return { square: Number(x) ** 2 }
    })
    const first = await run(counted, { dir })
    expect(first).toMatchObject({ exitCode: 1, summary: { completed: 4, failed: 2 } })
    expect(first.runs.find(one => one.state === 'failed')?.outcome).toMatchObject({
      error_class: 'RangeError',
      message: 'not yet',
    })
    expect((await run(counted, { dir })).summary).toMatchObject({ completed: 4, failed: 2, reused: 4 })
    expect(calls).toBe(6)
    expect(await run(counted, { dir, retryFailed: true })).toMatchObject({ exitCode: 0, summary: { completed: 6 } })
    expect(calls).toBe(8)
  })

  it('gives the function its seed, random numbers, a directory and report()', async () => {
    const dir = folderWith()
    const defined = squares((_params, { seed, random, report, directory, runId }) => {
      for (const step of [1, 2]) report('loss', 1 / step, step)
      return { given: seed, luck: random(), isNamed: directory().run_dir.endsWith(runId) }
    })
    const { runs } = await run(defined, { dir, filters: ['x=1'] })
    expect(runs.map(one => one.metrics.given)).toEqual([1, 2])
    expect(runs.map(one => one.metrics.loss)).toEqual([0.5, 0.5])
    expect(runs.map(one => one.metrics.isNamed)).toEqual([1, 1])
    expect(runs[0]?.metrics.luck).not.toBe(runs[1]?.metrics.luck)
  })

  it('emits events as they happen', async () => {
    const events: EngineEvent[] = []
    await run(squares(), { dir: folderWith(), first: 1, onEvent: event => events.push(event) })
    const kinds = events.map(event => event.kind).filter(kind => kind !== 'progress')
    expect(kinds).toEqual(['started', 'attempt_started', 'attempt_ended', 'summary'])
  })

  it('an error in a listener is thrown after all runs', async () => {
    const dir = folderWith()
    const onEvent = (event: EngineEvent) => {
      throw new Error(`no patience with ${event.kind}`)
    }
    await expect(run(squares(), { dir, onEvent })).rejects.toThrow('no patience with started')
    expect((await run(squares(), { dir })).summary).toMatchObject({ completed: 6, reused: 6, attempts: 6 })
  })

  it('a signal cancels running runs and keeps finished ones', async () => {
    const dir = folderWith()
    const controller = new AbortController()
    const slow = squares(async ({ x }, { signal }) => {
      if (x === 1) return { square: 1 }
      controller.abort()
      if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
    })
    const cut = await run(
      { ...slow, experiment: { ...slow.experiment, order: 'listed' } },
      { dir, signal: controller.signal },
    )
    expect(cut).toMatchObject({ exitCode: 130, summary: { completed: 2, cancelled: 2, pending: 2 } })
  })

  it('an aborted signal starts nothing', async () => {
    const { summary } = await run(squares(), { dir: folderWith(), signal: AbortSignal.abort() })
    expect(summary).toMatchObject({ completed: 0, pending: 6, attempts: 0 })
  })

  it('a second run on the same directory at the same time is refused', async () => {
    const dir = folderWith()
    let refusal: Promise<unknown> | undefined
    const busy = squares(async () => {
      refusal ??= run(squares(), { dir }).catch((error: unknown) => error)
      await refusal
      return { square: 0 }
    })
    await run(busy, { dir })
    expect(await refusal).toMatchObject({ code: 'busy', facts: { pid: process.pid } })
  })
})

it('the command line reads results made from code', async () => {
  const dir = folderWith()
  await run(squares(), { dir })
  expect(summaryOf(await assay(['status', dir, '--json'], { cwd: dir }))).toMatchObject({ completed: 6 })
  expect((await assay(['collect', dir], { cwd: dir })).stdout).toContain('rows=6')
})

it('loadExperimentFile reads a file in any dialect, as the command line does', async () => {
  const folder = folderWith({
    'e.toml': 'name = "e"\n[target]\nkind = "command"\ncommand = ["true"]\n[factors]\nx = [1, 2]\n',
  })
  const { summary } = await run(loadExperimentFile(join(folder, 'e.toml')), { dir: join(folder, 'results') })
  expect(summary).toMatchObject({ planned: 2, completed: 2 })
})

it('loadExperimentFile says where it looked for a missing file', () => {
  expect(() => loadExperimentFile('nofile.yaml')).toThrow(
    expect.objectContaining({
      code: 'not_found',
      message: 'nofile.yaml: no such file',
      hint: `relative names start at the working directory, ${process.cwd()}`,
    }),
  )
})

it.each([
  [Number.NaN, 'the experiment.factors.x[1]: expected plain data, got NaN'],
  [undefined, 'the experiment.factors.x[1]: expected plain data, got undefined'],
  [new Date(0), 'the experiment.factors.x[1]: expected plain data, got an object of a class'],
])('a level that a file can’t contain is refused: %s', (level, message) => {
  const definition = { name: 'odd', factors: { x: [1, level] }, target: () => 1 } as Parameters<
    typeof defineExperiment
  >[0]
  expect(() => defineExperiment(definition)).toThrow(message)
})

describe('an unknown option is refused at run time', () => {
  // As written in JavaScript, where a name may be anything.
  const untyped = (options: Record<string, unknown>) => options as never

  it.each<[string, () => unknown, string]>([
    ['plan', () => plan(squares(), untyped({ filter: ['x > 1'] })), 'unknown option "filter"; did you mean "filters"?'],
    ['plan', () => plan(squares(), untyped({ jobs: 2 })), 'unknown option "jobs"; known: filters, first, shard'],
    [
      'defineExperiment',
      () => defineExperiment({ name: 'e', target: () => 1 }, untyped({ dir: '.' })),
      'unknown option "dir"; known: folder',
    ],
    [
      'openSearch',
      () => openSearch(untyped({ method: 'random', goal: 'minimize', factors: { x: [1, 2] }, maxRuns: 3 })),
      'unknown option "maxRuns"; did you mean "max_runs"?',
    ],
    [
      'searchResults',
      () => searchResults([], untyped({ metric: 'loss', gaol: 'minimize' })),
      'unknown option "gaol"; did you mean "goal"?',
    ],
    [
      'BatchAnalyzer',
      () => new BatchAnalyzer('.', untyped({ succes: 'x > 1' })),
      'unknown option "succes"; did you mean "success"?',
    ],
  ])('%s %#', (name, call, message) => {
    expect(call).toThrow(expect.objectContaining({ code: 'usage', message: `${name}: ${message}` }))
  })

  it('run refuses it before the first run', async () => {
    const dir = join(folderWith(), 'results')
    await expect(run(squares(), untyped({ dir, retry_failed: true, filter: [] }))).rejects.toMatchObject({
      code: 'usage',
      message:
        'run: unknown option "retry_failed"; did you mean "retryFailed"?\nrun: unknown option "filter"; did you mean "filters"?',
    })
    expect(existsSync(dir)).toBe(false)
  })
})
