export interface BandPoint {
  readonly x: number
  readonly low: number
  readonly high: number
}

/** A band cut off at the top of the frame, with corners where its edges cross it; an infinite edge runs along the top. */
export function cutBand(band: readonly BandPoint[], top: number): BandPoint[] {
  // Far above is as good as infinitely far, and can be interpolated.
  const points = band.map(point => ({ ...point, high: Math.min(point.high, 1e6 * top) }))
  const cut = (point: BandPoint) => ({ x: point.x, low: Math.min(point.low, top), high: Math.min(point.high, top) })
  return points.flatMap((point, index) => {
    const next = points[index + 1]
    if (next === undefined) return [cut(point)]
    const crossings = (['low', 'high'] as const)
      .map(edge => (top - point[edge]) / (next[edge] - point[edge]))
      .filter(share => share > 0 && share < 1)
      .sort((a, b) => a - b)
    const between = (share: number) => ({
      x: point.x + share * (next.x - point.x),
      low: point.low + share * (next.low - point.low),
      high: point.high + share * (next.high - point.high),
    })
    return [cut(point), ...crossings.map(share => cut(between(share)))]
  })
}
