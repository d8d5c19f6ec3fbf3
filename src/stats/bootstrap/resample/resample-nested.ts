import { isConstant, meanOf } from '../../describe/moments.ts'
import { firstUnusable } from '../../describe/usable.ts'
import { type Estimate, requireThat, unavailable } from '../../estimate.ts'
import { meansLeavingOneOut } from './leave-one-out.ts'
import { emptyDistribution, type Resampled, type ResampleOptions } from './resampled.ts'

/** The values of each task's rollouts. Tasks may have different numbers of them; each task has the same weight. */
export type Tasks = readonly (readonly number[])[]

export interface NestedOptions extends ResampleOptions {
  /** The control's values of the same tasks: then the difference is estimated, task by task. */
  readonly control?: Tasks
}

/**
 * The mean of task means: tasks are drawn, then rollouts within each drawn task. Drawing at both levels counts some of
 * the noise between rollouts twice, so the interval is conservative (Davison & Hinkley 1997, §3.8, strategy 2);
 * `resampleClusters` draws tasks only.
 */
export function resampleNested(tasks: Tasks, options: NestedOptions): Estimate<Resampled> {
  const { control } = options
  const arms = control === undefined ? [tasks] : [tasks, control]
  requireThat(
    arms.every(arm => arm.length === tasks.length),
    `the control's rollouts for each of ${tasks.length} tasks, got ${control?.length}`,
  )
  if (tasks.length === 0) return unavailable('no_data')
  const reason = firstUnusable(arms.flat())
  if (reason !== undefined) return reason
  if (tasks.length === 1) return unavailable('one_cluster')
  if (arms.every(arm => isConstant(arm.flat()))) return unavailable('zero_variance')
  const [first = [], second] = arms.map(arm => arm.map(rollouts => Float64Array.from(rollouts)))
  const taskMeans = tasks.map((rollouts, at) => meanOf(rollouts) - (control ? meanOf(control[at] ?? []) : 0))
  return {
    estimate: meanOf(taskMeans),
    distribution: resampledTaskMeans(first, second, options),
    jackknife: [meansLeavingOneOut(Float64Array.from(taskMeans))],
  }
}

function resampledTaskMeans(
  first: readonly Float64Array[],
  second: readonly Float64Array[] | undefined,
  options: ResampleOptions,
): Float64Array {
  const distribution = emptyDistribution(options)
  const chosen = new Int32Array(first.length)
  for (let round = 0; round < distribution.length; round++) {
    options.random.fillBelow(first.length, chosen)
    let sum = 0
    for (const task of chosen)
      sum += meanOfRedrawn(first[task], options) - (second === undefined ? 0 : meanOfRedrawn(second[task], options))
    distribution[round] = sum / chosen.length
  }
  return distribution
}

function meanOfRedrawn(rollouts: Float64Array | undefined, { random }: ResampleOptions): number {
  if (rollouts === undefined) return Number.NaN
  let sum = 0
  for (let drawn = 0; drawn < rollouts.length; drawn++) sum += rollouts[random.below(rollouts.length)] ?? 0
  return sum / rollouts.length
}
