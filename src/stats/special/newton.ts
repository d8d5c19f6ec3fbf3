/**
 * The zero of an increasing or decreasing concave function, by Newton's method. Tangents of a concave function lie
 * above it, so every step after the first comes from the same side and cannot miss: no bracket is needed. Logarithms of
 * distribution functions of log-concave variables are such functions.
 */
export function rootOfConcave(start: number, valueAndSlope: (x: number) => readonly [number, number]): number {
  let x = start
  let known = start
  let lastStep = Infinity
  for (let step = 0; step < 300; step++) {
    const [value, slope] = valueAndSlope(x)
    const move = value / slope
    if (!Number.isFinite(move)) {
      // The first tangent led so far out that a probability became 0: come back halfway.
      x = (x + known) / 2
      if (x === known) return x
      continue
    }
    known = x
    x -= move
    const size = Math.abs(move)
    // Rounding ends the convergence slightly above the last digit of x: stop when steps no longer shrink there.
    if (size <= 1e-16 * Math.abs(x) || (size < 1e-11 * Math.max(1, Math.abs(x)) && size >= lastStep)) break
    lastStep = size
  }
  return x
}
