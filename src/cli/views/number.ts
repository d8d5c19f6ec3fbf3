import { grouped, isMoney, unitOf } from '../../util/words.ts'

/** Numbers for display. */
export function significant(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return String(value)
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value)
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return value.toExponential(digits - 1)
  // Number() removes the trailing zeros of toPrecision, and the exponent that it gives 123456.
  return String(Number(value.toPrecision(digits)))
}

/**
 * Mean ± standard deviation, with two digits of the deviation and no more of the mean, in a unit that people use:
 * `57 ± 10`, `17.3 ± 1.2 s`.
 */
export function spreadText(metric: string, values: readonly number[]): string {
  const [first = Number.NaN] = values
  // The mean of equal numbers may be off by a bit in the last place, which is not a deviation.
  const isEqual = values.every(value => value === first)
  const mean = isEqual ? first : values.reduce((sum, value) => sum + value, 0) / values.length
  const { name, size } = unitOf(metric, mean)
  const around = (text: string) => `${isMoney(metric) ? '$' : ''}${text}${name === '' ? '' : ` ${name}`}`
  if (isEqual) return around(`${significant(mean / size)}${values.length === 1 ? '' : ' ± 0'}`)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return around(rounded(mean / size, Math.sqrt(squares / (values.length - 1)) / size))
}

/** As many decimals as give the deviation two digits; large numbers are rounded to tens or hundreds. */
function rounded(mean: number, deviation: number): string {
  const decimals = 1 - Math.floor(Math.log10(Number(deviation.toPrecision(2))))
  if (!(Math.abs(mean) < 1e9) || decimals > 9) return `${significant(mean)} ± ${significant(deviation, 2)}`
  const step = 10 ** -Math.min(0, decimals)
  const text = (value: number) => grouped((Math.round(value / step) * step).toFixed(0))
  if (decimals <= 0) return `${text(mean)} ± ${text(deviation)}`
  // 1004.0 ± 2.0 says no more than 1004 ± 2.
  const enough = [mean, deviation].every(value => value.toFixed(decimals).endsWith('0')) ? decimals - 1 : decimals
  return `${grouped(mean.toFixed(enough))} ± ${deviation.toFixed(enough)}`
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
