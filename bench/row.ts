/** One line of the table: what was measured, what it must reach, what it did. */
export interface Row {
  readonly work: string
  readonly result: string
  readonly mustReach: string
  /** null: there is nothing to compare with, e.g. a peer that is not installed. */
  readonly isReached: boolean | null
}

export type Bench = { readonly name: string; run(): Promise<readonly Row[]> }
