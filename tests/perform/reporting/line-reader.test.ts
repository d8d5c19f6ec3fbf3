import { appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineReader } from '../../../src/perform/reporting/line-reader.ts'
import { temporaryDirectory } from '../../process/support.ts'

test('a file growing in any pieces gives the same lines as the whole', () => {
  const dir = temporaryDirectory()
  let files = 0
  const piece = fc.string({ unit: fc.constantFrom('a', 'é', '\n', ' ') })
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const file = join(dir, String(files++))
      const reader = new LineReader(file, dirname(file))
      const lines: string[] = []
      const take = (text: string, number: number) => {
        lines.push(text)
        expect(number).toBe(lines.length)
      }
      for (const text of pieces) {
        appendFileSync(file, text)
        reader.read(take)
      }
      reader.readRest(take)
      const whole = pieces.join('').split('\n')
      expect(lines).toEqual(whole.at(-1) === '' ? whole.slice(0, -1) : whole)
    }),
  )
})

test('a missing file has no lines', () => {
  const lines: string[] = []
  new LineReader(join(temporaryDirectory(), 'none'), tmpdir()).read(line => lines.push(line))
  expect(lines).toEqual([])
})

test('an endless line does not fill the memory', () => {
  const file = join(temporaryDirectory(), 'long')
  appendFileSync(file, 'x'.repeat(20_000_000))
  expect(() => new LineReader(file, dirname(file)).read(() => {})).toThrow('has a line of more than 16 MB')
})
