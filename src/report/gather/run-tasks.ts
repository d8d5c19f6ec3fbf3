import { join } from 'node:path'
import { taskOf } from '../../analyze/scores/scores.ts'
import { knownMetrics, type RunRecord } from '../../define/observation.ts'
import { readEndOf, readStartOf } from '../../util/files.ts'
import { plainOutput } from '../../util/words.ts'
import type { TaskWork, TextPart, UnmetAssert } from '../dataset/dataset.ts'
import { type ResultLimits, resultsIn } from './task-results.ts'

/** Characters about the agents' work in the whole file. */
const mostOfAll = 1_500_000

/** For one run: in a report with thousands, and on its own page. */
const inReport: WorkLimits = { tests: 60, rubrics: 30, text: 1200, diff: 16_000, log: 4000 }
const alone: WorkLimits = { tests: 1000, rubrics: 200, text: 8000, diff: 300_000, log: 32_000 }

interface WorkLimits extends ResultLimits {
  readonly diff: number
  readonly log: number
}

/** A larger one is not even read. */
const mostResultBytes = 16 * 1024 * 1024

const resultsFile = 'evaluation_results.json'
const diffFile = 'artifacts/diff.patch'
const logFiles = ['logs/agent.log', 'logs/agent-errors.log', 'test_output.txt', 'logs/eval.log', 'logs/build.log']

export type Ended = Pick<RunRecord, 'name' | 'block' | 'outcome' | 'metrics'>

interface WorkOfRuns {
  readonly works: readonly (TaskWork | null)[]
  /** How many runs have work that is included here, or that was not even read. */
  readonly tasks: number
}

/** The agent's work in each run of a task; `folders` contains null for all others. */
export function workOf(runs: readonly Ended[], folders: readonly (string | null)[]): WorkOfRuns {
  const works = new Map<number, TaskWork | null>()
  let room = mostOfAll
  const order = inOrderOfInterest(runs, folders)
  for (const at of order) {
    const folder = folders[at] ?? null
    if (room <= 0 || folder === null) break
    const work = workIn(folder, inReport)
    works.set(at, work)
    room -= JSON.stringify(work).length
  }
  const empty = [...works.values()].filter(work => work === null).length
  return { works: runs.map((_, at) => works.get(at) ?? null), tasks: order.length - empty }
}

/** The same for one run, with more of everything; null: its folder contains nothing of a task. */
export const wholeWorkIn = (folder: string): TaskWork | null => workIn(folder, alone)

/** For each task (or other group) the first run that failed and the first that passed, then the second of each, … */
export function inOrderOfInterest<Run extends Ended>(
  runs: readonly Run[],
  folders: readonly (string | null)[],
  groupOf: (run: Run) => string = taskOf,
): readonly number[] {
  const there = runs.flatMap((run, at) => ((folders[at] ?? null) === null ? [] : [{ at, tier: tierOf(run), run }]))
  const groups = Map.groupBy(there, ({ tier, run }) => `${tier} ${groupOf(run)}`)
  return [...groups.values()]
    .flatMap(group => group.map(({ at, tier }, rank) => ({ at, tier, rank })))
    .sort((a, b) => a.rank - b.rank || a.tier - b.tier || a.at - b.at)
    .map(({ at }) => at)
}

function tierOf({ outcome, metrics }: Ended): number {
  if ((metrics[knownMetrics.passed] ?? 1) < 1) return 0
  return outcome?.kind === 'completed' ? 2 : 1
}

function workIn(folder: string, limits: WorkLimits): TaskWork | null {
  const results = readStartOf(join(folder, resultsFile), mostResultBytes, folder)
  const isWhole = results !== null && results.size <= mostResultBytes
  const found = isWhole ? resultsIn(results.start.toString('utf8'), limits) : null
  const diff = startOf(folder, diffFile, limits.diff)
  const logs = logFiles.flatMap(path => endOf(folder, path, limits.log))
  if (found === null && diff === null && logs.length === 0) return null
  return { ...(found ?? nothingKnown), diff, logs }
}

const nothingKnown: Omit<TaskWork, 'diff' | 'logs'> = {
  score: null,
  passed: null,
  problem: null,
  agent: null,
  numbers: {},
  tests: { total: 0, passed: 0, kept: [] },
  rubrics: { total: 0, kept: [], weighted_score: null, agreement: null },
  sandbox: null,
}

/** Complete lines from its beginning; null: there is no such file. */
function startOf(folder: string, path: string, most: number): TextPart | null {
  const found = readStartOf(join(folder, path), most, folder)
  if (found === null) return null
  const isWhole = found.start.length === found.size
  const end = isWhole ? found.size : found.start.lastIndexOf('\n') + 1
  const kept = found.start.subarray(0, end || found.start.length)
  return { path, text: patchText(kept.toString('utf8')), bytes: found.size, left_bytes: found.size - kept.length }
}

/** A carriage return in a patch is part of a line; in output it would restart the line. */
const patchText = (text: string): string => plainOutput(text.replaceAll('\r', ''))

function endOf(folder: string, path: string, most: number): readonly TextPart[] {
  const found = readEndOf(join(folder, path), most, folder)
  if (found === null || found.size === 0) return []
  const start = found.end.length === found.size ? 0 : found.end.indexOf('\n') + 1
  const kept = found.end.subarray(start < found.end.length ? start : 0)
  return [{ path, text: plainOutput(kept.toString('utf8')), bytes: found.size, left_bytes: found.size - kept.length }]
}

const mostUnmet = 20

/** Failed tests, in the form of asserts that the run did not satisfy. */
export function unmetTests(work: TaskWork | null): readonly UnmetAssert[] {
  if (work === null || work.passed !== false) return []
  return work.tests.kept
    .filter(({ passed }) => !passed)
    .slice(0, mostUnmet)
    .map(({ name, output }) => ({ type: name, reason: (output.split('\n').at(-1) ?? '').slice(0, 200) }))
}
