import { join } from 'node:path'
import type { EvidenceRun } from '../../plan/evidence.ts'
import type { OutputTail } from '../dataset/dataset.ts'
import { type FileTail, readTail } from './read-tail.ts'

/** Characters of output in the whole file, and of one run's stream. */
const mostOfAll = 400_000
const mostOfOne = 4000
const mostOfCompleted = 1500

export interface RunOutput {
  readonly tails: readonly (readonly OutputTail[])[]
  /** How many runs printed anything. */
  readonly printed: number
}

/** The ends of what runs printed: of those that failed first, an example of each class before more of the same. */
export function tailsOf(runs: readonly EvidenceRun[], folders: readonly (string | null)[]): RunOutput {
  const tails = new Map<number, readonly OutputTail[]>()
  let printed = 0
  let room = mostOfAll
  for (const at of inOrderOfInterest(runs)) {
    const folder = folders[at] ?? null
    const isFailed = runs[at]?.outcome.kind !== 'completed'
    const most = room <= 0 ? 0 : isFailed ? mostOfOne : mostOfCompleted
    const found = folder === null ? [] : streams.flatMap(stream => tailOf(folder, stream, most))
    if (found.length === 0) continue
    printed++
    room -= found.reduce((sum, { text }) => sum + text.length, 0)
    if (most > 0) tails.set(at, found)
  }
  return { tails: runs.map((_, at) => tails.get(at) ?? []), printed }
}

const streams = ['stderr', 'stdout'] as const

function tailOf(folder: string, stream: OutputTail['stream'], most: number): readonly OutputTail[] {
  const tail: FileTail | null = readTail(join(folder, `${stream}.txt`), most)
  return tail === null || tail.bytes === 0 ? [] : [{ stream, ...tail }]
}

/** Round by round: the first of each class of failure, the second of each, …; then the runs that completed. */
function inOrderOfInterest(runs: readonly EvidenceRun[]): readonly number[] {
  const failed = runs.flatMap(({ outcome }, at) =>
    outcome.kind === 'completed' ? [] : [{ at, group: `${outcome.kind} ${outcome.error_class ?? ''}` }],
  )
  const ranked = [...Map.groupBy(failed, ({ group }) => group).values()].flatMap(group =>
    group.map(({ at }, rank) => ({ at, rank })),
  )
  const completed = runs.flatMap(({ outcome }, at) => (outcome.kind === 'completed' ? [at] : []))
  return [...ranked.sort((a, b) => a.rank - b.rank || a.at - b.at).map(({ at }) => at), ...completed]
}
