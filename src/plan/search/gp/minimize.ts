/** A function with its gradient. */
export type Smooth = (at: Float64Array) => { readonly value: number; readonly gradient: Float64Array }

/**
 * A minimum near the start: L-BFGS (J. Nocedal 1980, "Updating quasi-Newton matrices with limited storage", Math.
 * Comp. 35:773), halving the step until the function goes down enough.
 */
export function minimize(smooth: Smooth, start: Float64Array, iterations: number): { at: Float64Array; value: number } {
  let at = start
  let here = smooth(at)
  const pairs: Pair[] = []
  for (let iteration = 0; iteration < iterations; iteration++) {
    const direction = descent(here.gradient, pairs)
    const slope = dot(direction, here.gradient)
    if (!(slope < -1e-9)) break
    const next = goDown(smooth, at, here.value, direction, slope)
    if (next === null) break
    const step = next.at.map((value, index) => value - (at[index] ?? 0))
    const change = next.gradient.map((value, index) => value - (here.gradient[index] ?? 0))
    const curvature = dot(step, change)
    if (curvature > 1e-12) pairs.push({ step, change, curvature })
    if (pairs.length > 8) pairs.shift()
    const gain = here.value - next.value
    at = next.at
    here = next
    if (gain < 1e-4) break
  }
  return { at, value: here.value }
}

interface Pair {
  readonly step: Float64Array
  readonly change: Float64Array
  readonly curvature: number
}

/** The two-loop recursion: the gradient times an estimate of the inverse Hessian, downhill. */
function descent(gradient: Float64Array, pairs: readonly Pair[]): Float64Array {
  const direction = gradient.map(value => -value)
  const factors = pairs.toReversed().map(({ step, change, curvature }) => {
    const factor = dot(step, direction) / curvature
    add(direction, change, -factor)
    return factor
  })
  const last = pairs.at(-1)
  const scale =
    last === undefined
      ? 1 / Math.max(1, Math.sqrt(dot(gradient, gradient)))
      : last.curvature / dot(last.change, last.change)
  for (let index = 0; index < direction.length; index++) direction[index] = (direction[index] ?? 0) * scale
  factors.reverse()
  pairs.forEach(({ step, change, curvature }, index) => {
    add(direction, step, (factors[index] ?? 0) - dot(change, direction) / curvature)
  })
  return direction
}

function goDown(smooth: Smooth, from: Float64Array, value: number, direction: Float64Array, slope: number) {
  // Parameters are logarithms: a step of more than a factor of e² is too bold.
  const longest = direction.reduce((most, part) => Math.max(most, Math.abs(part)), 0)
  let size = Math.min(1, 2 / longest)
  for (let attempt = 0; attempt < 12; attempt++, size /= 2) {
    const at = from.map((start, index) => start + size * (direction[index] ?? 0))
    const next = smooth(at)
    if (next.value <= value + 1e-4 * size * slope) return { at, ...next }
  }
  return null
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0)
  return sum
}

function add(to: Float64Array, what: Float64Array, times: number): void {
  for (let index = 0; index < to.length; index++) to[index] = (to[index] ?? 0) + times * (what[index] ?? 0)
}
