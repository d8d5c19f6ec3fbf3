/** What a ratio of nothing to nothing is: `0` in the files of SWE-agent's hooks, null everywhere else. */
export type EmptyRatio = 0 | null

/** null where a part is unknown. */
export function ratio(part: number | null, whole: number | null, empty: EmptyRatio): number | null {
  if (part === null || whole === null) return null
  return whole === 0 ? empty : part / whole
}

/** null as soon as one of them is unknown. */
export const plus = (...values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)
