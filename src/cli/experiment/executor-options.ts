import type { Experiment } from '../../define/experiment.ts'
import type { ExecutorOptions } from '../../execute/registry.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'

/** What an executor is told by the command line and the experiment. */
export const executorOptions = ({ limits }: Experiment, options: Options, io: Io): ExecutorOptions => ({
  slots: limits.jobs,
  areSlotsGiven: options.jobs !== undefined,
  queue: options.queue,
  cwd: io.cwd,
})
