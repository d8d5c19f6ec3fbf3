export interface WorkLeft {
  /** How long a run takes, as far as is known. */
  readonly typicalMs: number
  /** Runs that nobody has started. */
  readonly waiting: number
  /** When those that are under way were started. */
  readonly running: readonly number[]
  /** How many go at a time. */
  readonly lanes: number
}

/** From how long runs take and how many go at a time; what is under way counts for what is left of it. null: all is done. */
export function timeLeft({ typicalMs, waiting, running, lanes }: WorkLeft, now: number): number | null {
  const underWay = running.map(started => Math.max(0, typicalMs - (now - started)))
  const toCome = Math.max(0, waiting)
  if (toCome === 0 && underWay.length === 0) return null
  const work = toCome * typicalMs + underWay.reduce((sum, ms) => sum + ms, 0)
  // Lanes never end at the same moment: nothing is over before the longest of what runs now.
  return Math.max(work / Math.max(1, Math.min(lanes, toCome + underWay.length)), ...underWay)
}
