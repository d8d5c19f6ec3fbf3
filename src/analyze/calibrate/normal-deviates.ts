import type { RandomSource } from '../../stats/index.ts'

/** Standard normal numbers, by the polar method (Marsaglia & Bray 1964, SIAM Review 6:260). */
export function normalDeviates(random: RandomSource): () => number {
  let spare: number | undefined
  return () => {
    if (spare !== undefined) {
      const left = spare
      spare = undefined
      return left
    }
    for (;;) {
      const u = 2 * random.next() - 1
      const v = 2 * random.next() - 1
      const square = u * u + v * v
      if (square === 0 || square >= 1) continue
      const scale = Math.sqrt((-2 * Math.log(square)) / square)
      spare = v * scale
      return u * scale
    }
  }
}
