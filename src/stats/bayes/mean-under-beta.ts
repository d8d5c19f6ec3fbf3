import { logGamma } from '../special/log-gamma.ts'

/** A Beta distribution: the belief about a success rate. */
export interface Beta {
  readonly a: number
  readonly b: number
}

/**
 * The mean of a function of a rate under a Beta distribution. `kinks` are the points where the function is not smooth:
 * the range is split there, and around the bulk of the distribution; each piece is integrated by the double exponential
 * rule (Takahasi & Mori 1974), which can handle densities that are infinite at 0 or 1 (down to a or b of about 0.05).
 */
export function meanUnder({ a, b }: Beta, of: (x: number) => number, kinks: readonly number[] = []): number {
  const logScale = logGamma(a + b) - logGamma(a) - logGamma(b)
  const centre = a / (a + b)
  const width = Math.sqrt((centre * (1 - centre)) / (a + b + 1))
  const cuts = [-16, -8, -4, -2, 0, 2, 4, 8, 16].map(times => centre + times * width)
  const ends = [...new Set([0, ...cuts, ...kinks, 1])]
    .filter(end => end >= 0 && end <= 1)
    .sort((one, other) => one - other)
  let sum = 0
  for (let piece = 1; piece < ends.length; piece++) {
    const low = ends[piece - 1] ?? 0
    const length = (ends[piece] ?? 1) - low
    for (const { fromLow, fromHigh, weight } of nodes) {
      const x = low + fromLow * length
      const rest = 1 - (ends[piece] ?? 1) + fromHigh * length
      const density = Math.exp(logScale + (a - 1) * Math.log(x) + (b - 1) * Math.log(rest))
      if (density > 0 && density < Infinity) sum += density * of(x) * weight * length
    }
  }
  return Math.min(1, Math.max(0, sum))
}

/** Points in [0, 1] by their distances from both ends, each exact, and their weights. */
const nodes = Array.from({ length: 193 }, (_, at) => {
  const t = (at - 96) / 16
  const u = Math.PI * Math.sinh(t)
  const weight = (Math.PI * Math.cosh(t)) / 16 / (2 + Math.exp(u) + Math.exp(-u))
  return { fromLow: 1 / (1 + Math.exp(-u)), fromHigh: 1 / (1 + Math.exp(u)), weight }
})
