/** Four words: a key, or a counter. */
export type FourWords = readonly [number, number, number, number]

/**
 * Fills the array with hashes of the counter, the counter with its first word one larger, …: four words for each, by Threefry-4x32 with 20 rounds (Salmon, Moraes, Dror & Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3").
 * Rounds are written out by eight: a processor works on both halves of the state at once.
 */
export function fillThreefry(key: FourWords, counter: FourWords, out: Uint32Array): void {
  const [key0, key1, key2, key3] = key
  const key4 = key0 ^ key1 ^ key2 ^ key3 ^ 0x1bd11bda
  const [first, c1, c2, c3] = counter
  for (let at = 0; at < out.length; at += 4) {
    let k0 = key0
    let k1 = key1
    let k2 = key2
    let k3 = key3
    let k4 = key4
    let w = (first + (at >>> 2) + k0) | 0
    let x = (c1 + k1) | 0
    let y = (c2 + k2) | 0
    let z = (c3 + k3) | 0
    for (let group = 1; ; group++) {
      w = (w + x) | 0
      y = (y + z) | 0
      x = ((x << 10) | (x >>> 22)) ^ w
      z = ((z << 26) | (z >>> 6)) ^ y
      w = (w + z) | 0
      y = (y + x) | 0
      z = ((z << 11) | (z >>> 21)) ^ w
      x = ((x << 21) | (x >>> 11)) ^ y
      w = (w + x) | 0
      y = (y + z) | 0
      x = ((x << 13) | (x >>> 19)) ^ w
      z = ((z << 27) | (z >>> 5)) ^ y
      w = (w + z) | 0
      y = (y + x) | 0
      z = ((z << 23) | (z >>> 9)) ^ w
      x = ((x << 5) | (x >>> 27)) ^ y
      w = (w + k1) | 0
      x = (x + k2) | 0
      y = (y + k3) | 0
      z = (z + k4 + group) | 0
      if (group === 5) break
      group++
      w = (w + x) | 0
      y = (y + z) | 0
      x = ((x << 6) | (x >>> 26)) ^ w
      z = ((z << 20) | (z >>> 12)) ^ y
      w = (w + z) | 0
      y = (y + x) | 0
      z = ((z << 17) | (z >>> 15)) ^ w
      x = ((x << 11) | (x >>> 21)) ^ y
      w = (w + x) | 0
      y = (y + z) | 0
      x = ((x << 25) | (x >>> 7)) ^ w
      z = ((z << 10) | (z >>> 22)) ^ y
      w = (w + z) | 0
      y = (y + x) | 0
      z = ((z << 18) | (z >>> 14)) ^ w
      x = ((x << 20) | (x >>> 12)) ^ y
      w = (w + k2) | 0
      x = (x + k3) | 0
      y = (y + k4) | 0
      z = (z + k0 + group) | 0
      const t0 = k0
      const t1 = k1
      k0 = k2
      k1 = k3
      k2 = k4
      k3 = t0
      k4 = t1
    }
    out[at] = w
    out[at + 1] = x
    out[at + 2] = y
    out[at + 3] = z
  }
}
