/** Numbers as a person reads them. */
export function significant(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return String(value)
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value)
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(digits - 1)
  // Number() takes away the zeros that toPrecision leaves at the end, and the exponent it gives 123456.
  return String(Number(value.toPrecision(digits)))
}

/** At most two units: `850ms`, `4.2s`, `2m10s`, `3h05m`, `2d4h`. */
export function shortDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`
  const seconds = ms / 1000
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole}s`
  if (whole < 3600) return `${Math.floor(whole / 60)}m${twoDigits(whole % 60)}s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h${twoDigits(minutes % 60)}m`
  const hours = Math.round(seconds / 3600)
  return `${Math.floor(hours / 24)}d${hours % 24}h`
}

export function bytes(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, count < 1000 ? 0 : Math.floor(Math.log10(count) / 3))
  return `${significant(count / 1000 ** power, 3)} ${units[power]}`
}

export const percent = (share: number): string => `${Math.floor(share * 100)}%`

const twoDigits = (number: number): string => String(number).padStart(2, '0')
