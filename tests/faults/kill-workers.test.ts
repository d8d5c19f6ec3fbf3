import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../src/util/random.ts'
import { assay, folderWith, type Started, startAssay, summaryOf } from '../support/assay.ts'
import { countedExperiment, countedRunner } from '../support/counted-runner.ts'
import { expectExactlyOnce } from './expect-exactly-once.ts'

it('a run and two workers killed at random: every run has exactly one completed attempt', async () => {
  const cwd = folderWith({ 'experiment.yaml': countedExperiment, 'runner.sh': countedRunner, 'marks/.keep': '' })
  const env = { MARKS: join(cwd, 'marks') }
  const dir = join(cwd, 'results', 'killed')
  await assay(['run', '-q', '--first', '1'], { cwd, env })
  const random = seededRandom(11)
  const start = { run: ['run', '-q'], first: ['worker', dir, '-q', '-j2'], second: ['worker', dir, '-q', '-j1'] }
  for (let round = 0; round < 5; round++) {
    const processes: Started[] = Object.values(start).map(args => startAssay(args, { cwd, env }))
    const timers = processes.map(({ child }) => setTimeout(() => child.kill('SIGKILL'), 200 + random.next() * 700))
    await Promise.all(processes.map(({ ended }) => ended))
    for (const timer of timers) clearTimeout(timer)
  }
  const last = await assay(['run', '--json'], { cwd, env })

  expect(last.status).toBe(0)
  expect(summaryOf(last)).toMatchObject({ planned: 200, completed: 200 })
  expectExactlyOnce(dir, env.MARKS)
})
