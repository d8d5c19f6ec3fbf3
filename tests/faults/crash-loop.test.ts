import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'

const experiment = `
name: e
target: { kind: command, command: [./run.sh, "{n}"] }
factors: { n: [1, 2, 3, 4, 5, 6, 7, 8] }
order: listed
limits: { retries: { backoff: 1ms } }
`

/** The first run kills the process that started it; the second, if it takes long, is under way whenever that happens. */
const runner = (second: string) => `#!/bin/sh
if [ "$1" = 1 ]; then sleep 0.2; kill -9 $PPID; sleep 60; fi
if [ "$1" = 2 ]; then ${second}; fi
`

/** Calls `assay run` until it ends by itself, and returns how often it was killed before. */
async function callUntilItEnds(cwd: string, ...args: readonly string[]) {
  for (let killed = 0; killed < 20; killed++) {
    const { ended } = startAssay(['run', '--json', ...args], { cwd })
    const end = await ended
    if (end.signal !== 'SIGKILL') return { end, killed }
  }
  throw new Error('it was killed 20 times')
}

const states = (dir: string) =>
  journalRows<{ name: string; state: string }>(dir, 'SELECT name, state FROM runs ORDER BY id').map(
    ({ state }) => state,
  )

describe('a run that kills assay', () => {
  it('runs after all others, and ends in quarantine', async () => {
    const cwd = folderWith({ 'experiment.yaml': experiment, 'run.sh': runner(':') })
    const dir = join(cwd, 'results', 'e')
    const first = startAssay(['run', '-j', '1'], { cwd })
    expect((await first.ended).signal).toBe('SIGKILL')
    const second = startAssay(['run', '-j', '1'], { cwd })
    expect((await second.ended).signal).toBe('SIGKILL')
    expect(states(dir)).toEqual(['running', ...Array.from({ length: 7 }, () => 'finished')])

    const { end, killed } = await callUntilItEnds(cwd, '-j', '1')
    expect(killed).toBe(3)
    expect(end.status).toBe(1)
    expect(end.stdout).toMatch(
      /n-1_\w+ is quarantined: the process that ran it ended first, 5 times in a row; the run may be the reason/,
    )
    expect(summaryOf(end)).toMatchObject({ planned: 8, completed: 7, quarantined: 1 })
    const why = await assay(['why', 'results/e', 'n-1'], { cwd })
    expect(why.stdout).toContain('5 times in a row')
    expect(summaryOf(await assay(['run', '--json'], { cwd }))).toMatchObject({ quarantined: 1, attempts: 12 })
  })

  it('does not take other runs with it: it runs alone before quarantine', async () => {
    const cwd = folderWith({ 'experiment.yaml': experiment, 'run.sh': runner('sleep 1') })
    const { end } = await callUntilItEnds(cwd, '-j', '2')
    expect(summaryOf(end)).toMatchObject({ planned: 8, completed: 7, quarantined: 1 })
  })
})
