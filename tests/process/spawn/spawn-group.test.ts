import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { spawnGroup } from '../../../src/process/spawn/spawn-group.ts'
import { bundled } from '../../support/bundled.ts'
import { startProgram, temporaryDirectory } from '../support.ts'

test('200 MB of output bypass this process', async () => {
  const started = startProgram('much-output.sh')
  expect(await started.exit).toMatchObject({ kind: 'exited', code: 0 })
  expect(statSync(started.stdoutFile).size).toBeGreaterThan(200_000_000)
})

test('starts nothing if output files can’t be created', () => {
  const dir = temporaryDirectory()
  const stderrFile = join(dir, 'stderr.txt')
  const options = { argv: ['/bin/ls'], cwd: dir, env: {}, stderrFile, stdoutFile: '/no-such-folder/stdout.txt' }
  expect(() => spawnGroup(options)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})

const module = new URL('../../../src/process/spawn/spawn-group.ts', import.meta.url).href
const waits = (dir: string, told: string) => `
  const { spawnGroup } = await import('${module}')
  const { exit } = spawnGroup({ argv: ['/bin/sh', '-c', 'sleep 0.2; exit 5'], cwd: '${dir}', env: {}, stdoutFile: '${dir}/o', stderrFile: '${dir}/e' })
  ;${told}((await exit).code)`

test('a process stays alive while it waits for a program', () => {
  const dir = temporaryDirectory()
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', waits(dir, 'console.log')], {
    encoding: 'utf8',
  })
  expect(stdout).toBe('5\n')
})

test('reports simultaneous exits, beside those of Node’s own children', () => {
  const dir = temporaryDirectory()
  const program = `
    const { spawnGroup } = await import('${module}')
    const { spawn } = await import('node:child_process')
    const groups = Array.from({ length: 200 }, (_, index) =>
      spawnGroup({ argv: ['/bin/sh', '-c', 'exit ' + index], cwd: '${dir}', env: {}, stdoutFile: '${dir}/o', stderrFile: '${dir}/e' }).exit)
    const others = Array.from({ length: 20 }, (_, index) =>
      new Promise(resolve => spawn('/bin/sh', ['-c', 'exit ' + index]).once('exit', resolve)))
    const ends = await Promise.all(groups)
    console.log(ends.every(({ code }, index) => code === index), (await Promise.all(others)).join(' '))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(stdout).toBe(`true ${Array.from({ length: 20 }, (_, index) => index).join(' ')}\n`)
})

test('two copies in one process each receive the exits of their own programs', async () => {
  const dir = temporaryDirectory()
  const copy = await bundled(join(import.meta.dirname, '../../fixtures/programs/two-copies.ts'))
  const program = `
    const [one, other] = await Promise.all(['?1', '?2'].map(which => import('${copy}' + which)))
    const start = ({ spawnGroup }, nth, script) =>
      spawnGroup({ argv: ['/bin/sh', '-c', script], cwd: '${dir}', env: {}, stdoutFile: '${dir}/o' + nth, stderrFile: '${dir}/e' })
    await start(one, 0, 'true').exit
    const { exit } = start(other, 1, 'exit 5')
    // Long enough for one to look for strays before either is notified of an ended child.
    const until = performance.now() + 1_500
    while (performance.now() < until);
    console.log((await exit).code)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(stdout).toBe('5\n')
})

test('threads receive the exits of their programs too', async () => {
  const dir = temporaryDirectory()
  const told = "(await import('node:worker_threads')).parentPort.postMessage"
  const source = `data:text/javascript,${encodeURIComponent(waits(dir, told))}`
  const worker = new Worker(new URL(source))
  expect(await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))).toBe(5)
})
