import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endGroup } from '../../src/process/end-group.ts'
import { listProcesses } from '../../src/process/process-table.ts'
import { SpawnerClient } from '../../src/process/spawner/spawner-client.ts'
import { closeSpawners, startGroup } from '../../src/process/start-group.ts'
import { fileWith, program, temporaryDirectory } from './support.ts'

async function readySpawner(): Promise<SpawnerClient> {
  const spawner = new SpawnerClient()
  onTestFinished(() => spawner.close())
  // Its first word comes when it is up: a program that ends tells that it was.
  await spawner.spawn(optionsFor(['/bin/true'])).exit
  return spawner
}

function optionsFor(argv: readonly string[], env: Record<string, string | null> = {}) {
  const dir = temporaryDirectory()
  return { argv, cwd: dir, env, stdoutFile: join(dir, 'stdout.txt'), stderrFile: join(dir, 'stderr.txt') }
}

describe('a spawner', () => {
  test('starts programs in their own session, with their output in files', async () => {
    const spawner = await readySpawner()
    const options = optionsFor([program('exits.sh'), '7'])
    const { started, exit } = spawner.spawn(options)
    expect(await started).toBeGreaterThan(0)
    expect(await exit).toEqual({ kind: 'exited', code: 7 })
    expect(readFileSync(options.stdoutFile, 'utf8')).toBe('to stdout\n')
  })

  test('adds variables to our own, and takes away those that are null', async () => {
    const spawner = await readySpawner()
    const options = optionsFor(['/bin/sh', '-c', 'echo "$MINE-${HOME-gone}-${PATH:+path}"'], {
      MINE: 'yes',
      HOME: null,
    })
    await spawner.spawn(options).exit
    expect(readFileSync(options.stdoutFile, 'utf8')).toBe('yes-gone-path\n')
  })

  test('says what it could not start, and why', async () => {
    const spawner = await readySpawner()
    const missing = spawner.spawn(optionsFor(['no-such-program-anywhere']))
    expect(await missing.started).toBe(null)
    expect(await missing.exit).toMatchObject({ kind: 'not_started', code: 'ENOENT' })
    const noFolder = spawner.spawn({ ...optionsFor(['/bin/true']), stdoutFile: '/no-such-folder/stdout.txt' })
    await expect(noFolder.started).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('that is killed leaves no one waiting', async () => {
    const spawner = await readySpawner()
    const options = optionsFor([program('sleeps.sh')])
    const { started, exit } = spawner.spawn(options)
    const pid = (await started) ?? -1
    onTestFinished(() => endGroup({ token: 'none', pid, startTime: null, startedAt: Date.now() }, 0))
    const own = listProcesses().find(entry => entry.pid === pid)?.parent ?? -1
    process.kill(own, 'SIGKILL')
    expect(await exit).toEqual({ kind: 'lost' })
    expect(spawner.isReady).toBe(false)
  })
})

test('many programs in a row go through a spawner, few do not', async () => {
  closeSpawners()
  onTestFinished(closeSpawners)
  const parentOf = async () => {
    const options = optionsFor(['/bin/sh', '-c', 'echo $PPID.'])
    await startGroup(options).exit
    return Number.parseInt(await fileWith(options.stdoutFile, '.'), 10)
  }
  expect(await parentOf()).toBe(process.pid)
  let parent = process.pid
  while (parent === process.pid) parent = await parentOf()
  expect(parent).toBeGreaterThan(0)
})
