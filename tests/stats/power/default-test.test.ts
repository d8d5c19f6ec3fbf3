import { expect, it } from 'vitest'
import { drawn } from '../../../src/stats/power/default-test.ts'
import { storedLines } from '../../../src/stats/power/stored-lines.ts'

it.each([[[7]], [[15]], [[8, 8]], [[12, 12]]] as const)(
  'the stored lines of %j units are those that are drawn',
  sizes => {
    for (const tail of [0.025, 0.05])
      expect(storedLines[[...sizes, tail].join()]).toEqual(drawn(sizes, tail, { isResampled: true, isDealt: false }))
  },
)
