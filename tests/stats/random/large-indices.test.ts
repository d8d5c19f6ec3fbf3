import fc from 'fast-check'
import { expect, test } from 'vitest'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { largeIndices } from '../../../src/stats/random/large-indices.ts'
import type { WordGenerator } from '../../../src/stats/random/random-source.ts'

/** Words in which every number of that many bits occurs equally often, so draws from them must be uniform, too. */
function everyNumber(bits: 19 | 21): WordGenerator {
  const group = bits === 19 ? 3 : 2
  let number = 0
  return {
    fillWords(words) {
      for (let at = 0; at < words.length; at += group, number = (number + 1) % 2 ** bits)
        if (bits === 19) {
          words[at] = number | (number << 19)
          words[at + 1] = (number >>> 13) | (number << 6) | (number << 25)
          words[at + 2] = (number >>> 7) | (number << 13)
        } else {
          words[at] = number | (number << 21)
          words[at + 1] = (number >>> 11) | (number << 11)
        }
    },
  }
}

// Limits that reject hardly any, about a fifth, and none.
test.each([
  [19, 5, 32_769],
  [19, 5, 104_858],
  [19, 5, 2 ** 16],
  [21, 3, 262_145],
  [21, 3, 419_431],
] as const)('numbers of %i bits, %i at a time, are without bias below %i', (bits, numbers, limit) => {
  const times = numbers * Math.floor(2 ** bits / limit)
  const drawn = new Int32Array(times * limit)
  largeIndices(everyNumber(bits))(limit, drawn)
  const counts = new Uint32Array(limit)
  for (const number of drawn) counts[number] = (counts[number] ?? 0) + 1
  expect(counts.every(count => count === times)).toBe(true)
})

test('drawn in chunks of any length, indices are below their limit, including the last ones', () => {
  const limits = fc.integer({ min: 32_769, max: 2 ** 22 })
  fc.assert(
    fc.property(limits, fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 8 }), (limit, lengths) => {
      const random = counterRandom(limit)
      for (const length of lengths) {
        const drawn = new Int32Array(length).fill(-1)
        random.fillBelow(limit, drawn)
        expect(drawn.every(number => number >= 0 && number < limit)).toBe(true)
      }
    }),
  )
})
