import { logNormalSurvival, normalCdf, normalDensity } from '../../../stats/index.ts'

const logRootTwoPi = 0.9189385332046728

/**
 * The logarithm of how much below `best` a value is expected to be, with values above counting as 0. The logarithm,
 * because far from the best the number itself is 0 and all places look the same (S. Ament et al. 2023, "Unexpected
 * improvements to expected improvement", NeurIPS).
 */
export function logExpectedImprovement(mean: number, deviation: number, best: number): number {
  const z = (best - mean) / deviation
  return Math.log(deviation) + logTail(z)
}

/** log(φ(z) + z Φ(z)). */
function logTail(z: number): number {
  if (z > -1) return Math.log(normalDensity(z) + z * normalCdf(z))
  const logDensity = -0.5 * z * z - logRootTwoPi
  // 1 − |z| M(|z|) loses all its digits far in the tail, where it is 1 / z² − 3 / z⁴ + 15 / z⁶.
  if (z < -50) return logDensity - 2 * Math.log(-z)
  const ratio = Math.exp(logNormalSurvival(-z) - logDensity)
  return logDensity + Math.log1p(z * ratio)
}
