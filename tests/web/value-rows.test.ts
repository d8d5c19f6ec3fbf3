import { expect, it } from 'vitest'
import { valueRows } from '../../web/runs/value-rows.ts'

it('subtracts levels without rounding noise', () => {
  const [row] = valueRows({ load: 0.9 }, { load: 0.7 })
  expect([0.9, 0.7, 0.7 - 0.9].map(value => row?.write(value))).toEqual(['0.9', '0.7', '−0.2'])
})

it('has every name once, and nothing if one of the two has none', () => {
  expect(valueRows({ a: 1, b: 'x' }, { b: 'y', c: true }).map(({ name, a, b }) => [name, a, b])).toEqual([
    ['a', 1, null],
    ['b', 'x', 'y'],
    ['c', null, 'true'],
  ])
})
