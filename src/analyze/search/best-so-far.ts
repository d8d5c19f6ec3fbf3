import type { Objective, SearchTrial } from './trials.ts'

export interface HistoryPoint {
  readonly number: number
  /** null where the trial has no value. */
  readonly value: number | null
  /** The best of all trials up to this one; null before there is any. */
  readonly best: number | null
  readonly isBest: boolean
}

/** How a search went: each trial, and the best so far. */
export function bestSoFar(trials: readonly SearchTrial[], { metric, goal }: Objective): readonly HistoryPoint[] {
  let best: number | null = null
  return trials.map(({ number, values }) => {
    const value = values[metric] ?? null
    const isBest = value !== null && (best === null || (goal === 'minimize' ? value < best : value > best))
    if (isBest) best = value
    return { number, value, best, isBest }
  })
}
