/** Values transformed for a model, and back. */
export interface ValueScale {
  toModel(value: number): number
  fromModel(value: number): number
  /** How much a small difference at a value is stretched. */
  slopeAt(value: number): number
}

/**
 * Centred and scaled, with the worse half compressed: how bad a bad value is says little about where the good ones are,
 * and would hide their differences. Smaller is better.
 */
export function valueScaleOf(values: readonly number[]): ValueScale {
  const sorted = values.toSorted((a, b) => a - b)
  const best = sorted[0] ?? 0
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? best
  const unit = middle > best ? middle - best : 1
  const bend = (value: number) => (value <= middle ? value : middle + unit * Math.log1p((value - middle) / unit))
  const bent = values.map(bend)
  const mean = bent.reduce((sum, value) => sum + value, 0) / Math.max(1, bent.length)
  const variance = bent.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, bent.length)
  const scale = variance > 0 ? Math.sqrt(variance) : 1
  return {
    toModel: value => (bend(value) - mean) / scale,
    fromModel(value) {
      const straight = value * scale + mean
      return straight <= middle ? straight : middle + unit * Math.expm1((straight - middle) / unit)
    },
    slopeAt: value => (value <= middle ? 1 : 1 / (1 + (value - middle) / unit)) / scale,
  }
}
