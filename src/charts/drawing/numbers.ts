import { dollars } from '../../util/words.ts'
/** A number a person can read: three to four digits, thousands grouped, a real minus. */
export function readable(value: number): string {
  if (value === 0) return '0'
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞'
  const size = Math.abs(value)
  if (size >= 1e9 || size < 1e-4) return exponential(value)
  const digits = size >= 1000 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(size))))
  return withMinus(rounded(value, digits).toLocaleString('en-US', { maximumFractionDigits: digits }))
}

/** The same, with its unit: `$0.24`, `12 ms`, `5%`. */
export function withUnit(value: number, unit: string | undefined): string {
  if (unit === undefined || unit === '') return readable(value)
  if (unit === 'USD' || unit === '$') return dollars(value)
  return unit === '%' ? `${readable(value)}%` : `${readable(value)} ${unit}`
}

/**
 * As many decimals as the interval supports: two digits of its width. Undefined if that is meaningless. Negative for
 * numbers in the thousands: -2 means hundreds, with three digits of the width left.
 */
export function decimalsFor(widths: readonly number[]): number | undefined {
  const power = powerOfMiddle(widths)
  if (power === undefined) return undefined
  const decimals = power <= 1 ? 1 - power : Math.min(0, 2 - power)
  return decimals > 6 ? undefined : decimals
}

/** The number of decimals that gives numbers of these sizes three digits. */
export function threeDigits(sizes: readonly number[]): number | undefined {
  const power = powerOfMiddle(sizes)
  return power === undefined || power < -4 ? undefined : 2 - power
}

/** The power of ten of the median number's first digit. */
function powerOfMiddle(sizes: readonly number[]): number | undefined {
  const ordered = sizes.filter(size => isDrawable(size) && size > 0).sort((a, b) => a - b)
  const middle = ordered[Math.floor(ordered.length / 2)]
  return middle === undefined ? undefined : Math.floor(Math.log10(middle))
}

/** With exactly this many decimals, or as readable as possible if their number is unknown. */
export function fixed(value: number, decimals: number | undefined): string {
  if (decimals === undefined || !Number.isFinite(value)) return readable(value)
  const shown = Math.max(0, decimals)
  const digits = { minimumFractionDigits: shown, maximumFractionDigits: shown }
  const shownValue = decimals < 0 ? roundedTo(10 ** -decimals, value) : rounded(value, shown)
  return withMinus((shownValue === 0 ? 0 : shownValue).toLocaleString('en-US', digits)).replace(/^−(0(?:\.0+)?)$/, '$1')
}

/** Rounded as in sentences: 0.1805 is a little less than its digits say, so it is 0.180 in both. */
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** A small number among large ones keeps its first three digits. */
function roundedTo(step: number, value: number): number {
  const own = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2)
  const by = Math.max(1, Math.min(step, own))
  return Math.round(value / by) * by
}

export const isDrawable = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value)

/** An axis' name with its unit in parentheses. */
export function axisLabel(name: string, unit: string | undefined): string {
  return unit === undefined || unit === '' ? name : `${name} (${unit === '$' ? 'USD' : unit})`
}

function exponential(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(1).split('e')
  const digits = withMinus(String(Number(exponent)))
  return `${withMinus(mantissa.replace(/\.0$/, ''))}e${digits}`
}

/** A minus sign as wide as a plus sign. */
export const withMinus = (text: string) => text.replace('-', '−')
