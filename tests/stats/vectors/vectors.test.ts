import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { checkVector } from './check-vector.ts'
import { registry } from './registry.ts'
import type { Vector } from './vector.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const known: readonly Vector[] = JSON.parse(readFileSync(join(import.meta.dirname, 'stats-vectors.json'), 'utf8'))

test('gives every known answer, computed with SciPy', () => {
  const failures = known.map(vector => `${vector.name}: ${checkVector(vector, registry)}`)
  expect(failures.filter(line => !line.endsWith(': null'))).toEqual([])
})

describe('what passes', () => {
  const answers = (fields: Readonly<Record<string, unknown>>) => ({ f: () => fields })
  const vector = (
    expected: Vector['expected'],
    tolerance: Vector['tolerance'],
    more: Partial<Vector> = {},
  ): Vector => ({
    ...{ name: 'v', fn: 'f', input: {}, expected, tolerance },
    ...more,
  })

  test('the looser of the absolute and the relative tolerance', () => {
    expect(checkVector(vector({ x: 100 }, { rel: 0.01, abs: 0.1 }), answers({ x: 100.9 }))).toBeNull()
    expect(checkVector(vector({ x: 100 }, { rel: 0.01, abs: 0.1 }), answers({ x: 101.1 }))).toContain(
      '101.1 instead of 100',
    )
    expect(checkVector(vector({ n: 64 }, { rel: 0.1, exact: ['n'] }), answers({ n: 64.01 }))).not.toBeNull()
    expect(checkVector(vector({ n: 64 }, { perKey: { n: 0.1 } }), answers({ n: 64.01 }))).toBeNull()
  })

  test('numbers that JSON cannot hold, and no value', () => {
    expect(
      checkVector(vector({ x: 'Infinity', y: [1, 'NaN'] }, 0), answers({ x: Infinity, y: [1, Number.NaN] })),
    ).toBeNull()
    expect(checkVector(vector({ p: null }, 1), answers({ p: null }))).toBeNull()
    expect(checkVector(vector({ p: null }, 1), answers({ p: 0 }))).not.toBeNull()
    expect(checkVector(vector({ p: 0 }, 1), answers({ p: null }))).not.toBeNull()
  })

  test('any accepted entry, an error among them', () => {
    const lenient = vector({ p: 1, n: 3 }, 0, { accept: [{ p: null }, { error: true }] })
    expect(checkVector(lenient, answers({ p: null }))).toBeNull()
    const failing = () => {
      throw new Error('no')
    }
    expect(checkVector(lenient, { f: failing })).toBeNull()
    expect(checkVector(vector({ p: 1 }, 0), { f: failing })).toContain('(no)')
  })
})

test('npm run vectors reports passes and failures, and exits with 1', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'vectors-')), 'vectors.json')
  const wrong = { name: 'wrong', fn: 'dist.normCdf', input: { x: 0 }, expected: { value: 0.6 }, tolerance: 1e-9 }
  writeFileSync(file, JSON.stringify([{ ...wrong, name: 'right', expected: { value: 0.5 } }, wrong]))
  const run = promisify(execFile)(process.execPath, ['scripts/vectors.mjs', file], { cwd: root })
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: '1 passed, 1 failed\nwrong: value: 0.5 instead of 0.6\n',
  })
})
