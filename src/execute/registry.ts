import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Setting } from '../perform/perform.ts'
import { AssayError } from '../util/errors.ts'
import { sha256 } from '../util/hash.ts'
import { type Executor, type ExecutorName, executorNames } from './executor.ts'
import { LocalExecutor } from './local.ts'

/** What executors need besides the experiment. */
export interface ExecutorOptions {
  /** How many jobs at once. */
  readonly slots: number
  /** Whether somebody asked for just that number, or it follows from this machine. */
  readonly areSlotsGiven?: boolean | undefined
  /** The address of the server that carries jobs. */
  readonly queue?: string | undefined
  readonly cwd: string
}

/** An executor for the jobs of one experiment; on this machine, where none is named. */
export async function openExecutor(
  name: ExecutorName | undefined,
  setting: Setting,
  options: ExecutorOptions,
): Promise<Executor> {
  // Whoever names a server wants to use it.
  return executors[name ?? (options.queue === undefined ? executorNames[0] : 'queue')](setting, options)
}

const executors: {
  readonly [name in ExecutorName]: (setting: Setting, options: ExecutorOptions) => Executor | Promise<Executor>
} = {
  local: (setting, { slots }) => new LocalExecutor(setting, slots),
  async queue(setting, { queue, cwd, slots, areSlotsGiven = false }) {
    if (queue === undefined)
      throw new AssayError(
        'usage',
        '--executor queue needs the address of a server: --queue postgres://… or redis://…',
        {
          hint: 'Or set ASSAY_QUEUE, which keeps a password out of the command line.',
        },
      )
    const { openQueueServer } = await import('./queue/open-server.ts')
    const { QueueExecutor } = await import('./queue/queue-executor.ts')
    const server = await openQueueServer(queue)
    return QueueExecutor.open(server, setting, {
      id: placeId(setting.dir),
      cwd,
      mostJobs: areSlotsGiven ? slots : null,
    })
  },
}

/** The same for every call on this directory, and no other: a coordinator that starts again finds its jobs by it. */
function placeId(dir: string): string {
  let place = dir
  try {
    place = realpathSync(dir)
  } catch {
    // It will be made.
  }
  return sha256(`${hostname()} ${place}`).slice(0, 24)
}
