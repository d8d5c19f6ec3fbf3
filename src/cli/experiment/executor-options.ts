import { realpathSync } from 'node:fs'
import type { Experiment } from '../../define/experiment.ts'
import { type ExecutorOptions, parseHosts, type SlurmOptions } from '../../execute/registry.ts'
import { AssayError } from '../../util/errors.ts'
import { longFlag } from '../../util/words.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'

/** What an executor is told by the command line and the experiment. */
export function executorOptions({ limits, folder }: Experiment, options: Options, io: Io): ExecutorOptions {
  for (const [name, own] of ownOptions) {
    const misplaced = own.find(option => options[option] !== undefined)
    if (options.executor !== name && misplaced !== undefined)
      throw new AssayError('usage', `${longFlag(misplaced)} is for --executor ${name}`)
  }
  return {
    slots: limits.jobs,
    areSlotsGiven: options.jobs !== undefined,
    queue: options.queue,
    ...(options.executor === 'slurm' && { slurm: slurmOptions(options) }),
    ...(options.hosts !== undefined && {
      ssh: {
        hosts: parseHosts(options.hosts),
        folder: options.folder ?? folder,
        assay: options.remoteAssay ?? 'assay',
        config: options.sshConfig,
      },
    }),
    cwd: io.cwd,
  }
}

/** Options that mean nothing to other executors. */
const ownOptions = [
  ['slurm', ['partition', 'time', 'mem', 'gpus', 'sbatch', 'before', 'chunk', 'arrayLimit']],
  ['ssh', ['hosts', 'folder', 'remoteAssay', 'sshConfig']],
] as const

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
