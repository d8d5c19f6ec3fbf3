import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { thisProcess } from '../../../../src/process/processes.ts'
import { cached } from '../../../../src/process/sandbox/build/cached.ts'
import { bundled } from '../../../support/bundled.ts'
import { temporaryDirectory } from '../../support.ts'

const builder = await bundled(join(import.meta.dirname, '../../../fixtures/sandbox/slow-builder.ts'))

it('builds once for several simultaneous processes', async () => {
  const cacheDir = temporaryDirectory()
  const children = [1, 2, 3, 4].map(() => spawn(process.execPath, [builder, cacheDir], { stdio: 'inherit' }))
  const ends = await Promise.all(children.map(child => once(child, 'exit')))
  expect(ends).toEqual(children.map(() => [0, null]))
  expect(readFileSync(join(cacheDir, 'log'), 'utf8')).toBe('made\n')
})

it('continues after a killed builder', async () => {
  const cacheDir = temporaryDirectory()
  const child = spawn(process.execPath, [builder, cacheDir, 'forever'], { stdio: 'inherit' })
  await expect.poll(() => existsSync(join(cacheDir, 'log'))).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const folder = await cached(cacheDir, 'a'.repeat(32), async draft => writeFileSync(join(draft, 'file'), 'second'))
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('second')
})

it('recognises a lock from before a reboot', async () => {
  const cacheDir = join(temporaryDirectory(), 'cache')
  mkdirSync(cacheDir)
  const id = 'b'.repeat(32)
  writeFileSync(join(cacheDir, `${id}.lock`), JSON.stringify({ ...thisProcess(), bootId: 'another' }))
  expect(await cached(cacheDir, id, async () => undefined)).toBe(join(cacheDir, id))
})
