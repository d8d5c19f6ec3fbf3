import { requireThat } from '../estimate.ts'

/** The scores of each task, as doubles. Each aggregate may be bootstrapped, so it allocates little and reorders nothing. */
export type Aggregate = (tasks: readonly Float64Array[]) => number

/** Aggregates of Agarwal et al. 2021, "Deep reinforcement learning at the edge of the statistical precipice". */
export const meanScore: Aggregate = tasks => total(tasks, mean) / tasks.length

/** Of the task means: half of the tasks may have any score without changing it. */
export const medianScore: Aggregate = tasks => {
  const means = Float64Array.from(tasks, mean).sort()
  const middle = means.length >>> 1
  const upper = means[middle] ?? Number.NaN
  return means.length % 2 === 1 ? upper : ((means[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The interquartile mean: over all scores but the lowest and the highest quarter, whose size is rounded down. */
export const interquartileMean: Aggregate = tasks => {
  const scores = pooled(tasks)
  const cut = Math.floor(scores.length / 4)
  return mean(scores.subarray(cut, scores.length - cut))
}

/** The interquartile mean with the quarters exact: a score on the edge counts with the part of it that lies inside. */
export const fractionalInterquartileMean: Aggregate = tasks => {
  const scores = pooled(tasks)
  const quarter = scores.length / 4
  let sum = 0
  for (let at = 0; at < scores.length; at++) {
    const inside = Math.min(at + 1, scores.length - quarter) - Math.max(at, quarter)
    sum += Math.max(0, inside) * (scores[at] ?? 0)
  }
  return sum / (scores.length - 2 * quarter)
}

/** The mean shortfall of the scores from `gamma`; scores above it do not compensate for scores below. */
export const optimalityGap =
  (gamma = 1): Aggregate =>
  tasks => {
    requireThat(Number.isFinite(gamma), `a finite gamma, got ${gamma}`)
    return gamma - total(tasks, scores => mean(scores.map(score => Math.min(score, gamma)))) / tasks.length
  }

function total(tasks: readonly Float64Array[], of: (scores: Float64Array) => number): number {
  let sum = 0
  for (const scores of tasks) sum += of(scores)
  return sum
}

function mean(scores: Float64Array): number {
  let sum = 0
  for (let at = 0; at < scores.length; at++) sum += scores[at] ?? 0
  return sum / scores.length
}

function pooled(tasks: readonly Float64Array[]): Float64Array {
  const scores = new Float64Array(tasks.reduce((count, task) => count + task.length, 0))
  let at = 0
  for (const task of tasks) {
    scores.set(task, at)
    at += task.length
  }
  return scores.sort()
}
