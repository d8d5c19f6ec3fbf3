/**
 * Turns any whole number into well-mixed 32-bit words, as numpy's SeedSequence does, so that a seed means here what it
 * means there (O'Neill 2015, "Developing a seed_seq alternative", whose constants numpy adopted).
 */
export function seedSequenceWords(seed: number | bigint, count: number): Uint32Array {
  const pool = mixPool(wordsOf(seed))
  const words = new Uint32Array(count)
  let hash = 0x8b51f9dd
  for (let at = 0; at < count; at++) {
    let word = (pool[at % poolSize] ?? 0) ^ hash
    hash = Math.imul(hash, 0x58f38ded)
    word = Math.imul(word, hash)
    words[at] = word ^ (word >>> 16)
  }
  return words
}

const poolSize = 4

function mixPool(entropy: readonly number[]): Uint32Array {
  const pool = new Uint32Array(poolSize)
  let hash = 0x43b0d7e5
  const hashed = (input: number): number => {
    let word = input ^ hash
    hash = Math.imul(hash, 0x931e8875)
    word = Math.imul(word, hash)
    return word ^ (word >>> 16)
  }
  const mixInto = (target: number, word: number): void => {
    const mixed = Math.imul(pool[target] ?? 0, 0xca01f9dd) - Math.imul(word, 0x4973f715)
    pool[target] = mixed ^ ((mixed | 0) >>> 16)
  }
  for (let at = 0; at < poolSize; at++) pool[at] = hashed(entropy[at] ?? 0)
  for (let from = 0; from < poolSize; from++)
    for (let to = 0; to < poolSize; to++) if (from !== to) mixInto(to, hashed(pool[from] ?? 0))
  for (const word of entropy.slice(poolSize)) for (let to = 0; to < poolSize; to++) mixInto(to, hashed(word))
  return pool
}

/** The number in base 2^32, least digit first. */
function wordsOf(seed: number | bigint): number[] {
  if (typeof seed === 'number' && !Number.isSafeInteger(seed))
    throw new RangeError(`seed ${seed}: expected a whole number below 2^53; give a larger one as a BigInt`)
  let rest = BigInt(seed)
  if (rest < 0n) throw new RangeError(`seed ${seed}: numpy takes no negative seeds`)
  const words: number[] = []
  do {
    words.push(Number(rest & 0xffffffffn))
    rest >>= 32n
  } while (rest > 0n)
  return words
}
