export interface LinePoint {
  readonly x: number
  readonly y: number
}

/**
 * A line cut at the top of the frame: it ends where it leaves the frame, and starts again where it returns. NaN is a
 * gap.
 */
export function cutLine(line: readonly { readonly x: number; readonly cv: number }[], top: number): LinePoint[] {
  return line.flatMap(({ x, cv }, index) => {
    const next = line[index + 1]
    const own = { x, y: cv <= top ? cv : Number.NaN }
    if (next === undefined || Number.isNaN(cv) || Number.isNaN(next.cv) || cv <= top === next.cv <= top) return [own]
    const crossing = { x: x + ((top - cv) / (next.cv - cv)) * (next.x - x), y: top }
    return [own, crossing]
  })
}
