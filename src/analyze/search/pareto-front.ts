import type { Objective, SearchTrial } from './trials.ts'

/**
 * The trials that no other beats: none is at least as good in every objective and better in one. In the order of the
 * first objective, best first. Trials without a value in one of them are left out.
 */
export function paretoFront<Trial extends Pick<SearchTrial, 'values'>>(
  trials: readonly Trial[],
  objectives: readonly Objective[],
): readonly Trial[] {
  const costs = ({ values }: Trial): readonly number[] =>
    objectives.map(({ metric, goal }) => (values[metric] ?? Number.NaN) * (goal === 'minimize' ? 1 : -1))
  const rated = trials.map(trial => ({ trial, costs: costs(trial) })).filter(({ costs }) => !costs.some(Number.isNaN))
  const front = new Set(unbeaten(rated.map(({ costs }) => costs)))
  return rated
    .filter(({ costs }) => front.has(costs))
    .sort((a, b) => (a.costs[0] ?? 0) - (b.costs[0] ?? 0))
    .map(({ trial }) => trial)
}

/** Sorted by all costs, each can only be beaten by one before it; of two costs, only by the last that was not beaten itself. */
function unbeaten(all: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const front: (readonly number[])[] = []
  for (const costs of all.toSorted(byFirstDifference)) {
    const rivals = costs.length === 2 ? front.slice(-1) : front
    if (!rivals.some(other => dominates(other, costs))) front.push(costs)
  }
  return front
}

function byFirstDifference(a: readonly number[], b: readonly number[]): number {
  for (const [at, cost] of a.entries()) if (cost !== b[at]) return cost - (b[at] ?? 0)
  return 0
}

const dominates = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((cost, index) => cost <= (other[index] ?? 0)) && one.some((cost, index) => cost < (other[index] ?? 0))
