import { existsSync, globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../src/util/random.ts'
import { assay, assayProcess, startAssay, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'
import { leftoversOf } from '../targets/task/leftovers.ts'
import {
  answerTask,
  attemptsOf,
  benchmark,
  fileOfRun,
  needsBubblewrap,
  resultsOf,
  said,
} from '../targets/task/support.ts'

/** The agent waits for a file beside the experiment; so do the tests, for one in the logs of the run. */
function waitingBenchmark(over: Readonly<Record<string, string>> = {}, more = ''): string {
  const cwd = benchmark(answerTask(over), '')
  mkdirSync(join(cwd, 'gate'))
  const agent = `echo $$ >> /logs/artifacts/agent-runs; until test -e ${cwd}/gate/agent; do sleep 0.02; done; echo 42 > answer.txt`
  writeFileSync(
    join(cwd, 'experiment.yaml'),
    `name: bench
target:
  kind: task
  tasks: tasks/*
  sandbox: bubblewrap
  agents: { own: { command: [sh, -c, ${JSON.stringify(agent)}], mounts: [./gate] } }
  agent: own
${more}`,
  )
  return cwd
}

const open = (cwd: string): void => writeFileSync(join(cwd, 'gate', 'agent'), '')

const folderOfRun = (cwd: string): string => join(cwd, 'results', 'bench', 'runs')

const isThere = (cwd: string, pattern: string): boolean => globSync(pattern, { cwd: folderOfRun(cwd) }).length > 0

/** Starts a run, waits for a file below the runs, and ends assay then: at once, or as two Ctrl-C do. */
async function endWhen(cwd: string, pattern: string, how: 'kill -9' | 'Ctrl-C twice'): Promise<void> {
  const { child, ended, said: hasSaid } = startAssay(['run', '--json'], { cwd })
  await expect.poll(() => child.exitCode !== null || isThere(cwd, pattern)).toBe(true)
  child.kill(how === 'kill -9' ? 'SIGKILL' : 'SIGINT')
  if (how === 'Ctrl-C twice') {
    await hasSaid('"kind":"draining"')
    child.kill('SIGINT')
  }
  const { status, signal } = await ended
  expect(signal ?? status).toBe(how === 'kill -9' ? 'SIGKILL' : 130)
}

it('kill -9 during a build: the partial environment is not used', async () => {
  await needsBubblewrap()
  const dockerfile = 'FROM scratch\nWORKDIR /app\nRUN echo begun > /built; sleep 8; echo done >> /built\n'
  const test =
    '#!/bin/sh\ntest "$(cat /built)" = "begun\ndone" && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n'
  const files = { 'tasks/answer/environment/Dockerfile': dockerfile, 'tasks/answer/tests/test.sh': test }
  const cwd = waitingBenchmark(files)
  open(cwd)
  const roots = join(cwd, 'results', '.cache', 'roots')
  await endWhen(cwd, '../../.cache/roots/*.making/files/u/root/built', 'kill -9')
  expect(readdirSync(roots).filter(name => /^[0-9a-f]{32}$/.test(name))).toEqual([])

  const ended = await assay(['run', '--json'], { cwd })
  expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
  expect(resultsOf(cwd).total_score).toBe(1)
  expect(readdirSync(roots).filter(name => !/^[0-9a-f]{32}$/.test(name))).toEqual([])
  expect(leftoversOf(cwd)).toEqual([])
})

it.each(['kill -9', 'Ctrl-C twice'] as const)(
  '%s while the agent works: its box ends, and it starts over',
  async how => {
    await needsBubblewrap()
    const cwd = waitingBenchmark()
    await endWhen(cwd, '*/logs/artifacts/agent-runs', how)
    open(cwd)
    const ended = await assayProcess(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1, attempts: 2 })
    expect(attemptsOf(cwd)).toMatchObject([
      { outcome: 'cancelled', mode: 'run' },
      { outcome: 'completed', mode: 'run' },
    ])
    expect(leftoversOf(cwd)).toEqual([])
  },
)

it.each(['kill -9', 'Ctrl-C twice'] as const)(
  '%s while the tests run: only the tests run again, not the agent',
  async how => {
    await needsBubblewrap()
    const test = `#!/bin/sh
echo tests >> /logs/artifacts/test-runs
until test -e /logs/artifacts/open; do sleep 0.02; done
grep -qx 42 answer.txt && echo 1 > /logs/verifier/reward.txt
`
    const cwd = waitingBenchmark({ 'tasks/answer/tests/test.sh': test })
    open(cwd)
    await endWhen(cwd, '*/logs/artifacts/test-runs', how)
    const [folder = ''] = globSync('*/logs/artifacts', { cwd: folderOfRun(cwd) })
    writeFileSync(join(folderOfRun(cwd), folder, 'open'), '')

    const ended = await assayProcess(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1, attempts: 2 })
    expect(attemptsOf(cwd)).toMatchObject([
      { outcome: 'cancelled', only_scoring_left: true },
      { outcome: 'completed', mode: 'score' },
    ])
    expect(fileOfRun(cwd, 'logs/artifacts/agent-runs').trim().split('\n')).toHaveLength(1)
    expect(resultsOf(cwd).total_score).toBe(1)
    expect(leftoversOf(cwd)).toEqual([])
  },
)

it('kill -9 at random moments: every run is scored once, and no box is left', async () => {
  await needsBubblewrap()
  const cwd = waitingBenchmark({}, 'replicates: 12\nlimits: { jobs: 3 }\n')
  open(cwd)
  const random = seededRandom(11)
  for (let round = 0; round < 4; round++) {
    const { child, ended, said: hasSaid } = startAssay(['run', '--json'], { cwd })
    await Promise.race([hasSaid('"attempt_started"').catch(() => undefined), ended])
    const timer = setTimeout(() => child.kill('SIGKILL'), random.next() * 250)
    await ended
    clearTimeout(timer)
  }
  const last = await assay(['run', '--json'], { cwd })
  expect(summaryOf(last), said(last)).toMatchObject({ planned: 12, completed: 12, running: 0, pending: 0 })
  const dir = join(cwd, 'results', 'bench')
  expect(
    journalRows(
      dir,
      `SELECT count(*) AS n FROM attempts a JOIN metrics m ON m.attempt_id = a.id
       WHERE a.outcome = 'completed' AND m.name = 'score' AND m.value = 1 GROUP BY a.run_id`,
    ),
  ).toEqual(Array.from({ length: 12 }, () => ({ n: 1 })))
  expect(leftoversOf(cwd)).toEqual([])
  expect(existsSync(join(dir, 'runs'))).toBe(true)
})
