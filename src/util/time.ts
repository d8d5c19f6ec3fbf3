/** Time as a parameter, so that scheduling is tested without waiting. */
export interface Clock {
  /** Milliseconds since 1970. People and programs set it: it is shown and written down, nothing is reckoned with it. */
  now(): number
  /** Milliseconds on a monotonic clock. All processes on this machine read the same until it is restarted. */
  elapsed(): number
  /** Calls back once after `ms`; the returned function forgets it. */
  after(ms: number, callback: () => void): () => void
}

/** A moment, on the clock and on the watch of the machine. */
export interface Moment {
  readonly now: number
  readonly elapsed: number
}

export const momentOf = (clock: Clock): Moment => ({ now: clock.now(), elapsed: clock.elapsed() })

/** Times to be written down that are never earlier than one before: the clock as it stands now, and from then on the watch. */
export function steadyTime(clock: Clock): () => number {
  const since = clock.now() - clock.elapsed()
  return () => since + clock.elapsed()
}

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const
const units = Object.keys(unitMs) as (keyof typeof unitMs)[]
const pattern = new RegExp(`^${units.map(unit => `(?:(\\d+(?:\\.\\d+)?)${unit})?`).join('')}$`)

/** For editors, which know regular expressions and no more: all that {@link parseDuration} takes, and hardly anything else. */
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
