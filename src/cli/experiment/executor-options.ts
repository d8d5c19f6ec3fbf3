import { realpathSync } from 'node:fs'
import type { Experiment } from '../../define/experiment.ts'
import type { ExecutorOptions, SlurmOptions } from '../../execute/registry.ts'
import { AssayError } from '../../util/errors.ts'
import { longFlag } from '../../util/words.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'

/** What an executor is told by the command line and the experiment. */
export function executorOptions({ limits }: Experiment, options: Options, io: Io): ExecutorOptions {
  const misplaced = ofSlurm.find(name => options[name] !== undefined)
  if (options.executor !== 'slurm' && misplaced !== undefined)
    throw new AssayError('usage', `${longFlag(misplaced)} is for --executor slurm`)
  return {
    slots: limits.jobs,
    areSlotsGiven: options.jobs !== undefined,
    queue: options.queue,
    ...(options.executor === 'slurm' && { slurm: slurmOptions(options) }),
    cwd: io.cwd,
  }
}

const ofSlurm = ['partition', 'time', 'mem', 'gpus', 'sbatch', 'before', 'chunk', 'arrayLimit'] as const

const slurmOptions = (options: Options): SlurmOptions => ({
  partition: options.partition,
  time: options.time,
  memory: options.mem,
  gpus: options.gpus,
  sbatch: options.sbatch ?? [],
  before: options.before ?? [],
  chunk: options.chunk,
  arrayLimit: options.arrayLimit,
  // Nodes see the file system that this process was started from.
  command: [process.execPath, realpathSync(process.argv[1] ?? '')],
})
