/**
 * The order of units, whatever order their runs came in, so that the same are drawn again in every command: numbers by size,
 * and before everything else; the rest in the order of code points, as every language sorts identifiers.
 */
export function byUnitName(a: string, b: string): number {
  const [x, y] = [numberIn(a), numberIn(b)]
  if (x !== null && y !== null && x !== y) return x - y
  if ((x === null) !== (y === null)) return x === null ? 1 : -1
  return a < b ? -1 : a > b ? 1 : 0
}

const numberIn = (text: string): number | null =>
  text.trim() === '' || !Number.isFinite(Number(text)) ? null : Number(text)
