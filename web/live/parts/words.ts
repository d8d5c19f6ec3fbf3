import { plainNumber } from '../../../src/util/words.ts'

/** `12 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function timeText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  const hours = Math.round(minutes / 60)
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** How long ago, in the largest unit. */
export function agoText(at: number, now: number): string {
  const seconds = Math.max(0, (now - at) / 1000)
  const [size, unit] =
    seconds < 60 ? [1, 's'] : seconds < 3600 ? [60, 'min'] : seconds < 86_400 ? [3600, 'h'] : [86_400, 'd']
  return `${Math.floor(seconds / size)} ${unit} ago`
}

export const gigabytes = (bytes: number): string => `${plainNumber(bytes / 1e9)} GB`

export const countText = (count: number): string => plainCount.format(count)
const plainCount = new Intl.NumberFormat('en')
