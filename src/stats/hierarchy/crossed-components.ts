import { meanOf, sumOfSquares } from '../describe/moments.ts'
import { firstUnusable } from '../describe/usable.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'

export interface CrossedComponents {
  readonly grandMean: number
  /** Differences between tasks, whatever the seed. */
  readonly task: number
  /** Differences between seeds, whatever the task. */
  readonly seed: number
  /**
   * Interaction: a seed suits one task and not another. With one attempt per cell it includes the attempts' own noise.
   */
  readonly taskBySeed: number
  /** Differences between attempts at the same task with the same seed. */
  readonly attempt: Estimate<number>
  /** Of the grand mean, for new tasks, seeds and attempts. */
  readonly standardError: Estimate<number>
}

/**
 * The sources of noise if every task is run with every seed: `scores[task][seed]` are attempts. Two-way random effects
 * by the method of moments on cell means (Searle, Casella & McCulloch 1992, ch. 4); components below 0 become 0.
 */
export function crossedComponents(scores: readonly (readonly (readonly number[])[])[]): Estimate<CrossedComponents> {
  const tasks = scores.length
  const seeds = scores[0]?.length ?? 0
  requireThat(
    scores.every(row => row.length === seeds),
    'the same seeds for every task',
  )
  if (tasks === 0 || seeds === 0) return unavailable('no_data')
  const cells = scores.flat()
  const reason = firstUnusable(cells)
  if (reason !== undefined) return reason
  if (tasks < 2 || seeds < 2) return unavailable('too_few_values')
  const means = scores.map(row => row.map(meanOf))
  const grandMean = meanOf(means.flat())
  const taskMeans = means.map(meanOf)
  const seedMeans = (means[0] ?? []).map((_, seed) => meanOf(means.map(row => row[seed] ?? 0)))
  const interaction = means.flatMap((row, task) =>
    row.map((mean, seed) => mean - (taskMeans[task] ?? 0) - (seedMeans[seed] ?? 0) + grandMean),
  )
  const cellVariance = interaction.reduce((sum, value) => sum + value * value, 0) / ((tasks - 1) * (seeds - 1))
  const ofTasks = sumOfSquares(taskMeans) / (tasks - 1)
  const ofSeeds = sumOfSquares(seedMeans) / (seeds - 1)
  const attempt = attemptVariance(cells)
  const meanInverse = meanOf(cells.map(cell => 1 / cell.length))
  const squaredError = ofTasks / tasks + ofSeeds / seeds - cellVariance / (tasks * seeds)
  return {
    grandMean,
    task: Math.max(0, ofTasks - cellVariance / seeds),
    seed: Math.max(0, ofSeeds - cellVariance / tasks),
    taskBySeed: Math.max(0, cellVariance - (typeof attempt === 'number' ? attempt * meanInverse : 0)),
    attempt,
    standardError: squaredError > 0 ? Math.sqrt(squaredError) : unavailable('zero_variance'),
  }
}

function attemptVariance(cells: readonly (readonly number[])[]): Estimate<number> {
  const attempts = cells.reduce((count, cell) => count + cell.length, 0)
  if (attempts === cells.length) return unavailable('too_few_values')
  return cells.reduce((sum, cell) => sum + sumOfSquares(cell), 0) / (attempts - cells.length)
}
