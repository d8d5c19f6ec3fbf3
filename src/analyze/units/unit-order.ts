/**
 * The order of units, regardless of the order of their runs, so that every command resamples the same ones: numbers by
 * size, and before everything else; the rest by code point, as every language sorts identifiers.
 */
export function byUnitName(a: string, b: string): number {
  const [one, other] = [rowIn(a), rowIn(b)]
  if (one !== null && other !== null && one.table === other.table) return one.row - other.row
  const [x, y] = [numberIn(a), numberIn(b)]
  if (x !== null && y !== null && x !== y) return x - y
  if ((x === null) !== (y === null)) return x === null ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}

/** Rows without a name of their own keep the order of their table: row 2 comes before row 10. */
function rowIn(text: string): { readonly table: string; readonly row: number } | null {
  const [, table, row] = /^\[(.*),"row (\d+)"\]$/.exec(text) ?? []
  return table === undefined ? null : { table, row: Number(row) }
}

const numberIn = (text: string): number | null =>
  text.trim() === '' || !Number.isFinite(Number(text)) ? null : Number(text)
