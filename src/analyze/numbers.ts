/** Numbers as a sentence has them: three significant digits, never `1e-7` where a person reads. */
export function plainNumber(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e9 || size < 1e-6) return value.toExponential(2).replace('e+', 'e')
  const digits = Math.max(0, 2 - Math.floor(Math.log10(size)))
  return grouped(value.toFixed(Math.min(digits, 9)))
}

/** From ten thousand on, digits in groups of three are easier to read. */
function grouped(text: string): string {
  const [whole = '', rest] = text.split('.')
  const spaced = whole.length > 5 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole
  return rest === undefined ? spaced : `${spaced}.${rest}`
}

/** `95 %`, `47.6 %`. */
export const percentText = (share: number): string => `${Number((share * 100).toPrecision(3))} %`

/** p never reads as 0. */
export const pText = (p: number): string => (p < 0.0001 ? 'p < 0.0001' : `p = ${p.toPrecision(2)}`)

/** How a metric's values are written: by what its name says they are. */
export function amountText(metric: string): (value: number) => string {
  if (/(^|_|\/)(cost|usd|price|spend)(_|$)/i.test(metric))
    return value => (value < 0 ? `−$${plainNumber(-value)}` : `$${plainNumber(value)}`)
  if (/_ms$/.test(metric)) return value => `${minus(plainNumber(value))} ms`
  if (/(^|_)(seconds|wall_s)$|_s$/.test(metric)) return value => `${minus(plainNumber(value))} s`
  return value => minus(plainNumber(value))
}

const minus = (text: string): string => text.replace(/^-/, '−')
