import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lastLine } from '../../../src/record/places.ts'
import { folderWith } from '../../support/assay.ts'

it.each([
  ['what a program said last', 'one\ntwo\n\n', 'two'],
  [
    'the message of an error, not its stack',
    'working\nTypeError: no such thing\n    at f (file:///x/y.js:3:9)\n    at async main (/x/z.js:1:2)\n    at <anonymous>\n\nNode.js v24.21.0\n',
    'TypeError: no such thing',
  ],
  ['a stack where there is nothing else', '    at f (file:///x/y.js:3:9)\n', 'at f (file:///x/y.js:3:9)'],
  ['nothing that would move the cursor', 'bad \u001b[31mred\u001b[0m\n', 'bad  [31mred [0m'],
  ['nothing of nothing', '', ''],
])('gives %s', (_, text, expected) => {
  const file = join(folderWith(), 'stderr.txt')
  writeFileSync(file, text)
  expect(lastLine(file)).toBe(expected)
})
