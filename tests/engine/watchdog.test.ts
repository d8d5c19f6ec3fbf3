import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, startAssay } from '../support/assay.ts'

it('a thread reports a blocked loop, with its activity and function', () => {
  const script = join(import.meta.dirname, '../fixtures/stands-still.mjs')
  const { stderr, status } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  expect(status).toBe(0)
  expect(stderr).toMatch(
    /^warning: assay has stood still for \d+ s while settling and claiming runs, or planning new ones; it is in countSheep \(fixtures\/stands-still\.mjs:\d+\)/m,
  )
})

it('watches the loop of a real call', async () => {
  const cwd = folderWith({
    'e.yaml': 'name: e\ntarget: { kind: command, command: [sleep, "5"] }\n',
    // Its main thread waits as soon as it has started a thread, which is its watchdog.
    'waits.mjs': `import { isMainThread } from 'node:worker_threads'
const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 15_000)
if (isMainThread) process.once('worker', worker => worker.once('online', wait))
`,
  })
  const env = { NODE_OPTIONS: `--import=${join(cwd, 'waits.mjs')}` }
  const { stderr, status } = await startAssay(['run', 'e.yaml'], { cwd, env }).ended
  expect(stderr).toMatch(/^warning: assay has stood still for \d+ s while between two rounds/m)
  expect(status).toBe(0)
})
