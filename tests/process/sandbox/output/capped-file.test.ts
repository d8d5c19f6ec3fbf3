import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CappedFile } from '../../../../src/process/sandbox/output/capped-file.ts'
import { needsFullDevice } from '../../../support/needs.ts'
import { temporaryDirectory } from '../../support.ts'

function written(mostBytes: number, ...chunks: string[]) {
  const file = join(temporaryDirectory(), 'out.txt')
  const capped = new CappedFile(file, mostBytes)
  for (const chunk of chunks) capped.write(Buffer.from(chunk))
  capped.close()
  return { text: readFileSync(file, 'utf8'), cutBytes: capped.cutBytes }
}

it('keeps everything up to its size', () => {
  expect(written(10, '01234', '56789')).toEqual({ text: '0123456789', cutBytes: 0 })
})

it('keeps the beginning and the end of longer output, in any chunks', () => {
  const text = '01234\n[assay: 3 bytes of output were not kept]\n89abc'
  expect(written(10, '0123456789abc')).toEqual({ text, cutBytes: 3 })
  expect(written(10, ...'0123456789abc')).toEqual({ text, cutBytes: 3 })
  expect(written(10, '012', '3456789', 'abc')).toEqual({ text, cutBytes: 3 })
})

it('counts bytes that a full disk refuses instead of failing', () => {
  needsFullDevice()
  const capped = new CappedFile('/dev/full', 10)
  capped.write(Buffer.from('0123456789'))
  capped.close()
  expect(capped.cutBytes).toBe(10)
})
