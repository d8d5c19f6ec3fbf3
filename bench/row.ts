/** One line of the table: the measurement, its target, and the result. */
export interface Row {
  readonly work: string
  readonly result: string
  readonly mustReach: string
  /** null: there is nothing to compare with, e.g. a peer that is not installed. */
  readonly isReached: boolean | null
}

export interface Bench {
  readonly name: string
  /** Takes minutes: runs only if named. */
  readonly isLong?: boolean
  /** `parts`: only these, of a bench that has parts; none: all. */
  run(parts: readonly string[]): Promise<readonly Row[]>
}
