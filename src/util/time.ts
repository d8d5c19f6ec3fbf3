/** Time as a parameter, so that scheduling is tested without waiting. */
export interface Clock {
  /**
   * Milliseconds since 1970. People and programs can change it, so it is displayed and recorded but never used in
   * calculations.
   */
  now(): number
  /** Milliseconds on a monotonic clock. All processes on this machine read the same value until it is restarted. */
  elapsed(): number
  /** Calls back once after `ms`; the returned function cancels the call. */
  after(ms: number, callback: () => void): () => void
}

/** A moment, on the wall clock and on the machine's monotonic clock. */
export interface Moment {
  readonly now: number
  readonly elapsed: number
}

export const momentOf = (clock: Clock): Moment => ({ now: clock.now(), elapsed: clock.elapsed() })

/** Times to record that never go backwards: the wall clock as it is now, advanced by the monotonic clock. */
export function steadyTime(clock: Clock): () => number {
  const since = clock.now() - clock.elapsed()
  return () => since + clock.elapsed()
}

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const
const units = Object.keys(unitMs) as (keyof typeof unitMs)[]
const pattern = new RegExp(`^${units.map(unit => `(?:(\\d+(?:\\.\\d+)?)${unit})?`).join('')}$`)

/**
 * For editors, which only know regular expressions: everything that {@link parseDuration} accepts, and hardly anything
 * else.
 */
export const durationPattern = String.raw`^\s*(\d[\d.\s]*|(\d[\d.\s]*([dhmsDHMS]|[mM]\s*[sS])\s*)+)$`

/** Milliseconds in `30m`, `1h30m`, `500ms` or `90` (a plain number is seconds); null when it is none of these. */
export function parseDuration(written: string | number): number | null {
  const text = String(written).replaceAll(/\s+/g, '').toLowerCase()
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * unitMs.s
  const match = pattern.exec(text)
  if (match === null || text === '') return null
  return units.reduce((ms, unit, index) => ms + Number(match[index + 1] ?? 0) * unitMs[unit], 0)
}

/** The shortest way to write a duration that {@link parseDuration} reads back to the millisecond. */
export function formatDuration(ms: number): string {
  let rest = Math.round(ms)
  let text = ''
  for (const unit of units) {
    const count = Math.floor(rest / unitMs[unit])
    if (count > 0) text += `${count}${unit}`
    rest -= count * unitMs[unit]
  }
  return text === '' ? '0s' : text
}
