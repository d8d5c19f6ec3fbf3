import { expect, it } from 'vitest'
import { plainOutput } from '../../src/util/words.ts'

it('removes colours, cursor movements, titles and overwritten text, and nothing else', () => {
  expect(plainOutput('\u001b[31mRed\u001b[0m \u001b[2K\u001b]0;title\u0007[1] <b>\r\n10%\r20%\nend')).toBe(
    'Red [1] <b>\n20%\nend',
  )
})
