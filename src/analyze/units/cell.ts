import type { Observation } from '../../define/observation.ts'

/** What was measured in one place: one setting of the blocks and of the factors that both arms have. */
export interface Cell {
  readonly unit: string
  /** Where it is, in words. */
  readonly where: string
  readonly values: number[]
  readonly runs: Observation[]
  /** How many runs here gave no value. */
  missing: number
  /** The runs that failed or were cut off, where these count as worse than every value. */
  readonly cut?: Observation[]
}

export type Cells = ReadonlyMap<string, Cell>
