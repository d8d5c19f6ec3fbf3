import { expect, it } from 'vitest'
import { markdownTable, safe } from '../../../src/report/analysis/sections.ts'

it('text from outside stays text', () => {
  expect(safe('a|b <script> *x* `y`\nz < 3')).toBe('a\\|b \\<script> \\*x\\* \\`y\\` z < 3')
  expect(markdownTable(['a', 'b'], [['1', '2']])).toEqual(['| a | b |', '|---|---|', '| 1 | 2 |'])
})
