/** One record of a known-answer file. */
export interface Vector {
  readonly name: string
  readonly fn: string
  readonly input: Readonly<Record<string, unknown>>
  readonly expected: Fields
  readonly tolerance: number | Tolerance
  readonly accept?: readonly Fields[]
}

export type Fields = Readonly<Record<string, unknown>>

export interface Tolerance {
  readonly rel?: number
  readonly abs?: number
  /** Keys that must be equal. */
  readonly exact?: readonly string[]
  /** Absolute tolerances of single keys. */
  readonly perKey?: Readonly<Record<string, number>>
}

/** The numbers that JSON cannot hold come as strings, anywhere in the data. */
export function reviveNumbers(data: unknown): unknown {
  if (data === 'NaN') return Number.NaN
  if (data === 'Infinity') return Infinity
  if (data === '-Infinity') return -Infinity
  if (Array.isArray(data)) return data.map(reviveNumbers)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, reviveNumbers(value)]))
}
