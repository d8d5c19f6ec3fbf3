import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'

const program = '#!/bin/sh\necho "no module named $1" >&2\nexit 7\n'
const failing = (more = '') => `name: flaps
target: { kind: command, command: [./fails.sh, "{x}"] }
factors: { x: [a, b, c, d] }
seeds: 1..10
limits: { jobs: 1${more} }
`

const folder = (more?: string) => folderWith({ 'fails.sh': program, 'flaps.yaml': failing(more) })
const dirOf = (cwd: string) => join(cwd, 'results/flaps')

describe('when the first runs all fail at once and in the same way,', () => {
  it('run stops, gives the reason with the last error, and logs it', async () => {
    const cwd = folder()
    const ended = await assay(['run', 'flaps.yaml'], { cwd })
    expect(ended.status).toBe(1)
    const reason =
      'the first 5 runs all failed at once and in the same way (exit_7): no module named d (--keep-going continues anyway)'
    expect(ended.stdout).toContain(`stopped: ${reason}. `)
    expect(ended.stdout).toContain('flaps, 40 runs: 5 failed, 35 pending')
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe('assay run flaps.yaml --retry-failed')
    const events = journalRows(
      dirOf(cwd),
      `SELECT json_extract(data, '$.reason') AS reason FROM events WHERE kind = 'stopped'`,
    )
    expect(events).toEqual([{ reason }])
  })

  it('the same command continues after the fix', async () => {
    const cwd = folder()
    await assay(['run', 'flaps.yaml', '-q'], { cwd })
    writeFileSync(join(cwd, 'fails.sh'), '#!/bin/sh\n')
    const again = await assay(['run', 'flaps.yaml', '--json', '--retry-failed'], { cwd })
    expect(summaryOf(again)).toMatchObject({ completed: 40, attempts: 45 })
  })

  it('a worker stops, and others that succeed continue', async () => {
    const cwd = folder()
    await assay(['sweep', 'flaps.yaml'], { cwd })
    const ended = await assay(['worker', dirOf(cwd), '--json'], { cwd })
    expect(ended.status).toBe(1)
    expect(summaryOf(ended)).toMatchObject({ failed: 5, pending: 35 })
    writeFileSync(join(cwd, 'fails.sh'), '#!/bin/sh\n')
    expect(summaryOf(await assay(['worker', dirOf(cwd), '--json'], { cwd }))).toMatchObject({
      failed: 5,
      completed: 35,
    })
  })

  it.each([
    ['--keep-going', ['run', 'flaps.yaml', '--keep-going'], {}, 40],
    ['--set limits.initial_failures=0', ['run', 'flaps.yaml', '--set', 'limits.initial_failures=0'], {}, 40],
    ['--set limits.initial_failures=8', ['run', 'flaps.yaml', '--set', 'limits.initial_failures=8'], {}, 8],
    ['WANDB_AGENT_DISABLE_FLAPPING', ['worker', 'results/flaps'], { WANDB_AGENT_DISABLE_FLAPPING: 'true' }, 40],
    ['WANDB_AGENT_MAX_INITIAL_FAILURES', ['worker', 'results/flaps'], { WANDB_AGENT_MAX_INITIAL_FAILURES: '3' }, 3],
    ['--initial-failures', ['agent', 'results/flaps', '--initial-failures', '4'], {}, 4],
  ])('%s turns the check off', async (_, line, env: Record<string, string>, failed) => {
    const cwd = folder()
    await assay(['sweep', 'flaps.yaml'], { cwd })
    expect(summaryOf(await assay([...line, '--json'], { cwd, env }))).toMatchObject({ failed, pending: 40 - failed })
  })

  it('workers obey a higher limit of the definition too', async () => {
    const cwd = folder(', initial_failures: 7')
    await assay(['sweep', 'flaps.yaml'], { cwd })
    expect(summaryOf(await assay(['worker', dirOf(cwd), '--json'], { cwd }))).toMatchObject({ failed: 7 })
  })
})

it('one bad variant is no reason to stop, however many of its runs start first', async () => {
  const cwd = folderWith({
    'fails.sh': '#!/bin/sh\n[ "$1" != a ]\n',
    'flaps.yaml': failing().replace('seeds', 'order: listed\nseeds'),
  })
  const ended = await assay(['run', 'flaps.yaml', '--json'], { cwd })
  expect(summaryOf(ended)).toMatchObject({ failed: 10, completed: 30 })
})
