import type { Needs } from '../../define/experiment.ts'
import { AssayError } from '../../util/errors.ts'
import { parseDuration } from '../../util/time.ts'
import { shellQuote } from '../../util/words.ts'

/** The user's requests to Slurm. */
export interface SlurmOptions {
  readonly partition?: string | undefined
  /** For one array task: in Slurm's form (`2:00:00`, `1-12`), or as durations are written elsewhere (`2h`). */
  readonly time?: string | undefined
  readonly memory?: string | undefined
  readonly gpus?: number | undefined
  readonly cpus?: number | undefined
  /** Features that a node must have. */
  readonly features?: readonly string[] | undefined
  /** More options of `sbatch`: `--account=lab`. */
  readonly sbatch: readonly string[]
  /** Shell commands to run on a node before assay starts: `module load nodejs`. */
  readonly before: readonly string[]
  /** Runs per array task; undefined: enough to fill some seconds. */
  readonly chunk?: number | undefined
  /** Array tasks that run at a time; undefined: Slurm decides. */
  readonly arrayLimit?: number | undefined
  /** The command that starts assay on a node. */
  readonly command: readonly string[]
}

export interface Submission {
  /** Unique: jobs are found by it even if the number that Slurm gave them was never recorded. */
  readonly name: string
  /** Where its files are, absolute. */
  readonly folder: string
  /** Where its programs start. */
  readonly cwd: string
  readonly tasks: number
}

export const jobsFile = (task: number | string): string => `jobs-${task}.json`
export const logFile = (task: number | string): string => `log-${task}.txt`

/** The script of an array. Requeueing is off: the engine decides whether work is repeated, with a new token. */
export function scriptText(options: SlurmOptions, { name, folder, cwd, tasks }: Submission): string {
  const { partition, time, memory, gpus, cpus, features = [], arrayLimit, command } = options
  const atOnce = arrayLimit === undefined ? '' : `%${arrayLimit}`
  const directives = [
    `--job-name=${name}`,
    `--array=0-${tasks - 1}${atOnce}`,
    `--chdir=${quoted(cwd)}`,
    `--output=${quoted(`${folder.replaceAll('%', '%%')}/${logFile('%a')}`)}`,
    '--open-mode=append',
    '--no-requeue',
    ...(partition === undefined ? [] : [`--partition=${partition}`]),
    ...(time === undefined ? [] : [`--time=${slurmTime(time)}`]),
    ...(memory === undefined ? [] : [`--mem=${memory}`]),
    ...(gpus === undefined ? [] : [`--gres=gpu:${gpus}`]),
    ...(cpus === undefined ? [] : [`--cpus-per-task=${cpus}`]),
    ...(features.length === 0 ? [] : [`--constraint=${quoted(features.join('&'))}`]),
    ...options.sbatch.map(line => line.trim()),
  ]
  return [
    '#!/bin/sh',
    ...directives.map(line => `#SBATCH ${line}`),
    ...options.before,
    `exec ${command.map(shellQuote).join(' ')} worker --perform ${shellQuote(`${folder}/jobs-`)}"$SLURM_ARRAY_TASK_ID".json`,
    '',
  ].join('\n')
}

/** The runs of a task are executed one after the other: it needs as much as one of them. Options override this. */
export function withNeeds(options: SlurmOptions, needs: Needs | undefined): SlurmOptions {
  if (needs === undefined) return options
  const { cpu, memory_mb, gpu, labels } = needs
  return {
    ...options,
    memory: options.memory ?? (memory_mb > 0 ? `${memory_mb}M` : undefined),
    gpus: options.gpus ?? (gpu > 0 ? gpu : undefined),
    cpus: cpu > 0 ? Math.ceil(cpu) : undefined,
    features: labels,
  }
}

/** In sbatch's syntax for directives: quotes keep spaces together. */
const quoted = (text: string): string => (/[\s"'\\#]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text)

/** Options that assay sets itself: an array cut differently or sent elsewhere would not be found again. */
const ours = ['array', 'a', 'job-name', 'J', 'chdir', 'D', 'output', 'o', 'requeue', 'no-requeue', 'wrap']

export function checkOptions({ partition, time, memory, sbatch, before }: SlurmOptions): void {
  for (const line of sbatch) {
    const [, name] = /^\s*--?([A-Za-z][\w-]*)/.exec(line) ?? []
    if (name === undefined || line.includes('\n'))
      throw new AssayError('usage', `--sbatch ${JSON.stringify(line)} is no option of sbatch`, {
        hint: "Write one as in a script after #SBATCH, e.g. --sbatch '--account=lab'.",
      })
    if (ours.includes(name)) throw new AssayError('usage', `--sbatch ${line}: assay sets ${name} itself`)
  }
  if (partition !== undefined && !/^[\w.,-]+$/.test(partition))
    throw new AssayError('usage', `--partition: expected the name of a partition, got ${JSON.stringify(partition)}`)
  if (memory !== undefined && !/^\d+[KMGT]?$/.test(memory))
    throw new AssayError('usage', `--mem: expected a size such as 8G or 500M, got ${JSON.stringify(memory)}`)
  if (before.some(line => line.startsWith('#SBATCH')))
    throw new AssayError('usage', '--before takes shell commands; options of sbatch go to --sbatch')
  if (time !== undefined) slurmTime(time)
}

/** `90m` as Slurm writes it; a time already in Slurm's form is kept. */
export function slurmTime(given: string): string {
  if (/^(\d+-\d+(:\d+){0,2}|\d+(:\d+){1,2})$/.test(given)) return given
  // Slurm reads a plain number as minutes, the rest of assay as seconds.
  const ms = /^\d+$/.test(given) ? null : parseDuration(given)
  if (ms === null || ms === 0)
    throw new AssayError('usage', `--time: expected a duration such as 2h, or Slurm's 1-12:00:00, got ${given}`)
  const seconds = Math.ceil(ms / 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600)]
  const clock = `${two(hours)}:${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`
  return days === 0 ? clock : `${days}-${clock}`
}
