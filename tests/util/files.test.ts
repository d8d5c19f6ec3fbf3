import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appendRegular } from '../../src/util/files.ts'
import { folderWith } from '../support/assay.ts'

test('appendRegular appends to a file, or creates it', () => {
  const file = join(folderWith(), 'log')
  appendRegular(file, 'one ')
  appendRegular(file, Buffer.from('two'))
  expect(readFileSync(file, 'utf8')).toBe('one two')
})

test.each([
  ['a pipe', (file: string) => void execFileSync('mkfifo', [file])],
  ['a link', (file: string) => symlinkSync('precious', file)],
  ['a folder', (file: string) => mkdirSync(file)],
])('appendRegular refuses %s at once', (_, obstruct) => {
  const folder = folderWith({ precious: 'mine' })
  const file = join(folder, 'log')
  obstruct(file)
  expect(() => appendRegular(file, 'more')).toThrow()
  expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('mine')
})
