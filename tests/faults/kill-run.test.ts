import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../src/util/random.ts'
import { assay, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { countedExperiment, countedRunner } from '../support/counted-runner.ts'
import { journalRows } from '../support/journal.ts'
import { expectExactlyOnce } from './expect-exactly-once.ts'

it('kill -9 at 24 random moments: loses no finished run, repeats none, and ends orphans before their run starts again', async () => {
  const cwd = folderWith({ 'experiment.yaml': countedExperiment, 'runner.sh': countedRunner, 'marks/.keep': '' })
  const env = { MARKS: join(cwd, 'marks') }
  const dir = join(cwd, 'results', 'killed')
  const random = seededRandom(7)
  let killed = 0
  for (let round = 0; round < 24; round++) {
    const { child, ended, said } = startAssay(['run', '--json'], { cwd, env })
    // Two of three calls are killed at any moment of their start, the third while runs are under way, however slow the machine is.
    const isUnderWay = round % 3 === 2
    if (isUnderWay) await Promise.race([said('"attempt_started"').catch(() => undefined), ended])
    const timer = setTimeout(() => child.kill('SIGKILL'), random.next() * (isUnderWay ? 150 : 500))
    if ((await ended).signal === 'SIGKILL') killed++
    clearTimeout(timer)
  }
  const last = await assay(['run', '--json'], { cwd, env })

  expect(last.status).toBe(0)
  expect(summaryOf(last)).toMatchObject({ planned: 200, completed: 200, running: 0, pending: 0 })
  expect(killed).toBeGreaterThan(14)
  const [cutOff] = journalRows<{ n: number }>(dir, `SELECT count(*) AS n FROM attempts WHERE outcome = 'cancelled'`)
  expect(cutOff?.n).toBeGreaterThan(5)
  expectExactlyOnce(dir, env.MARKS)
})
