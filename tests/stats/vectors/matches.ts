import type { Fields, Tolerance, Vector } from './vector.ts'

/** The keys of `wanted` that `got` does not fulfil, each with both values; none if it passes. */
export function mismatches(got: Fields, wanted: Fields, tolerance: Vector['tolerance']): string[] {
  return Object.keys(wanted)
    .filter(key => !isClose(got[key], wanted[key], boundsOf(key, tolerance)))
    .map(key => `${key}: ${show(got[key])} instead of ${show(wanted[key])}`)
}

interface Bounds {
  readonly rel: number
  readonly abs: number
}

function boundsOf(key: string, tolerance: Vector['tolerance']): Bounds {
  if (typeof tolerance === 'number') return { rel: tolerance, abs: tolerance }
  const { rel = 0, abs = 0, exact = [], perKey = {} }: Tolerance = tolerance
  if (exact.includes(key)) return { rel: 0, abs: 0 }
  const own = perKey[key]
  return own === undefined ? { rel, abs } : { rel: 0, abs: own }
}

function isClose(got: unknown, wanted: unknown, bounds: Bounds): boolean {
  // No value is no value, whether it is written null or NaN.
  if (isNothing(wanted)) return isNothing(got)
  if (typeof wanted === 'number')
    return (
      typeof got === 'number' &&
      (got === wanted || Math.abs(got - wanted) <= Math.max(bounds.abs, bounds.rel * Math.abs(wanted)))
    )
  if (Array.isArray(wanted))
    return (
      Array.isArray(got) && got.length === wanted.length && wanted.every((item, at) => isClose(got[at], item, bounds))
    )
  if (typeof wanted === 'object' && wanted !== null)
    return (
      typeof got === 'object' &&
      got !== null &&
      Object.entries(wanted).every(([key, item]) => isClose((got as Fields)[key], item, bounds))
    )
  return got === wanted
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || Number.isNaN(value)
}

function show(value: unknown): string {
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing')
}
