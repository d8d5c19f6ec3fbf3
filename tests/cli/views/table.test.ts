import { expect, it } from 'vitest'
import { tableLines } from '../../../src/cli/views/table.ts'

it('aligns text to the left and numbers to the right', () => {
  const rows = [
    ['fifo', '1', '12.5'],
    ['priority', '10', '–'],
    ['日本', '100', '1e-7'],
  ]
  expect(tableLines(['policy', 'n', 'wait'], rows, { columns: 80 }).join('\n')).toMatchInlineSnapshot(`
    "policy      n  wait
    fifo        1  12.5
    priority   10     –
    日本      100  1e-7"
  `)
})

it('shortens the widest column if space is short', () => {
  const lines = tableLines(['run', 'reason'], [['full__wf5__seed1', 'a very long reason that nobody can read']], {
    columns: 40,
  })
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "run               reason
    full__wf5__seed1  a very long reason th…"
  `)
  expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(40)
})
