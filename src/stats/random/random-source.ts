/** Random numbers for resampling. The same source gives the same numbers in every browser and on every machine. */
export interface RandomSource {
  /** In [0, 1), with 53 random bits. */
  next(): number
  /** A whole number from 0 to `limit` − 1, each equally likely. */
  below(limit: number): number
  /** Fills the array with whole numbers from 0 to `limit` − 1, for a resample with replacement. */
  fillBelow(limit: number, into: Int32Array): void
}

/** The source of random bits: whole blocks of 32-bit words, so that the inner loop keeps its state in registers. */
export interface WordGenerator {
  fillWords(words: Uint32Array): void
}
