import { closeSync, type Dirent, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import * as z from 'zod'
import type { MetricSource, SourceReading } from '../../../define/experiment.ts'
import type { Reading } from '../../../define/run.ts'
import { messageOf } from '../../../util/errors.ts'
import { openRegular } from '../../../util/files.ts'
import { noReading, problemReading } from '../readings.ts'
import { CorruptRecord, recordsIn } from './records.ts'
import { type Scalar, scalarsIn } from './scalars.ts'

const tensorboardSpec = z.lazy(() =>
  z.object({
    /** A folder, or one file. */
    file: z.string(),
    tag: z.string().optional(),
    optional: z.boolean().optional(),
  }),
)

/**
 * TensorBoard's event files in a folder of the run: a tag over steps makes a series, and its last value is the metric.
 * Files of one folder are one log; with several folders, their names precede the tags: `train/loss`.
 */
export const tensorboardSource: MetricSource = {
  kind: 'tensorboard',
  read(runDir, metric, given) {
    const { file, tag = metric, optional = false } = tensorboardSpec.parse(given)
    try {
      const files = eventFilesIn(runDir, file)
      if (files.length === 0)
        return optional ? noReading : problemReading(metric, `${file} contains no TensorBoard event files`)
      const { logs, problems } = readLogs(runDir, files)
      // A completely unreadable file has no tags to identify it by.
      const unread: readonly SourceReading[] = problems.map(problem => problemReading('tensorboard', problem))
      if (metric === '*') return joined([...[...logs].map(([name, log]) => readingOf(name, log)), ...unread])
      const log = logs.get(tag)
      if (log !== undefined) return readingOf(metric, log)
      const [problem] = problems
      if (problem !== undefined) return problemReading(metric, problem)
      const names = [...logs.keys()]
      return optional
        ? noReading
        : problemReading(
            metric,
            `no event has the tag "${tag}"${names.length === 0 ? '' : `; there are ${names.slice(0, 8).join(', ')}`}`,
          )
    } catch (error) {
      return problemReading(metric, `${file} could not be read: ${messageOf(error)}`)
    }
  },
}

/** How many bytes of events a run has left: reading many takes a while. */
export const eventBytes = (runDir: string, file: string): number =>
  eventFilesIn(runDir, file).reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)

const isEventFile = (name: string): boolean => name.includes('tfevents')

/** Deeper ones belong to something else. */
const mostLevels = 8

function eventFilesIn(runDir: string, file: string): readonly string[] {
  const path = join(runDir, file)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  return found.isDirectory() ? filesUnder(path, mostLevels) : [path]
}

function filesUnder(folder: string, levels: number): readonly string[] {
  const entries: Dirent[] = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return levels > 0 ? filesUnder(path, levels - 1) : []
    return entry.isFile() && isEventFile(entry.name) ? [path] : []
  })
}

interface Log {
  readonly points: Scalar[]
  /** The problem of a file that contains it. */
  problem: string | null
}

/** By the name of a metric: its values in all files, in the order of their names, which begin with their creation time. */
function readLogs(
  runDir: string,
  files: readonly string[],
): { readonly logs: ReadonlyMap<string, Log>; readonly problems: readonly string[] } {
  const root = commonFolder(files)
  const logs = new Map<string, Log>()
  const problems: string[] = []
  for (const file of files) {
    const prefix = relative(root, dirname(file)).split(/[\\/]/).filter(Boolean)
    const seen = new Set<Log>()
    const problem = readFile(runDir, file, point => {
      const name = [...prefix, point.tag].join('/')
      const log = logs.get(name) ?? { points: [], problem: null }
      logs.set(name, log)
      seen.add(log)
      log.points.push(point)
    })
    if (problem === null) continue
    // Its further values are unknown.
    const named = `${relative(runDir, file)}: ${problem}`
    for (const log of seen) log.problem ??= named
    if (seen.size === 0) problems.push(named)
  }
  return { logs, problems }
}

function commonFolder(files: readonly string[]): string {
  const folders = files.map(dirname)
  let common = folders[0] ?? ''
  while (!folders.every(folder => folder === common || folder.startsWith(`${common}/`))) common = dirname(common)
  return common
}

function readFile(runDir: string, file: string, take: (point: Scalar) => void): string | null {
  const opened = openRegular(file, runDir)
  if (opened === 'missing') return null
  if ('problem' in opened) return opened.problem
  try {
    for (const record of recordsIn(opened.descriptor, opened.size)) for (const point of scalarsIn(record)) take(point)
    return null
  } catch (error) {
    if (error instanceof CorruptRecord) return error.message
    throw error
  } finally {
    closeSync(opened.descriptor)
  }
}

function readingOf(metric: string, { points, problem }: Log): SourceReading {
  const finite = points.filter(({ value }) => Number.isFinite(value))
  const last = points.at(-1)
  const wrong =
    problem ??
    (last !== undefined && Number.isFinite(last.value) ? null : `is ${last?.value} at step ${last?.step}, not a number`)
  const reading: Reading = wrong === null ? { metric, value: last?.value ?? Number.NaN } : { metric, problem: wrong }
  const series = { metric, steps: finite.map(({ step }) => step), values: finite.map(({ value }) => value) }
  return { readings: [reading], series: finite.length === 0 ? [] : [series] }
}

const joined = (all: readonly SourceReading[]): SourceReading => ({
  readings: all.flatMap(({ readings }) => readings),
  series: all.flatMap(({ series }) => series),
})
