import { execFile } from 'node:child_process'
import { AssayError, systemCode } from '../../util/errors.ts'
import {
  type ClusterFacts,
  type NamedState,
  parseConfig,
  parseSacct,
  parseScontrol,
  parseSqueue,
  sacctFields,
  squeueFormat,
  type TaskState,
} from './states.ts'

/** A refusal by Slurm. */
export class SlurmRefusal extends Error {
  /** It may accept later: it is busy, unreachable, or too much is submitted now. */
  readonly isPassing: boolean

  constructor(program: string, reply: string) {
    super(`${program}: ${reply}`)
    this.isPassing = passing.test(reply)
  }
}

const passing =
  /timed out|unable to contact|connection refused|temporarily|try again|communication|MaxSubmit|MaxJobs|MaxJobCount|limit.*job|zero bytes|in standby|no longer in a valid state/i

/** Slurm's programs, as found in PATH. */
export const slurm = {
  facts: async (): Promise<ClusterFacts> => parseConfig(await called('scontrol', ['show', 'config'])),

  /** Returns the array's number. */
  async submit(script: string): Promise<string> {
    const reply = await called('sbatch', ['--parsable', script])
    const [, job] = /^(\d+)(?:;.*)?$/m.exec(reply.trim()) ?? []
    if (job === undefined) throw new SlurmRefusal('sbatch', `it printed no job number: ${reply.trim()}`)
    return job
  },

  /** All tasks of arrays with these names that Slurm's controller knows, including recently ended ones. */
  states: async (names: readonly string[]): Promise<readonly NamedState[]> =>
    parseSqueue(await called('squeue', ['-h', '-r', '-t', 'all', `--name=${names.join(',')}`, '-o', squeueFormat])),

  /** Tasks that the controller has forgotten, if there is accounting; otherwise those it may still remember. */
  async past(jobs: readonly string[], { hasAccounting }: ClusterFacts): Promise<readonly TaskState[]> {
    if (hasAccounting)
      return parseSacct(await called('sacct', ['-X', '-n', '-P', '-j', jobs.join(','), '-o', sacctFields]))
    const each = await Promise.all(jobs.map(job => called('scontrol', ['-o', 'show', 'job', job]).catch(unlessUnknown)))
    return each.flatMap(parseScontrol)
  },

  /** By job and task: `12_3`. Tasks that are already over stay as they are. */
  async cancel(tasks: readonly string[]): Promise<void> {
    await called('scancel', ['--quiet', ...tasks])
  },
}

function unlessUnknown(error: unknown): string {
  if (error instanceof SlurmRefusal && /invalid job id/i.test(error.message)) return ''
  throw error
}

function called(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 2 ** 28, timeout: 60_000, encoding: 'utf8' } as const
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      if (systemCode(error) === 'ENOENT') return reject(missing(program))
      const reply = stderr.trim().split('\n').at(-1) ?? ''
      reject(
        new SlurmRefusal(
          program,
          reply === '' ? (error.killed ? 'timed out' : error.message) : withoutName(reply, program),
        ),
      )
    })
  })
}

const withoutName = (reply: string, program: string): string =>
  reply.replace(`${program}: `, '').replace(/^error: /, '')

const missing = (program: string): AssayError =>
  new AssayError('usage', `--executor slurm needs Slurm's programs: there is no ${program} in PATH`, {
    hint: 'Start assay on a login node of the cluster, on a file system that all nodes see.',
  })
