import { expect, it } from 'vitest'
import { shownOutput } from '../../../../src/targets/agent/loop/shown-output.ts'

const shown = (text: string, most = 100, lost = 0) => shownOutput(text, { most, lost })

it('keeps short text unchanged', () => {
  expect(shown('one\ntwo\n')).toBe('one\ntwo\n')
})

it('cuts in the middle, gives the length, and splits no character', () => {
  const text = shown('😀'.repeat(100), 21, 1000)
  expect(text).toMatch(/\[… \d+ bytes left out …\]/)
  expect(text.isWellFormed()).toBe(true)
  expect(Number(/(\d+) bytes/.exec(text)?.[1])).toBeGreaterThan(1000 + 300)
})

it('describes binary output, and drops overwritten text', () => {
  expect(shown('a\0\0\0\0\0b')).toBe('a[5 bytes that are no text]b')
  expect(shown('10%\r50%\r100%\nnext\r\n')).toBe('100%\nnext\n')
  expect(shown('\u001b[1;31mred\u001b[0m \u001b]0;title\u0007x')).toBe('red x')
})

it('takes no longer for one long line than for many', () => {
  const text = 'x'.repeat(2_000_000)
  expect(shown(text, 1000).length).toBeLessThan(1100)
})
