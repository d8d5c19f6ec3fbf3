import type { Run } from '../../define/run.ts'
import type { Problem } from '../../define/target.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import type { Chosen } from './choose-experiment.ts'
import { executorNamed } from './executor-options.ts'

/**
 * The problems that `run` would stop for before its first run, as lines of a plan. They don't prevent a plan, since a
 * key or a program may be missing on this machine only.
 */
export async function runRefusals(
  { target, spec, experiment, errorAt }: Chosen,
  runs: Iterable<Run>,
  options: Options,
  io: Io,
): Promise<readonly string[]> {
  const executor = executorNamed(options, io) ?? 'local'
  const problems = (await target.ready?.(spec, experiment, runs, 'run', executor !== 'local')) ?? []
  return problems.map(problem => `\`run\` will stop: ${errorAt?.([problem]).message ?? textOf(problem)}`)
}

const textOf = ({ message, hint }: Problem): string => (hint === undefined ? message : `${message}; ${hint}`)
