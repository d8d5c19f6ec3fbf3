import { expect, it } from 'vitest'
import { printedText } from '../../web/runs/printed-text.ts'

it('leaves out colours, moves of the cursor and titles, and nothing else', () => {
  expect(printedText('\u001b[31mRed\u001b[0m \u001b[2K\u001b]0;title\u0007[1] a\\nb <b>')).toBe('Red [1] a\\nb <b>')
})
