// A set-associative cache that replaces the least recently used line.
//   node cache.mjs --lines 256 --ways 2 --seed 1 [--no-prefetch]
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  allowNegative: true,
  options: {
    lines: { type: 'string', default: '64' },
    ways: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    prefetch: { type: 'boolean', default: true },
  },
})

const ways = Number(values.ways)
const sets = Array.from({ length: Number(values.lines) / ways }, () => [])
const random = generator(Number(values.seed))
const accesses = 50_000
let hits = 0
let address = 0

for (let count = 0; count < accesses; count++) {
  // Mostly the next line, sometimes a jump to somewhere near the beginning.
  address = random() < 0.7 ? address + 1 : Math.floor(4096 * random() ** 3)
  if (touch(address)) hits++
  if (values.prefetch) touch(address + 1)
}
console.log(`hit rate ${(hits / accesses).toFixed(4)} after ${accesses} accesses`)

/** Whether it was a hit; in any case the line becomes the newest of its set. */
function touch(line) {
  const set = sets[line % sets.length]
  const place = set.indexOf(line)
  if (place >= 0) set.splice(place, 1)
  set.push(line)
  if (set.length > ways) set.shift()
  return place >= 0
}

/** mulberry32 */
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
