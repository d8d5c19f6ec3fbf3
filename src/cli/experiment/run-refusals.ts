import type { Run } from '../../define/run.ts'
import type { Problem } from '../../define/target.ts'
import { chosenExecutor, traitsOf } from '../../execute/executor.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import type { Chosen } from './choose-experiment.ts'
import { executorNamed } from './executor-options.ts'

/** What `run` would stop for before its first run. */
export interface Refusals {
  /** As lines of a plan. */
  readonly lines: readonly string[]
  /** The file has to change: no machine could make these runs. */
  readonly isMistaken: boolean
}

/** Nothing here prevents a plan: a key or a program may be missing on this machine only. */
export async function runRefusals(
  { target, spec, experiment, errorAt }: Chosen,
  runs: Iterable<Run>,
  options: Options,
  io: Io,
): Promise<Refusals> {
  const executor = chosenExecutor(executorNamed(options, io), options.queue)
  const problems = (await target.ready?.(spec, experiment, runs, 'run', traitsOf(executor).startsMachines)) ?? []
  return {
    lines: problems.map(problem => `\`run\` will stop: ${errorAt?.([problem]).message ?? textOf(problem)}`),
    isMistaken: problems.some(({ isOnlyForRuns = false }) => !isOnlyForRuns),
  }
}

const textOf = ({ message, hint }: Problem): string => (hint === undefined ? message : `${message}; ${hint}`)
