import type { Objective, SearchSpec } from '../../../define/experiment.ts'
import { largestOf, smallestOf } from '../../../util/collections.ts'
import type { Random } from '../../../util/random.ts'
import type { Result } from '../../planner.ts'
import type { Trial } from './trials.ts'

/** The loss of a result, for a method that minimises one number. */
export type Loss = (result: Result) => number

/**
 * The loss for choosing the next variant. With one objective it is that objective, in either direction. With several,
 * each variant gets random weights, drawn evenly, so that the search spreads over the Pareto front: the objectives,
 * scaled to the values seen, are combined by the augmented Tchebycheff norm (J. Knowles 2006, "ParEGO", IEEE Trans.
 * Evol. Comput. 10:50), which also reaches concave fronts.
 */
export function lossesFor(
  trials: readonly Trial[],
  search: SearchSpec & { readonly metric: string },
  random: Random,
): { readonly loss: Loss; readonly goal: SearchSpec['goal']; readonly trade: string | null } {
  const { metric, goal, also } = search
  if (also.length === 0) {
    const sign = goal === 'maximize' ? -1 : 1
    return { loss: result => sign * Number(result), goal, trade: null }
  }
  const objectives: readonly Objective[] = [{ metric, goal: goal ?? 'minimize' }, ...also]
  const scales = objectives.map((objective, index) => scaleOf(trials, objective, index))
  const weights = evenWeights(objectives.length, random)
  const loss = (result: Result): number => {
    const parts = scales.map((scale, index) => (weights[index] ?? 0) * scale(valueAt(result, index)))
    return Math.max(...parts) + 0.05 * parts.reduce((sum, part) => sum + part, 0)
  }
  const shares = objectives.map((objective, index) => `${objective.metric} ${Math.round(100 * (weights[index] ?? 0))}%`)
  return { loss, goal: 'minimize', trade: shares.join(', ') }
}

const valueAt = (result: Result, index: number): number =>
  typeof result === 'number' ? result : (result[index] ?? Number.NaN)

/** From 0, the best value seen, to 1, the worst. */
function scaleOf(trials: readonly Trial[], { goal }: Objective, index: number): (value: number) => number {
  const sign = goal === 'maximize' ? -1 : 1
  const seen = trials.flatMap(({ results }) =>
    results.flatMap(result =>
      result === null || result === 'failed' || result === 'dropped' ? [] : [sign * valueAt(result, index)],
    ),
  )
  const [low, high] = [smallestOf(seen), largestOf(seen)]
  return value => (sign * value - low) / (high > low ? high - low : 1)
}

/** Drawn evenly from all weights that sum to 1. */
function evenWeights(count: number, random: Random): readonly number[] {
  const draws = Array.from({ length: count }, () => -Math.log(1 - random.next()))
  const sum = draws.reduce((total, draw) => total + draw, 0)
  return draws.map(draw => draw / sum)
}
