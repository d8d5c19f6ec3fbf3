/** The order that people expect: `row 2` before `row 10`, `a` before `B`. Not Intl's: loading that takes longer than starting Node. */
export function naturalOrder(a: string, b: string): number {
  if (a === b) return 0
  const [first, second] = [piecesOf(a), piecesOf(b)]
  for (const [at, piece] of first.entries()) {
    const other = second[at]
    if (other === undefined) return 1
    const order = comparePieces(piece, other)
    if (order !== 0) return order
  }
  return first.length - second.length || (a < b ? -1 : 1)
}

/** Text, decimals such as `0.25`, and runs of digits: `1.10.2` is three whole numbers. */
const piecesOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/(?<![\d.])\d+\.\d+(?![\d.])|\d+|\D+/g) ?? []

function comparePieces(a: string, b: string): number {
  const difference = Number(a) - Number(b)
  if (difference !== 0 && !Number.isNaN(difference)) return difference
  return a === b ? 0 : a < b ? -1 : 1
}
