import type { Evidence } from '../define/evidence.ts'

/**
 * How many runs of the plan have not been made, or have not ended. Null where nobody planned them, where a filter chose among
 * them, and for a search, whose plan is how many it may try at most.
 */
export function runsNotMade({ runs, sources, search, filter }: Evidence): number | null {
  const planned = plannedRuns(sources)
  return planned === null || search !== undefined || filter !== undefined ? null : Math.max(0, planned - runs.length)
}

/** Of all experiments; null where one of them has no plan. */
export const plannedRuns = (sources: Evidence['sources']): number | null =>
  sources
    .filter(({ partOf }) => partOf === undefined)
    .reduce<number | null>((total, { planned }) => (total === null || planned === null ? null : total + planned), 0)

/** `partial: 20 of 60 planned runs have ended`; null: it is not, or nobody planned it. What a filter leaves is a part of a part. */
export function partialText({ runs, sources, search, filter }: Evidence): string | null {
  const planned = plannedRuns(sources)
  const ended = filter?.of ?? runs.length
  if (planned === null || search !== undefined || ended >= planned) return null
  return `partial: ${ended} of ${planned} planned runs have ended`
}
