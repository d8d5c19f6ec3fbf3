/**
 * ∫ exp(logDensity(u)) du over the real line, for a smooth function with one mode that falls off at both ends.
 * The trapezoid rule converges exponentially for such functions (Trefethen & Weideman 2014, SIAM Review 56:385),
 * so the points are doubled until the answer stands still. Everything is relative to the peak: tails of 1e-200 keep their digits.
 */
export function integratePeak(logDensity: (u: number) => number, near: number, width: number): number {
  const peak = climb(logDensity, near, width)
  const height = logDensity(peak)
  if (height < smallestExponent) return 0
  const low = descend(logDensity, peak, -width, height)
  const high = descend(logDensity, peak, width, height)
  let step = (high - low) / 32
  let total = 0
  for (let u = low; u < high + step / 2; u += step) total += Math.exp(logDensity(u) - height)
  for (let doubling = 0; doubling < 12; doubling++) {
    let between = 0
    for (let u = low + step / 2; u < high; u += step) between += Math.exp(logDensity(u) - height)
    const change = Math.abs(between - total)
    total += between
    step /= 2
    // The error squares with every doubling: agreement to 1e-9 means that this answer is exact.
    if (change <= 1e-9 * total) break
  }
  return total * step * Math.exp(height)
}

/** Exponents below this give 0, and their logarithm is too coarse to integrate. */
const smallestExponent = -800

/** Below e⁻⁴⁵ of the peak nothing adds to 16 digits. */
const negligible = 45

function climb(logDensity: (u: number) => number, near: number, width: number): number {
  let at = near
  let height = logDensity(at)
  let stride = width
  while (Math.abs(stride) > width * 1e-3) {
    const next = logDensity(at + stride)
    if (next > height) {
      at += stride
      height = next
      stride *= 2
    } else stride *= -0.4
  }
  return at
}

function descend(logDensity: (u: number) => number, peak: number, stride: number, height: number): number {
  let reach = stride
  while (logDensity(peak + reach) > height - negligible) reach *= 1.5
  return peak + reach
}
