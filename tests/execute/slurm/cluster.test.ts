import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assayProcess, complaint, folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import { hasLines, jsonOf, linesOf } from '../../support/files.ts'
import { journalRows } from '../../support/journal.ts'
import { noSlurm, startSlurm, type TestCluster } from '../../support/slurm.ts'

const missing = noSlurm()

/** Records the start and end of each run in its own files, outside the journal, and waits for the given time. */
const work = `#!/bin/sh
echo "$1 $SLURMD_NODENAME $SLURM_ARRAY_JOB_ID $SLURM_ARRAY_TASK_ID" >> "$MARKS/begun"
while [ -e "$MARKS/wait-$1" ]; do sleep 0.05; done
echo "$1" >> "$MARKS/done"
echo '{"answer": 42}' >> "$ASSAY_METRICS_FILE"
`

const experiment = (runs: number): string => `
name: cluster
target: { kind: command, command: [./work.sh, "{x}"] }
factors: { x: 1..${runs} }
order: listed
metrics: { answer: {} }
`

describe.skipIf(missing !== null)(`a cluster${missing === null ? '' : `: ${missing}`}`, () => {
  let started: TestCluster | undefined
  const cluster = () => {
    if (started === undefined) throw new Error('Slurm did not start')
    return started
  }
  beforeAll(async () => {
    started = await startSlurm(['MaxArraySize=31'])
  })
  afterAll(() => started?.stop())

  const place = (runs: number, marks: Readonly<Record<string, string>> = {}) => {
    const cwd = folderWith({ 'experiment.yaml': experiment(runs), 'work.sh': work, 'marks/.keep': '', ...marks })
    const marksDir = join(cwd, 'marks')
    return { cwd, marks: marksDir, dir: join(cwd, 'results', 'cluster'), env: { ...cluster().env, MARKS: marksDir } }
  }

  // Slurm looks at times and nodes once in half a minute: two minutes of waiting, which `npm run cluster` has.
  it('finishes 200 runs with a killed node, a cancelled task and one over its time', async ({ skip }) => {
    if (process.env.ASSAY_CLUSTER === undefined) return skip('it waits for two minutes: npm run cluster')
    // Three runs wait: on the node that dies, in the task that is cancelled, and beyond the time of its task.
    const { cwd, env, dir, marks } = place(200, { 'marks/wait-1': '', 'marks/wait-21': '', 'marks/wait-41': '' })
    const args = ['run', '--json', '--executor', 'slurm', '--chunk', '20', '--time', '0:30']
    const running = startAssay([...args, '--order', 'listed'], { cwd, env })
    const begun = () => linesOf(join(marks, 'begun')).map(line => line.split(' '))
    const taskOf = (x: string) => begun().find(([run]) => run === x)
    await expect.poll(() => ['1', '21', '41'].every(x => taskOf(x) !== undefined)).toBe(true)
    const [, node = ''] = taskOf('1') ?? []
    const [, , job = '', task = ''] = taskOf('21') ?? []
    cluster().say('scancel', `${job}_${task}`)
    cluster().killNode(node)
    await expect.poll(() => begun().filter(([x]) => x === '21').length).toBeGreaterThan(1)
    await expect.poll(() => begun().filter(([x]) => x === '1').length).toBeGreaterThan(1)
    // Now nothing keeps them but the one that waits for its time to be over.
    for (const x of ['1', '21']) release(marks, x)
    await cluster().startNode(node)
    await expect.poll(() => begun().filter(([x]) => x === '41').length).toBeGreaterThan(1)
    release(marks, '41')
    const ended = await running.ended
    expect(complaint(ended, { cwd })).toBe('')
    expect(summaryOf(ended)).toMatchObject({ planned: 200, completed: 200, running: 0, pending: 0 })
    // By the runs' own files: each reached its end exactly once.
    expect(
      linesOf(join(marks, 'done'))
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 200 }, (_, at) => at + 1))
    const messages = journalRows<{ message: string }>(
      dir,
      "SELECT facts ->> '$.message' AS message FROM attempts WHERE outcome = 'cancelled'",
    ).map(({ message }) => message.replace(/\d+_\d+/, 'N'))
    expect(new Set(messages)).toEqual(
      new Set([
        ...messages.filter(message => message.startsWith(`its Slurm task N on ${node} was lost with its node`)),
        ...messages.filter(message => / was cancelled( before this run began)?$/.test(message)),
        ...messages.filter(message => / ran over its time limit( before this run began)?$/.test(message)),
      ]),
    )
    for (const what of ['was lost with its node', 'was cancelled', 'ran over its time limit'])
      expect(messages.some(message => message.endsWith(what))).toBe(true)
    expect(existsSync(join(dir, '.slurm'))).toBe(false)
  })

  it('a restarted coordinator takes in finished runs, and follows running ones', async () => {
    const { cwd, env, dir, marks } = place(8, { 'marks/wait-8': '' })
    const args = ['run', '--json', '--executor', 'slurm', '--chunk', '4', '--order', 'listed']
    const first = startAssay(args, { cwd, env })
    await expect.poll(() => linesOf(join(marks, 'begun')).some(line => line.startsWith('8 '))).toBe(true)
    first.child.kill('SIGKILL')
    await first.ended
    await hasLines(join(marks, 'done'), 7)
    const local = await assayProcess(['run', '--json'], { cwd, env })
    expect(local.status).toBe(2)
    expect(local.stdout).toContain('were submitted to Slurm, and may still be running there')
    const second = startAssay(args, { cwd, env })
    await second.said('still runs elsewhere and is waited for')
    release(marks, '8')
    const ended = await second.ended
    expect(complaint(ended, { cwd })).toBe('')
    expect(summaryOf(ended)).toMatchObject({ planned: 8, completed: 8, attempts: 8 })
    expect(linesOf(join(marks, 'begun'))).toHaveLength(8)
    expect(jsonOf(join(dir, 'summary.json'))).toMatchObject({ completed: 8 })
  })

  it('Ctrl-C twice leaves nothing in Slurm', async () => {
    const { cwd, env, marks } = place(12, { 'marks/wait-1': '' })
    const args = ['run', '--json', '--executor', 'slurm', '--chunk', '2', '--array-limit', '1', '--order', 'listed']
    const running = startAssay(args, { cwd, env })
    await hasLines(join(marks, 'begun'), 1)
    running.child.kill('SIGINT')
    await running.said('"draining"')
    running.child.kill('SIGINT')
    const ended = await running.ended
    expect(ended.status).toBe(130)
    expect(summaryOf(ended)).toMatchObject({ planned: 12, cancelled: 12 })
    expect(linesOf(join(marks, 'begun'))).toHaveLength(1)
    await expect.poll(() => cluster().say('squeue', '-h')).toBe('')
  })

  it('reports refusals of Slurm, and missing programs of a node', async () => {
    const { cwd, env } = place(3)
    const args = ['run', '--executor', 'slurm']
    const refused = await assayProcess([...args, '--partition', 'nowhere'], { cwd, env })
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain(
      'Slurm refuses the runs: sbatch: Batch job submission failed: Invalid partition name',
    )
    const lacking = await assayProcess([...args, '--before', 'echo no such module >&2; exit 1', '--retries', '0'], {
      cwd,
      env,
    })
    expect(lacking.status).toBe(1)
    expect(lacking.stdout + lacking.stderr).toMatch(
      /its Slurm task \d+_\d on n\d failed before it began a run: no such module/,
    )
  })

  it('plan shows the script; options of Slurm are for Slurm', async () => {
    const { cwd, env } = place(300)
    const plan = await assayProcess(['plan', '--executor', 'slurm', '--mem', '2G', '--chunk', '5'], { cwd, env })
    expect(plan.stdout).toContain('slurm: 300 runs of cluster in 2 arrays of at most 30 tasks, 5 runs to a task')
    expect(plan.stdout).toContain('#SBATCH --array=0-29\n')
    expect(plan.stdout).toContain('#SBATCH --mem=2G\n')
    const misplaced = await assayProcess(['plan', '--mem', '2G'], { cwd, env })
    expect(complaint(misplaced, { cwd })).toContain('--mem is for --executor slurm')
  })
})

const release = (marks: string, x: string): void => rmSync(join(marks, `wait-${x}`))
