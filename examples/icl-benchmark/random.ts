/** Random numbers in [0, 1) that follow from the seed and their purpose, so that one use never shifts another. */
export function randomFor(seed: number, ...purpose: readonly (string | number)[]): () => number {
  let state = seed >>> 0
  for (const character of JSON.stringify(purpose)) state = mixed(state ^ character.charCodeAt(0))
  // mulberry32 (Tommy Ettinger, public domain)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Box and Muller 1958. */
export const normalFrom = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const mixed = (bits: number): number => Math.imul(bits ^ (bits >>> 16), 0x45d9f3b) >>> 0
