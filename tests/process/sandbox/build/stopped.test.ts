import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { thisProcess } from '../../../../src/process/processes.ts'
import { cached } from '../../../../src/process/sandbox/build/cached.ts'
import { temporaryDirectory } from '../../support.ts'

const id = 'c'.repeat(32)

it('a waiting process builds when the first one was stopped', async () => {
  const cacheDir = join(temporaryDirectory(), 'cache')
  const stopping = new AbortController()
  const first = cached(
    cacheDir,
    id,
    () => new Promise((_, reject) => stopping.signal.addEventListener('abort', () => reject(new Error('stopped')))),
    stopping.signal,
  )
  const made: string[] = []
  const others = ['second', 'third'].map(name => cached(cacheDir, id, async () => void made.push(name)))
  stopping.abort()
  await expect(first).rejects.toThrow('stopped')
  expect(await Promise.all(others)).toEqual([join(cacheDir, id), join(cacheDir, id)])
  expect(made).toHaveLength(1)
})

it('stops waiting for another process’s lock when the run is stopped', async () => {
  const cacheDir = join(temporaryDirectory(), 'cache')
  mkdirSync(cacheDir)
  writeFileSync(join(cacheDir, `${id}.lock`), JSON.stringify(thisProcess()))
  await expect(cached(cacheDir, id, async () => undefined, AbortSignal.abort(new Error('asked to')))).rejects.toThrow(
    'asked to',
  )
})

it('removes the files of a killed builder', async () => {
  const cacheDir = join(temporaryDirectory(), 'cache')
  mkdirSync(join(cacheDir, `${id}.4194999.making`, 'files'), { recursive: true })
  await cached(cacheDir, id, async () => undefined)
  expect(readdirSync(cacheDir)).toEqual([id])
  expect(existsSync(join(cacheDir, id, 'files'))).toBe(false)
})
