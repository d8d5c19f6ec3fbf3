import { emptyDistribution, type Resampled, type ResampleOptions } from '../bootstrap/resample/resampled.ts'
import { meanOf } from '../describe/moments.ts'
import { type Estimate, isAvailable, requireThat, unavailable } from '../estimate.ts'
import { type ScoreTable, taskScores } from './score-table.ts'

export interface ProbabilityOfImprovement {
  readonly estimate: number
  /**
   * For each task with scores on both sides: the probability that a run of the candidate beats one of the control, ties
   * counting half.
   */
  readonly perTask: readonly number[]
  /** Columns left out because one side has no score there. */
  readonly excluded: readonly number[]
}

/**
 * The probability that the candidate does better on a task, averaged over tasks (Agarwal et al. 2021, §4.3; Mann &
 * Whitney 1947).
 */
export function probabilityOfImprovement(
  candidate: ScoreTable,
  control: ScoreTable,
): Estimate<ProbabilityOfImprovement> {
  const columns = commonColumns(candidate, control)
  if (!isAvailable(columns)) return columns
  const perTask = columns.pairs.map(([first, second]) => shareOfWins(first, second))
  return { estimate: meanOf(perTask), perTask, excluded: columns.excluded }
}

/** Runs of both sides are drawn within each task. */
export function resampleImprovement(
  candidate: ScoreTable,
  control: ScoreTable,
  options: ResampleOptions,
): Estimate<Resampled> {
  const columns = commonColumns(candidate, control)
  if (!isAvailable(columns)) return columns
  const { pairs } = columns
  if (pairs.every(([first, second]) => first.length === 1 && second.length === 1)) return unavailable('too_few_values')
  const distribution = emptyDistribution(options)
  const drawn = (scores: Float64Array) => scores.map(() => scores[options.random.below(scores.length)] ?? 0)
  for (let round = 0; round < distribution.length; round++) {
    let sum = 0
    for (const [first, second] of pairs) sum += shareOfWins(drawn(first), drawn(second))
    distribution[round] = sum / pairs.length
  }
  return { estimate: meanWins(pairs), distribution, jackknife: leaveOneOut(pairs) }
}

function meanWins(pairs: readonly Pair[]): number {
  return meanOf(pairs.map(([first, second]) => shareOfWins(first, second)))
}

/** A list for each side of each task: they are drawn separately. */
function leaveOneOut(pairs: readonly Pair[]): Float64Array[] {
  const without = (scores: Float64Array, out: number) => scores.filter((_, at) => at !== out)
  return pairs.flatMap((pair, task) => {
    const [first, second] = pair
    const replaced = (by: Pair) => meanWins(pairs.map((other, at) => (at === task ? by : other)))
    return [
      ...(first.length > 1 ? [first.map((_, out) => replaced([without(first, out), second]))] : []),
      ...(second.length > 1 ? [second.map((_, out) => replaced([first, without(second, out)]))] : []),
    ]
  })
}

type Pair = readonly [Float64Array, Float64Array]

function commonColumns(
  candidate: ScoreTable,
  control: ScoreTable,
): Estimate<{ readonly pairs: readonly Pair[]; readonly excluded: readonly number[] }> {
  const width = candidate[0]?.length ?? 0
  requireThat(width === (control[0]?.length ?? 0), 'the same tasks in both tables')
  const pairs: Pair[] = []
  const excluded: number[] = []
  for (let task = 0; task < width; task++) {
    const [first, second] = [candidate, control].map(table => taskScores(table.map(row => [row[task] ?? null])))
    const reason = [first, second].find(scores => scores !== undefined && !isAvailable(scores))
    if (reason !== undefined && !isAvailable(reason) && reason.unavailable !== 'no_data') return reason
    if (first !== undefined && second !== undefined && isAvailable(first) && isAvailable(second))
      pairs.push([Float64Array.from(first.tasks[0] ?? []), Float64Array.from(second.tasks[0] ?? [])])
    else excluded.push(task)
  }
  return pairs.length === 0 ? unavailable('no_data') : { pairs, excluded }
}

function shareOfWins(first: Float64Array, second: Float64Array): number {
  let wins = 0
  for (const one of first) for (const other of second) wins += one > other ? 1 : one === other ? 0.5 : 0
  return wins / (first.length * second.length)
}
