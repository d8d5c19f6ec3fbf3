import type { Json } from '../../util/json.ts'

export type TableRow = { readonly [column: string]: Json }

/** Rows to be written to a file; a cell that a row does not have is blank. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly TableRow[]
}
