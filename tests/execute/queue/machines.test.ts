import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { thisMachine } from '../../../src/execute/machine.ts'
import { openQueueServer } from '../../../src/execute/queue/server/open-server.ts'
import { QueueWorker } from '../../../src/execute/queue/worker/queue-worker.ts'
import { targetFor } from '../../../src/targets/registry.ts'
import { assay, assayProcess, complaint, folderWith, type Started, startAssay, summaryOf } from '../../support/assay.ts'
import { appeared, jsonOf, linesOf } from '../../support/files.ts'
import { journalRows } from '../../support/journal.ts'
import { redisProgram, startRedis } from '../../support/queue-servers.ts'
import { startS3 } from '../../support/s3-server.ts'
import { onServers } from './on-servers.ts'

/** A folder with the experiment's files, and as many copies of it as there are machines. None sees another's. */
function machines(count: number, files: Readonly<Record<string, string>>): readonly string[] {
  const root = folderWith()
  return Array.from({ length: count }, (_, at) => {
    const folder = join(root, `machine-${at}`)
    mkdirSync(folder)
    cpSync(folderWith(files), folder, { recursive: true })
    return folder
  })
}

const startWorker = (cwd: string, queue: string, env: Record<string, string> = {}, ...more: string[]): Started =>
  startAssay(['worker', '--json', '--scratch', join(cwd, 'scratch'), ...more], {
    cwd,
    env: { ...env, ASSAY_QUEUE: queue },
  })

/** The runs' own files, outside any journal, by name. */
const begunIn = (marks: string): readonly string[] => linesOf(join(marks, 'begun'))

onServers('several machines', server => {
  it('performs runs on machines without shared files, and brings their files back', async () => {
    const files = {
      'experiment.yaml': `
name: apart
target: { kind: command, command: [./work.sh, "{x}"] }
factors: { x: 1..12 }
inputs: [data.txt]
outputs: [out/small.txt, out/large.bin]
metrics: { answer: {} }
`,
      'data.txt': 'the same everywhere\n',
      'work.sh': `#!/bin/sh
echo "hello $1"
echo "$1" > "$ASSAY_OUT_DIR/small.txt"
[ "$1" != 3 ] || head -c 3000000 /dev/urandom > "$ASSAY_OUT_DIR/large.bin"
[ "$1" = 3 ] || echo tiny > "$ASSAY_OUT_DIR/large.bin"
echo '{"answer": 42}' >> "$ASSAY_METRICS_FILE"
`,
    }
    const [here = '', ...others] = machines(3, files)
    const store = await startS3()
    const workers = others.map(cwd => startWorker(cwd, server().address, store.env))
    const env = { ASSAY_QUEUE: server().address }
    const ended = await assay(['run', '--json', '--artifacts', 's3://kept/results'], { cwd: here, env })
    expect(complaint(ended, { cwd: here })).toBe('')
    expect(summaryOf(ended)).toMatchObject({ planned: 12, completed: 12, attempts: 12 })
    const dir = join(here, 'results', 'apart')
    const runs = journalRows<{ name: string; x: number }>(dir, "SELECT name, spec ->> '$.params.x' AS x FROM runs")
    for (const { name, x } of runs) {
      expect(readFileSync(join(dir, 'runs', name, 'stdout.txt'), 'utf8')).toBe(`hello ${x}\n`)
      expect(readFileSync(join(dir, 'runs', name, 'out', 'small.txt'), 'utf8')).toBe(`${x}\n`)
    }
    const large = runs.find(({ x }) => x === 3)?.name ?? ''
    expect(existsSync(join(dir, 'runs', large, 'out', 'large.bin'))).toBe(false)
    const left = jsonOf<{ dir: string; paths: string[]; store: string }>(join(dir, 'runs', large, 'elsewhere.json'))
    expect(left.paths).toEqual(['out/large.bin'])
    const bytes = readFileSync(join(left.dir, 'out', 'large.bin'))
    expect(left.store).toMatch(new RegExp(`^s3://kept/results/apart/\\w{8}/${large}/1/$`))
    expect([...store.objects.keys()]).toEqual([`${left.store.replace('s3:/', '')}out/large.bin`])
    expect([...store.objects.values()][0]?.equals(bytes)).toBe(true)

    const again = await assay(['run', '--json'], { cwd: here, env })
    expect(summaryOf(again)).toMatchObject({ completed: 12, reused: 12, attempts: 12 })
    for (const { child } of workers) child.kill('SIGTERM')
    expect((await Promise.all(workers.map(one => one.ended))).map(({ status }) => status)).toEqual([0, 0])
  })

  it('takes in runs that finished without a coordinator', async () => {
    const files = {
      'experiment.yaml': `
name: waited
target: { kind: command, command: [./work.sh] }
factors: { x: [1, 2] }
metrics: { answer: {} }
`,
      'work.sh': `#!/bin/sh
echo "$ASSAY_RUN_ID" >> "$MARKS/begun"
while [ ! -f "$MARKS/go" ]; do sleep 0.05; done
echo '{"answer": 42}' >> "$ASSAY_METRICS_FILE"
`,
    }
    const [here = '', there = ''] = machines(2, files)
    const marks = folderWith({ begun: '' })
    const env = { MARKS: marks, ASSAY_QUEUE: server().address }
    const worker = startWorker(there, server().address, env, '-j', '2')
    const first = startAssay(['run', '--json'], { cwd: here, env })
    await expect.poll(() => begunIn(marks).length).toBe(2)
    first.child.kill('SIGKILL')
    await first.ended
    writeFileSync(join(marks, 'go'), '')
    await worker.said('"kind":"ended"', 2)
    const ended = await assay(['run', '--json'], { cwd: here, env })
    expect(summaryOf(ended)).toMatchObject({ completed: 2, attempts: 2 })
    expect(begunIn(marks).length).toBe(2)
  })

  it('ends a run on another machine when it is cancelled', async () => {
    const files = {
      'experiment.yaml': 'name: stopped\ntarget: { kind: command, command: [./wait.sh] }\nfactors: { x: [1] }\n',
      'wait.sh': '#!/bin/sh\necho $$ > "$MARKS/pid"\nexec sleep 1000\n',
    }
    const [here = '', there = ''] = machines(2, files)
    const marks = folderWith()
    const env = { MARKS: marks, ASSAY_QUEUE: server().address }
    startWorker(there, server().address, env)
    const run = startAssay(['run', '--json'], { cwd: here, env })
    await appeared(join(marks, 'pid'))
    run.child.kill('SIGTERM')
    expect(summaryOf(await run.ended)).toMatchObject({ cancelled: 1 })
    const pid = Number(readFileSync(join(marks, 'pid'), 'utf8'))
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('keeps a budget over all machines', async () => {
    const files = {
      'experiment.yaml': `
name: paid
target: { kind: prompt, prompts: { one: 'Say {{x}}' }, models: [sim/echo], tests: [{ vars: { x: a } }], max_output_tokens: 50 }
models: { sim/echo: { price: { input: 5000, output: 5000 } } }
replicates: 60
limits: { budget_usd: 1 }
`,
    }
    const [here = '', ...others] = machines(3, files)
    for (const cwd of others) startWorker(cwd, server().address, {}, '-j', '3')
    const ended = await assay(['run', '--json'], { cwd: here, env: { ASSAY_QUEUE: server().address } })
    expect(complaint(ended, { cwd: here })).toBe('')
    expect(ended.status).toBe(3)
    const { cost_usd, completed } = summaryOf(ended)
    expect(cost_usd).toBeLessThanOrEqual(1)
    expect(completed).toBeGreaterThan(5)
    const dir = join(here, 'results', 'paid')
    const [ledger] = journalRows<{ usd: number }>(dir, `SELECT sum(usd) AS usd FROM ledger WHERE kind = 'charge'`)
    expect(ledger?.usd).toBeCloseTo(Number(cost_usd), 9)
  })

  it('gives no run to a machine with different files, and names the difference', async () => {
    const files = {
      'experiment.yaml':
        'name: differs\ntarget: { kind: command, command: [./work.sh] }\nfactors: { x: 1..4 }\ninputs: [data.txt]\n',
      'data.txt': 'one\n',
      'work.sh': '#!/bin/sh\ntrue\n',
    }
    const [here = '', same = ''] = machines(2, files)
    const [other = ''] = machines(1, { ...files, 'data.txt': 'two\n' })
    const refusing = startWorker(other, server().address)
    const run = startAssay(['run', '--json'], { cwd: here, env: { ASSAY_QUEUE: server().address } })
    await refusing.said('has other files than the experiment: input data.txt changed')
    await run.said('takes no runs')
    startWorker(same, server().address)
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 4 })
  })

  it('a worker that is told to leave while it opens an experiment closes what it opened', async () => {
    const files = { 'experiment.yaml': 'name: late\ntarget: { kind: command, command: ["true"] }\n' }
    const [here = '', there = ''] = machines(2, files)
    const run = startAssay(['run', '--json'], { cwd: here, env: { ASSAY_QUEUE: server().address } })
    const real = await openQueueServer(server().address)
    const takers = { opened: 0, closed: 0 }
    const interrupting = {
      ...real,
      async taker(name: string) {
        worker.interrupt('drain')
        const taker = await real.taker(name)
        takers.opened++
        return { ...taker, close: () => taker.close().finally(() => takers.closed++) }
      },
    }
    const worker: QueueWorker = new QueueWorker(interrupting, {
      ...{ slots: 1, room: thisMachine([]), count: null, targetFor },
      ...{ folder: there, scratch: join(there, 'scratch'), tell() {} },
    })
    expect(await worker.run()).toEqual({ attempts: 0, isCutOff: false })
    expect(takers).toEqual({ opened: 1, closed: 1 })
    run.child.kill('SIGTERM')
    await run.ended
  })

  it('gives runs only to machines that meet their needs', async () => {
    const files = {
      'experiment.yaml':
        'name: needy\ntarget: { kind: command, command: [./alone.sh] }\nfactors: { x: 1..4 }\nneeds: { gpu: 1, labels: [docker] }\n',
      // Fails where two runs have the same GPU at the same time.
      'alone.sh': '#!/bin/sh\nset -e\nmkdir "$MARKS/$CUDA_VISIBLE_DEVICES"\nrmdir "$MARKS/$CUDA_VISIBLE_DEVICES"\n',
    }
    const [here = '', without = '', having = ''] = machines(3, files)
    const env = { MARKS: folderWith(), ASSAY_QUEUE: `${server().address}?gone_after=20s` }
    startWorker(without, server().address, { CUDA_VISIBLE_DEVICES: '' })
    const run = startAssay(['run', '--json'], { cwd: here, env })
    await run.said('takes no runs: each run needs 1 GPU and the label docker, and this machine has no GPU and no label')
    await run.said('no worker can take the runs of needy: each needs 1 GPU and the label docker')
    const more = ['-j', '4', '--label', 'docker']
    startWorker(having, server().address, { MARKS: env.MARKS, CUDA_VISIBLE_DEVICES: '6' }, ...more)
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 4, failed: 0 })
  })

  it('lists workers', async () => {
    const [there = ''] = machines(1, {})
    const worker = startWorker(there, server().address, {}, '-j', '3', '--label', 'docker')
    await worker.said('"kind":"connected"')
    const ended = await assayProcess(['workers', '--json'], { cwd: there, env: { ASSAY_QUEUE: server().address } })
    expect(JSON.parse(ended.stdout).workers).toMatchObject([
      { pid: worker.child.pid, slots: 3, machine: { labels: ['docker'] }, jobs: [] },
    ])
  })
})

it.skipIf(redisProgram() === null)('a worker and a coordinator can leave without their queue', async () => {
  const own = await startRedis()
  const [here = '', there = ''] = machines(2, {
    'experiment.yaml': 'name: cut\ntarget: { kind: command, command: [./wait.sh] }\nfactors: { x: [1] }\n',
    'wait.sh': '#!/bin/sh\necho $$ > "$MARKS/pid"\nexec sleep 1000\n',
  })
  const marks = folderWith()
  const queue = `${own.address}?gone_after=1s`
  const env = { MARKS: marks, ASSAY_QUEUE: queue }
  const worker = startWorker(there, queue, env)
  const run = startAssay(['run', '--json'], { cwd: here, env })
  await appeared(join(marks, 'pid'))
  await own.stop()
  for (const { child } of [run, worker]) child.kill('SIGTERM')
  const ended = await worker.ended
  expect(ended.stdout).toContain('"kind":"cut_off"')
  expect(ended.status).toBe(1)
  const left = await run.ended
  expect(left.stdout).toContain(`it was to end, but ${own.address} could not be reached to tell its worker`)
  expect(left.status).toBe(130)
  // Its outcome is unknown: it will run again.
  expect(summaryOf(left)).toMatchObject({ attempts: 1, pending: 1 })
  const pid = Number(readFileSync(join(marks, 'pid'), 'utf8'))
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

it.skipIf(redisProgram() === null)('a coordinator without queue and workers can leave', async () => {
  const own = await startRedis()
  const cwd = folderWith({
    'experiment.yaml': 'name: alone\ntarget: { kind: command, command: ["true"] }\nseeds: 1..3\n',
  })
  const run = startAssay(['run', '--json', '--queue', `${own.address}?gone_after=1s`], { cwd })
  await run.said('no workers are connected')
  await own.stop()
  run.child.kill('SIGTERM')
  const { stdout, status } = await run.ended
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    kind: 'summary',
    completed: 0,
    attempts: 0,
    pending: 3,
  })
  expect(status).toBe(130)
})

it.each([
  ['http://127.0.0.1:1', 'neither postgres://… nor redis://…'],
  [
    'postgres://assay@127.0.0.1:1/assay',
    "can't connect to postgres://assay@127.0.0.1:1/assay: no server answers there",
  ],
  [
    'postgres://127.0.0.1:1/assay?gone_after=soon',
    'gone_after in the address of the queue is soon, not a time from 1s',
  ],
  ['redis://user:secret@127.0.0.1:1', "can't connect to redis://user@127.0.0.1:1: no server answers there"],
])('explains an error with %s', async (queue, message) => {
  const cwd = folderWith({ 'experiment.yaml': 'name: e\ntarget: { kind: command, command: [true] }\n' })
  const ended = await assay(['run', '--queue', queue], { cwd })
  expect(ended.status).toBe(2)
  expect(complaint(ended, { cwd })).toContain(message)
  expect(ended.stderr).not.toContain('secret')
})
