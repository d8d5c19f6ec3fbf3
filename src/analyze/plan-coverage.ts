import type { Evidence } from '../plan/evidence.ts'

/**
 * How many runs of the plan have not been made, or have not ended. Null where nobody planned them, where a filter chose among
 * them, and for a search, whose plan is how many it may try at most.
 */
export function runsNotMade({ runs, sources, search, isFiltered }: Evidence): number | null {
  const planned = plannedRuns(sources)
  return planned === null || search !== undefined || isFiltered ? null : Math.max(0, planned - runs.length)
}

/** Of all sources; null where one of them has no plan. */
export const plannedRuns = (sources: Evidence['sources']): number | null =>
  sources.reduce<number | null>(
    (total, { planned }) => (total === null || planned === null ? null : total + planned),
    0,
  )
