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
  return rated
    .filter(({ costs }) => !rated.some(other => dominates(other.costs, costs)))
    .sort((a, b) => (a.costs[0] ?? 0) - (b.costs[0] ?? 0))
    .map(({ trial }) => trial)
}

const dominates = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((cost, index) => cost <= (other[index] ?? 0)) && one.some((cost, index) => cost < (other[index] ?? 0))
