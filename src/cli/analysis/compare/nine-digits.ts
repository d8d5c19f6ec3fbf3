/** A number with at most nine significant digits, as C and Python write it with `%.9g`. */
export function nineDigits(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  const [mantissa = '', exponent = '0'] = value.toExponential(8).split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 9) return String(trimmed(value.toFixed(8 - power)))
  return `${trimmed(mantissa)}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
