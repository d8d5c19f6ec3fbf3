import { type Evidence, levelOf, type Observation } from '../../define/observation.ts'
import { meanOf, sumOfSquares } from '../../stats/index.ts'
import { AssayError } from '../../util/errors.ts'
import type { Arm } from '../arms.ts'
import { type Reading, readValue } from '../reading.ts'
import type { RolloutSpread } from './rollouts.ts'

export interface PilotSpread extends RolloutSpread {
  readonly tasks: number
  /** On average, of each task in each arm. */
  readonly rollouts: number
}

/**
 * How much of a pilot's spread is between tasks and how much between rollouts of a task. The means of few rollouts
 * differ partly by the rollouts' own noise, which is subtracted; a negative result counts as 0.
 */
export function rolloutSpreadOf(
  evidence: Evidence,
  arms: { readonly control: Arm; readonly candidate: Arm },
  reading: Reading,
): PilotSpread {
  const [task] = evidence.blocks
  if (task === undefined)
    throw new AssayError('usage', 'the pilot has no tasks: nothing says which runs are rollouts of the same one', {
      hint: 'name the column or block with --pair-by',
    })
  const control = rolloutsByTask(arms.control.runs, task, reading)
  const candidate = rolloutsByTask(arms.candidate.runs, task, reading)
  const tasks = [...control.keys()].filter(key => candidate.has(key))
  const both = tasks.map(key => [control.get(key) ?? [], candidate.get(key) ?? []] as const)
  if (both.length < 2) throw new AssayError('usage', `${both.length} tasks have runs of both arms: two are needed`)
  const lists = both.flat()
  const df = lists.reduce((sum, values) => sum + values.length - 1, 0)
  if (df === 0)
    throw new AssayError('usage', 'the pilot has one rollout of each task: nothing says how much they vary', {
      hint: 'leave out --rollouts, --task-cost and --rollout-cost, or give --task-sd and --rollout-sd instead of a pilot',
    })
  const within = lists.reduce((sum, values) => sum + sumOfSquares(values), 0) / df
  const differences = both.map(([own, other]) => meanOf(other) - meanOf(own))
  const noise = both.reduce((sum, [own, other]) => sum + within / own.length + within / other.length, 0) / both.length
  const between = sumOfSquares(differences) / (differences.length - 1) - noise
  return {
    taskSd: Math.sqrt(Math.max(0, between)),
    rolloutSd: Math.sqrt(within),
    tasks: both.length,
    rollouts: lists.reduce((sum, values) => sum + values.length, 0) / lists.length,
  }
}

function rolloutsByTask(
  runs: readonly Observation[],
  task: string,
  reading: Reading,
): ReadonlyMap<string, readonly number[]> {
  const byTask = new Map<string, number[]>()
  for (const run of runs) {
    const read = readValue(run, reading)
    if (!('value' in read) || !Number.isFinite(read.value)) continue
    const key = JSON.stringify(levelOf(run, task))
    const list = byTask.get(key)
    if (list === undefined) byTask.set(key, [read.value])
    else list.push(read.value)
  }
  return byTask
}
