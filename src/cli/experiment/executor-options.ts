import { realpathSync } from 'node:fs'
import type { Experiment } from '../../define/experiment.ts'
import { chosenExecutor, type ExecutorName, executorOptionNames, takersOf } from '../../execute/executor.ts'
import { type ExecutorOptions, parseHosts, type SlurmOptions } from '../../execute/registry.ts'
import { AssayError } from '../../util/errors.ts'
import { listed, longFlag } from '../../util/words.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'

/**
 * The executor that a command line refers to. With a queue, `SANDBOX_BACKEND=modal` asks for workers on Modal; without
 * one, tasks refuse it.
 */
export function executorNamed({ executor, queue, skypilot = false }: Options, { env }: Io): ExecutorName | undefined {
  if (skypilot && executor !== undefined && executor !== 'skypilot')
    throw new AssayError('usage', `--skypilot and --executor ${executor} contradict each other`)
  if (skypilot) return 'skypilot'
  const isModal = queue !== undefined && env.SANDBOX_BACKEND?.toLowerCase() === 'modal'
  return executor ?? (isModal ? 'modal' : undefined)
}

/** What the command line and the experiment say to an executor. */
export function executorOptions({ limits, folder }: Experiment, options: Options, io: Io): ExecutorOptions {
  const name = chosenExecutor(executorNamed(options, io), options.queue)
  const misplaced = executorOptionNames.find(
    option => options[option] !== undefined && !takersOf(option).includes(name),
  )
  if (misplaced !== undefined)
    throw new AssayError('usage', `${longFlag(misplaced)} is for --executor ${listed(takersOf(misplaced), 5, 'or')}`)
  return {
    slots: limits.jobs,
    areSlotsGiven: options.jobs !== undefined,
    queue: options.queue,
    labels: options.label ?? [],
    artifacts: options.artifacts,
    ...(name === 'slurm' && { slurm: slurmOptions(options) }),
    ...(options.hosts !== undefined && {
      ssh: {
        hosts: parseHosts(options.hosts),
        folder: options.folder ?? folder,
        assay: options.remoteAssay ?? 'assay',
        config: options.sshConfig,
      },
    }),
    launch: {
      given: [...(options.launch ?? []), ...(options.gpus === undefined ? [] : [`gpus=${options.gpus}`])],
      assay: options.remoteAssay ?? 'assay',
    },
    cwd: io.cwd,
  }
}

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
