import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import * as z from 'zod'
import { programNotices } from '../define/dialects/registry.ts'
import type { Experiment } from '../define/experiment.ts'
import { cutOff, type Summary, tellingLine } from '../define/outcome.ts'
import { AssayError, messageOf, systemCode } from '../util/errors.ts'

import { makeFolders, readEndOf, writeWhole } from '../util/files.ts'
import { planOptionsOf, readExperiment } from './journal/experiment-row.ts'
import { Journal } from './journal/journal.ts'
import { standing } from './read/standing.ts'

export const journalFile = (dir: string): string => join(dir, 'journal.db')

export const runsFolder = (dir: string): string => join(dir, 'runs')

/** Where a run's files are, relative to the experiment's directory: the form used in the journal and in results. */
export const runPlace = (runName: string): string => `runs/${runName}`

export const runFolder = (dir: string, runName: string): string => join(dir, runPlace(runName))

/** Where the files of an attempt are once a later one needs the run's folder. */
export const keptAttemptFolder = (runDir: string, attempt: number): string => join(runDir, 'attempts', String(attempt))

/** The output files of a run's program, in the run's folder. */
export const outputFiles = { stdout: 'stdout.txt', stderr: 'stderr.txt' } as const

export const outputFile = (runDir: string, stream: keyof typeof outputFiles): string =>
  join(runDir, outputFiles[stream])

/** In the folder of a run performed on another machine: which files stayed there, and where. */
export const elsewhereFile = 'elsewhere.json'

/** A worker of a queue, as the coordinator last heard of it. */
export interface WorkerSeen {
  readonly id: string
  readonly host: string
  /** How many runs it has, of any experiment. */
  readonly runs: number
  readonly slots: number
  readonly cpus: number
  readonly gpus: number
  /** Of the machine, over the last minute. */
  readonly load: number
}

const workersFile = (dir: string): string => join(dir, '.workers.json')

/** For viewers of the experiment who don't know its queue; null: there is no coordinator any more. */
export function writeWorkersSeen(dir: string, workers: readonly WorkerSeen[] | null): void {
  if (workers === null) rmSync(workersFile(dir), { force: true })
  else writeWhole(workersFile(dir), JSON.stringify(workers))
}

export function readWorkersSeen(dir: string): readonly WorkerSeen[] {
  try {
    return workersSeen.parse(JSON.parse(readFileSync(workersFile(dir), 'utf8')))
  } catch {
    return []
  }
}

const workersSeen = z.lazy(() =>
  z.array(
    z.object({
      ...{ id: z.string(), host: z.string(), runs: z.number(), slots: z.number() },
      ...{ cpus: z.number(), gpus: z.number(), load: z.number() },
    }) satisfies z.ZodType<WorkerSeen>,
  ),
)

/** The last line that a run printed on standard error; '' if there is none. */
export const stderrTail = (dir: string, runName: string): string =>
  lastLine(outputFile(runFolder(dir, runName), 'stderr'))

/** The most informative line of a run's output about how it ended; '' if there is none. */
export const lastWordsIn = (runDir: string): string =>
  lastLine(outputFile(runDir, 'stderr')) || lastLine(outputFile(runDir, 'stdout'))

/**
 * Where an experiment's files are: `<out_root>/<name>`, its newest dated series, or the exact path it gives. `again`
 * names a new series (see series.ts). With `renews`, a complete dated series is also followed by a new one.
 */
export function experimentDirectory(
  experiment: Experiment,
  options: {
    readonly cwd: string
    readonly again?: boolean
    /** Whether runs are about to be executed, so that a complete series would have nothing left to do. */
    readonly renews?: boolean
    readonly now: number
  },
): string {
  const { directory = { kind: 'named' } } = experiment
  const { cwd, again = false, renews = false, now } = options
  if (directory.kind === 'exact') return again ? refuseSeries(directory.path) : resolve(cwd, directory.path)
  const root = resolve(cwd, experiment.out_root)
  const name = directoryName(experiment.name)
  const series = directory.kind === 'dated' && directory.stamp === 'second' ? seriesBySecond : seriesByDay
  const newest = series.newest(root, name)
  if (again) return join(root, series.next(root, name, now))
  if (directory.kind === 'named') return join(root, newest ?? name)
  const isOver = newest === undefined || (renews && isComplete(join(root, newest)))
  return join(root, isOver ? series.next(root, name, now) : newest)
}

function refuseSeries(path: string): never {
  throw new AssayError('usage', `--again starts a dated series, and this experiment has one directory: ${path}`, {
    hint: 'Write `directory: dated` instead of its path.',
  })
}

/** Whether the same command would find nothing to run: the entire plan, not just a part of it, has results. */
function isComplete(dir: string): boolean {
  if (!existsSync(journalFile(dir))) return false
  const journal = Journal.openExisting(journalFile(dir))
  try {
    const row = readExperiment(journal)
    if (row === undefined || !row.isPlanDone) return false
    const { filters, first, shard } = planOptionsOf(journal, row).selection
    if (filters.length > 0 || first !== null || shard !== null) return false
    const counts = standing(journal, dir)
    return counts.pending + counts.running + cutOff.reduce((sum, kind) => sum + counts[kind], 0) === 0
  } finally {
    journal.close()
  }
}

/** The rule of Cascade's sweep runner, so that its directories are found: other characters become `_`, none at the ends. */
export function directoryName(name: string): string {
  const clean = name.replace(/[^\p{L}\p{N}\-_.]/gu, '_').replace(/^_+|_+$/g, '')
  return clean === '' || /^\.+$/.test(clean) ? 'experiment' : clean
}

/** Makes the directory, or explains why it can't be written. */
export function makeExperimentDirectory(dir: string): void {
  try {
    makeFolders(runsFolder(dir))
    accessSync(dir, constants.W_OK)
  } catch (error) {
    throw new AssayError('cannot_write', `can't write to ${dir}: ${messageOf(error)}`, {
      cause: error,
      hint: 'Choose another place with --out-root.',
    })
  }
}

/** Stores a copy of the configuration with the results. */
export function keepConfiguration(dir: string, experiment: Experiment): void {
  if (experiment.file === null) {
    writeFileSync(join(dir, 'experiment.json'), `${JSON.stringify(experiment, null, 2)}\n`)
    return
  }
  const kept = keptFile(dir, experiment.file)
  if (resolve(experiment.file) !== resolve(kept)) copyFileSync(experiment.file, kept)
}

const keptFile = (dir: string, file: string): string => join(dir, `experiment${extname(file)}`)

/** The experiment's file, if it differs from the stored copy; null also if one of them is gone. */
export function changedConfiguration(dir: string, { file }: Pick<Experiment, 'file'>): string | null {
  if (file === null) return null
  const kept = keptFile(dir, file)
  if (!existsSync(file) || !existsSync(kept)) return null
  return readFileSync(file).equals(readFileSync(kept)) ? null : file
}

/** Whether a path given by a user is an experiment directory (or the journal in one). */
export function asExperimentDirectory(path: string): string | undefined {
  const dir = basename(path) === 'journal.db' ? dirname(path) : path
  return existsSync(journalFile(dir)) ? resolve(dir) : undefined
}

/** Folders with a journal, at most four levels down, by name: experiments are not nested. */
export function experimentsUnder(root: string, depth = 4): readonly string[] {
  if (existsSync(journalFile(root))) return [root]
  if (depth === 0) return []
  return foldersIn(root).flatMap(name => experimentsUnder(join(root, name), depth - 1))
}

/** Empty if the folder does not exist, is not a folder, or can't be read. */
function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map(entry => entry.name)
      .toSorted()
  } catch {
    return []
  }
}

/** Enough for any sensible line, and little compared with a gigabyte of output. */
const tailBytes = 4096

/** The last non-empty line of a text file; '' if there is none. */
export function lastLine(file: string): string {
  return tellingLine(readEndOf(file, tailBytes)?.end.toString('utf8') ?? '', programNotices)
}

/** Rewrites `summary.json` atomically: a reader sees the old file or the new one, never a mixture. */
export function writeSummaryFile(dir: string, summary: Summary): void {
  const file = join(dir, 'summary.json')
  const draft = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(draft, `${JSON.stringify(summary, null, 2)}\n`)
    renameSync(draft, file)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    throw new AssayError('cannot_write', `the directory of the experiment is gone: ${dir}`, {
      hint: 'It was moved or deleted during the run. If it was moved, run the same command with its new path.',
      cause: error,
    })
  }
}

/** Cached answers of language models, for all experiments whose directories are in this folder. */
export const callCacheIn = (outRoot: string): string => join(outRoot, '.cache', 'calls')

/** How the directories of a dated series are called, relative to `out_root`. */
export interface Series {
  /** undefined: there is none yet. */
  newest(root: string, name: string): string | undefined
  next(root: string, name: string, now: number): string
}

/** `<name>@2026-11-15`, then `<name>@2026-11-15.2`, … */
export const seriesByDay: Series = {
  newest(root, name) {
    const numbered = entriesOf(root).flatMap(entry => {
      const match = entry.startsWith(`${name}@`)
        ? /^(\d{4}-\d{2}-\d{2})(?:\.(\d+))?$/.exec(entry.slice(name.length + 1))
        : null
      return match ? [{ entry, day: match[1] ?? '', number: Number(match[2] ?? 1) }] : []
    })
    numbered.sort((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1))
    return numbered.at(-1)?.entry
  },
  next(root, name, now) {
    const first = `${name}@${new Date(now).toISOString().slice(0, 10)}`
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? first : `${first}.${number}`
      if (!existsSync(join(root, candidate))) return candidate
    }
  },
}

/** `<name>/20261115__09-30-00` in UTC; the next free second if that one is taken. */
export const seriesBySecond: Series = {
  newest(root, name) {
    // A folder without a journal was made by another program, and is not ours to continue.
    const ours = stampsIn(join(root, name)).filter(stamp => existsSync(join(root, name, stamp, 'journal.db')))
    const newest = ours.at(-1)
    return newest && join(name, newest)
  },
  next(root, name, now) {
    for (let at = now; ; at += 1000) {
      const candidate = join(name, stampOf(at))
      if (!existsSync(join(root, candidate))) return candidate
    }
  },
}

/** `20261115__09-30-00`: a second, in UTC. */
export function stampOf(now: number): string {
  const [day = '', time = ''] = new Date(now).toISOString().slice(0, 19).split('T')
  return `${day.replaceAll('-', '')}__${time.replaceAll(':', '-')}`
}

export const isStamp = (text: string): boolean => /^\d{8}__\d{2}-\d{2}-\d{2}$/.test(text)

/** The stamped folders in a folder, the newest last. */
export const stampsIn = (folder: string): readonly string[] => entriesOf(folder).filter(isStamp).toSorted()

/** Empty if there is no folder; a file in its place is refused later, when the directory is made. */
function entriesOf(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
}
