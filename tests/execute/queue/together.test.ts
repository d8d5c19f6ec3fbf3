import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type WorkerEvent, workOnQueue } from '../../../src/execute/queue/machines.ts'
import { progressOf } from '../../../src/serve/live/progress.ts'
import { targetFor } from '../../../src/targets/registry.ts'
import { assay, complaint, folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import { linesOf } from '../../support/files.ts'
import { journalRows } from '../../support/journal.ts'
import { redisProgram, startRedis, type TestServer } from '../../support/queue-servers.ts'

/** A worker in this process, whose machine has these files and sees no others. */
async function startWorker(
  queue: string,
  files: Readonly<Record<string, string>>,
  { slots = 1, labels = [] }: { readonly slots?: number; readonly labels?: readonly string[] } = {},
) {
  const folder = folderWith(files)
  const events: WorkerEvent[] = []
  const worker = await workOnQueue(queue, {
    ...{ slots, labels, folder, scratch: join(folder, 'scratch'), count: null, targetFor },
    tell: event => void events.push(event),
  })
  const ended = worker.run()
  onTestFinished(async () => {
    worker.interrupt('cancel')
    await ended
  })
  const count = (kind: WorkerEvent['kind']) => events.filter(event => event.kind === kind).length
  return { events, count, leave: () => worker.interrupt('drain'), end: () => worker.interrupt('cancel') }
}

/** Everything that a server holds of its jobs. */
async function textsIn(address: string): Promise<string> {
  const redis = new Redis(address)
  try {
    const texts: string[] = []
    for (const key of await redis.keys('*'))
      if ((await redis.type(key)) === 'hash') texts.push(JSON.stringify(await redis.hgetall(key)))
    return texts.join('\n')
  } finally {
    redis.disconnect()
  }
}

/** Writes down that it has begun, and waits for leave to end. */
const held = (marks: string) => `#!/bin/sh
echo "$ASSAY_RUN_ID" >> "${marks}/begun"
while [ -e "${marks}/hold" ]; do sleep 0.05; done
`

describe.skipIf(redisProgram() === null)('workers and coordinators together', () => {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server?.stop())
  const queue = () => server?.address ?? ''
  const env = () => ({ ASSAY_QUEUE: queue() })

  it('workers together keep the rate of a provider', async () => {
    const files = {
      'experiment.yaml': `
name: rated
target: { kind: prompt, prompts: { one: 'Say {{x}}' }, models: [sim/echo], tests: [{ vars: { x: a } }] }
replicates: 2
limits: { rate: { sim: { rpm: 1 } } }
`,
    }
    const workers = [await startWorker(queue(), files), await startWorker(queue(), files)]
    const cwd = folderWith(files)
    const run = startAssay(['run', '--json'], { cwd, env: env() })
    await expect.poll(() => workers.map(({ count }) => count('started'))).toEqual([1, 1])
    await expect.poll(() => workers.reduce((sum, { count }) => sum + count('ended'), 0)).toBe(1)
    run.child.kill('SIGTERM')
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 1, cancelled: 1 })
  })

  it('a second coordinator names the first, and leaves its runs alone', async () => {
    const marks = folderWith({ hold: '', begun: '' })
    const files = {
      'experiment.yaml': 'name: twice\ntarget: { kind: command, command: [./held.sh] }\nfactors: { x: 1..3 }\n',
      'held.sh': held(marks),
    }
    const cwd = folderWith(files)
    await startWorker(queue(), files)
    const run = startAssay(['run', '--json'], { cwd, env: env() })
    await expect.poll(() => linesOf(join(marks, 'begun')).length).toBe(1)
    const shown = { host: hostname(), runs: 1, slots: 1, load: expect.any(Number) }
    await expect.poll(() => progressOf(join(cwd, 'results', 'twice'), Date.now()).machines).toMatchObject([shown])
    const second = await assay(['run'], { cwd, env: env() })
    expect(second.status).toBe(2)
    expect(complaint(second, { cwd })).toContain(`process ${run.child.pid} on `)
    rmSync(join(marks, 'hold'))
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 3, attempts: 3 })
    expect(linesOf(join(marks, 'begun'))).toHaveLength(3)
    expect(progressOf(join(cwd, 'results', 'twice'), Date.now()).machines).toEqual([])
  })

  it('a finished experiment needs no worker', async () => {
    const files = { 'experiment.yaml': 'name: finished\ntarget: { kind: command, command: ["true"] }\n' }
    const cwd = folderWith(files)
    expect(summaryOf(await assay(['run', '--json'], { cwd }))).toMatchObject({ completed: 1 })
    const again = await startAssay(['run', '--json'], { cwd, env: env() }).ended
    expect(summaryOf(again)).toMatchObject({ completed: 1, reused: 1, attempts: 1 })
  })

  it('a run can be ended on a worker that was told to leave', async () => {
    const marks = folderWith({ hold: '', begun: '' })
    const files = {
      'experiment.yaml': 'name: left\ntarget: { kind: command, command: [./held.sh] }\n',
      'held.sh': held(marks),
    }
    const { leave } = await startWorker(queue(), files)
    const cwd = folderWith(files)
    const machines = () => progressOf(join(cwd, 'results', 'left'), Date.now()).machines
    const run = startAssay(['run', '--json'], { cwd, env: env() })
    await expect.poll(() => linesOf(join(marks, 'begun')).length).toBe(1)
    await expect.poll(machines).toHaveLength(1)
    leave()
    await expect.poll(machines).toEqual([])
    run.child.kill('SIGTERM')
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 0, cancelled: 1 })
  })

  it('a worker told twice to leave ends its runs, and others execute them', async () => {
    const marks = folderWith({ hold: '', begun: '' })
    const files = {
      'experiment.yaml': 'name: returned\ntarget: { kind: command, command: [./held.sh] }\n',
      'held.sh': held(marks),
    }
    const { leave, end } = await startWorker(queue(), files)
    const cwd = folderWith(files)
    const run = startAssay(['run', '--json'], { cwd, env: env() })
    await expect.poll(() => linesOf(join(marks, 'begun')).length).toBe(1)
    leave()
    end()
    await startWorker(queue(), files)
    await expect.poll(() => linesOf(join(marks, 'begun')).length).toBe(2)
    rmSync(join(marks, 'hold'))
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 1, cancelled: 0, attempts: 2 })
  })

  it('a search learns from runs elsewhere, and stops unpromising ones', async () => {
    const marks = folderWith()
    const files = {
      'experiment.yaml': `
name: sought
target: { kind: command, command: [./train.sh, "{x}"] }
factors: { x: [1, 9] }
order: listed
metrics: { loss: { goal: minimize } }
search: { method: grid, metric: loss, goal: minimize, early_stop: { type: median, min_iter: 1, min_runs: 1 } }
`,
      'train.sh': `#!/bin/sh
for step in 1 2 3; do echo "{\\"step\\": $step, \\"loss\\": $1}" >> "$ASSAY_METRICS_FILE"; done
[ "$1" = 1 ] && exit 0
echo $$ > "${marks}/pid"
exec sleep 1000
`,
    }
    const cwd = folderWith(files)
    await startWorker(queue(), files)
    const run = startAssay(['run', '--json'], { cwd, env: env() })
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 1, stopped_early: 1, attempts: 2 })
    const pid = Number(readFileSync(join(marks, 'pid'), 'utf8'))
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('failures elsewhere halt the experiment, and the rest stays pending', async () => {
    const files = {
      'experiment.yaml': `
name: halted
target: { kind: command, command: [./fails.sh, "{x}"] }
factors: { x: 1..400 }
order: listed
limits: { halt: 3 }
`,
      'fails.sh': '#!/bin/sh\n[ "$1" -le 2 ] && exit 0\nsleep 0.1\nexit 1\n',
    }
    const cwd = folderWith(files)
    await startWorker(queue(), files)
    const ended = await startAssay(['run', '--json'], { cwd, env: env() }).ended
    const { completed, failed, pending, planned } = summaryOf(ended)
    expect({ status: ended.status, completed, planned }).toEqual({ status: 1, completed: 2, planned: 400 })
    expect(failed).toBeGreaterThanOrEqual(3)
    expect(Number(pending)).toBe(398 - Number(failed))
    // Those that the worker had when the third failed end, and a second's worth may follow.
    expect(pending).toBeGreaterThan(200)
  })

  it('a machine without the program or the files takes no runs, and reports what is missing', async () => {
    const files = {
      'experiment.yaml': 'name: lacking\ntarget: { kind: command, command: [./work.sh] }\ninputs: [data.txt]\n',
      'work.sh': '#!/bin/sh\ntrue\n',
      'data.txt': 'x\n',
    }
    const { 'work.sh': _program, ...withoutProgram } = files
    const { 'data.txt': _data, ...withoutData } = files
    await startWorker(queue(), withoutProgram)
    await startWorker(queue(), withoutData)
    const cwd = folderWith(files)
    const run = startAssay(['run', '--json'], { cwd, env: env() })
    await run.said('work.sh')
    await run.said('data.txt')
    await startWorker(queue(), files)
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 1, attempts: 1 })
  })

  it('sends no keys of the definition: a worker takes them from its own environment', async () => {
    const files = {
      'experiment.yaml': `
name: keyed
target: { kind: command, command: [./show.sh], env: { SOME_API_KEY: sk-PLANTED, MODE: "on" } }
`,
      'show.sh': '#!/bin/sh\necho "$SOME_API_KEY $MODE"\n',
    }
    const worker = await startWorker(queue(), files)
    const cwd = folderWith(files)
    const run = startAssay(['run', '--json'], { cwd, env: { ASSAY_QUEUE: `${queue()}?gone_after=1s` } })
    await run.said('SOME_API_KEY in the experiment looks like a secret and is not sent')
    const everything = await textsIn(queue())
    expect(everything).toContain('keyed')
    expect(everything).not.toContain('PLANTED')
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('SOME_API_KEY', 'sk-other')
    await run.said('target.env.SOME_API_KEY: sha256:')
    vi.stubEnv('SOME_API_KEY', 'sk-PLANTED')
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 1, attempts: 1 })
    expect(worker.count('ended')).toBe(1)
    const dir = join(cwd, 'results', 'keyed')
    const [made] = journalRows<{ name: string }>(dir, 'SELECT name FROM runs')
    expect(readFileSync(join(dir, 'runs', made?.name ?? '', 'stdout.txt'), 'utf8')).toBe('sk-PLANTED on\n')
  })

  it('gives each run to a machine that meets its needs', async () => {
    const files = {
      'experiment.yaml': `
name: mixed
target: { kind: command, command: ["true"] }
factors: { x: 1..6 }
needs: [{ when: x < 5, labels: [docker] }, { when: x < 6, cpu: 0.1 }]
order: listed
`,
    }
    const plain = await startWorker(queue(), files, { slots: 2 })
    const cwd = folderWith(files)
    const run = startAssay(['run', '--json'], { cwd, env: { ASSAY_QUEUE: `${queue()}?gone_after=8s` } })
    // Those that wait for another machine keep no place from those that can be executed.
    await expect.poll(() => plain.count('ended')).toBe(2)
    await run.said('no worker can take some of the runs of mixed: each needs the label docker; start one on a machine')
    const labelled = await startWorker(queue(), files, { labels: ['docker'] })
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 6, attempts: 6 })
    expect([plain.count('ended'), labelled.count('ended')]).toEqual([2, 4])
    expect(existsSync(join(cwd, 'results', 'mixed', '.queues'))).toBe(false)
  })

  it('two workers on one machine never give a GPU to two runs at once', async () => {
    const cwd = folderWith({
      'experiment.yaml': `
name: shared
target: { kind: command, command: [./alone.sh] }
factors: { x: 1..12 }
needs: { gpu: 1 }
`,
      'alone.sh': `#!/bin/sh
mkdir "$MARKS/gpu-$CUDA_VISIBLE_DEVICES" || exit 1
echo "$CUDA_VISIBLE_DEVICES" >> "$MARKS/used"
sleep 0.1
rmdir "$MARKS/gpu-$CUDA_VISIBLE_DEVICES"
`,
    })
    const marks = folderWith({ used: '' })
    const there = { ...env(), MARKS: marks, CUDA_VISIBLE_DEVICES: '4,7' }
    const workers = [1, 2].map(at =>
      startAssay(['worker', '--json', '-j', '4', '--scratch', join(marks, `scratch-${at}`)], { cwd, env: there }),
    )
    await Promise.all(workers.map(worker => worker.said('"kind":"connected"')))
    const ended = await startAssay(['run', '--json'], { cwd, env: there }).ended
    expect(summaryOf(ended)).toMatchObject({ completed: 12, failed: 0, attempts: 12 })
    const used = linesOf(join(marks, 'used'))
    expect(new Set(used)).toEqual(new Set(['4', '7']))
    for (const { child } of workers) child.kill('SIGTERM')
    for (const worker of workers) expect((await worker.ended).status).toBe(0)
  })

  it('clocks ten minutes apart change nothing', async ({ skip }) => {
    const library = ['x86_64', 'aarch64']
      .map(machine => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
      .find(existsSync)
    if (library === undefined) return skip('libfaketime is not installed')
    const files = {
      'experiment.yaml': 'name: clocks\ntarget: { kind: command, command: [date, "+%s"] }\nfactors: { x: 1..6 }\n',
    }
    const [cwd, root] = [folderWith(files), folderWith()]
    const workers = ['-10m', '+10m'].map(offset => {
      const folder = join(root, offset)
      mkdirSync(folder)
      cpSync(cwd, folder, { recursive: true })
      const fake = { LD_PRELOAD: library, FAKETIME: offset, DONT_FAKE_MONOTONIC: '1' }
      const args = ['worker', '--json', '-j', '1', '--scratch', join(folder, 'scratch')]
      return startAssay(args, { cwd: folder, env: { ...env(), ...fake } })
    })
    await Promise.all(workers.map(worker => worker.said('"kind":"connected"')))
    const before = Date.now()
    const ended = await assay(['run', '--json'], { cwd, env: env() })
    expect(complaint(ended, { cwd })).toBe('')
    expect(summaryOf(ended)).toMatchObject({ completed: 6, attempts: 6 })
    const dir = join(cwd, 'results', 'clocks')
    for (const { name } of journalRows<{ name: string }>(dir, 'SELECT name FROM runs')) {
      const there = Number(readFileSync(join(dir, 'runs', name, 'stdout.txt'), 'utf8')) * 1000
      expect(Math.abs(there - before)).toBeGreaterThan(500_000)
    }
    const [times] = journalRows<{ first: number; last: number }>(
      dir,
      'SELECT min(started_at) AS first, max(ended_at) AS last FROM attempts',
    )
    expect(times?.first).toBeGreaterThanOrEqual(before)
    expect(times?.last).toBeLessThanOrEqual(Date.now())
  })

  it('a full server is reported, and no run is lost', async () => {
    const marks = folderWith({ hold: '', begun: '' })
    const files = {
      'experiment.yaml': 'name: full\ntarget: { kind: command, command: [./held.sh] }\nfactors: { x: 1..4 }\n',
      'held.sh': held(marks),
    }
    const cwd = folderWith(files)
    const redis = new Redis(queue())
    const room = (bytes: number) => redis.config('SET', 'maxmemory', String(bytes))
    onTestFinished(async () => {
      await room(0)
      redis.disconnect()
    })
    await room(1)
    const run = startAssay(['run', '--json'], { cwd, env: env() })
    await run.said("has no room for more runs (OOM command not allowed when used memory > 'maxmemory'.)")
    await room(0)
    const worker = await startWorker(queue(), files)
    await expect.poll(() => linesOf(join(marks, 'begun')).length).toBe(1)
    await room(1)
    rmSync(join(marks, 'hold'))
    await expect.poll(() => worker.count('ended')).toBeGreaterThan(0)
    await room(0)
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 4, attempts: 4 })
    expect(linesOf(join(marks, 'begun'))).toHaveLength(4)
  })
})
