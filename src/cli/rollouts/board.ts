import { type Rollout, type Scores, scoresOf, type TaskScores, taskScoresOf } from '../../analyze/scores/scores.ts'
import { isAvailable } from '../../stats/estimate.ts'
import { meanOf, placeRanges, shrinkSystems } from '../../stats/index.ts'

/** One series of a benchmark, with a name that distinguishes it from the others. */
export interface Benchmark {
  readonly name: string
  readonly rollouts: readonly Rollout[]
}

export interface Place extends Scores {
  readonly benchmark: string
  /** Over the tasks that every entry has scored; null: there are none. */
  readonly shared_mean: number | null
  /** The same, shrunk towards the mean of all entries, the more the fewer rollouts it has; null below four entries. */
  readonly shrunk: { readonly estimate: number; readonly low: number; readonly high: number } | null
  /** 1 is best, by the shrunk values; null if no task is shared. */
  readonly place: number | null
  /** The places that it may have: at 95%, for all entries together. */
  readonly place_ci: { readonly low: number; readonly high: number } | null
}

export interface Leaderboard {
  /** The best first; without a score last. */
  readonly places: readonly Place[]
  /** Tasks that every entry has scored: without them, means would be of different tasks. */
  readonly shared: number
  readonly tasks: number
}

/**
 * Every variant of every benchmark, ranked by its score on the tasks that all of them have, shrunk if there are enough
 * entries.
 */
export function leaderboardOf(benchmarks: readonly Benchmark[]): Leaderboard {
  const entries = benchmarks.flatMap(({ name, rollouts }) => {
    const byVariant = Map.groupBy(rollouts, ({ variant }) => variant)
    return scoresOf(rollouts).map(scores => ({ name, scores, own: byVariant.get(scores.variant) ?? [] }))
  })
  const scored = entries.map(({ own }) => Map.groupBy(own.filter(isScored), ({ task }) => task))
  const all = new Set(entries.flatMap(({ own }) => own.map(({ task }) => task)))
  const shared = [...all].filter(task => scored.every(tasks => tasks.has(task)))
  // A task counts once, however often it was tried: tasks are what the entries share.
  const scores = scored.map(tasks => shared.map(task => (tasks.get(task) ?? []).flatMap(({ score }) => score ?? [])))
  const means = scores.map(row => row.map(meanOf))
  const shrunk = shrinkSystems(scores)
  const ranges = placeRanges(means)
  const rated = entries.map(({ name, scores }, at) => {
    const own = isAvailable(shrunk) ? shrunk[at] : undefined
    return {
      ...scores,
      benchmark: name,
      shared_mean: shared.length === 0 ? null : meanOf(means[at] ?? []),
      shrunk: own === undefined ? null : { estimate: own.estimate, ...withinScores(own.interval, means) },
      range: isAvailable(ranges) ? (ranges[at] ?? null) : null,
    }
  })
  const places = rated.toSorted(byScore).map(({ range, ...entry }): Place => {
    const rank = rankIn(entry, rated)
    return {
      ...entry,
      place: rank,
      // An entry with few rollouts is shrunk more than others: its place may be one that its own pairs do not show.
      place_ci:
        range === null || rank === null ? null : { low: Math.min(range.low, rank), high: Math.max(range.high, rank) },
    }
  })
  return { places, shared: shared.length, tasks: all.size }
}

const isScored = ({ standing }: Rollout): boolean => standing === 'scored'

type Rated = Pick<Place, 'mean' | 'shared_mean' | 'shrunk'>

const ratingOf = ({ shared_mean, shrunk }: Rated): number | null => shrunk?.estimate ?? shared_mean

const byScore = (a: Rated, b: Rated): number =>
  (ratingOf(b) ?? b.mean ?? -1) - (ratingOf(a) ?? a.mean ?? -1) || (b.mean ?? -1) - (a.mean ?? -1)

/** Equal entries share the better place. */
function rankIn(entry: Rated, all: readonly Rated[]): number | null {
  const own = ratingOf(entry)
  return own === null ? null : 1 + all.filter(other => (ratingOf(other) ?? -1) > own + 1e-12).length
}

/** Scores from 0 to 1 have means from 0 to 1. */
function withinScores(
  { low, high }: { readonly low: number; readonly high: number },
  means: readonly (readonly number[])[],
) {
  const isWithin = means.every(row => row.every(mean => mean >= 0 && mean <= 1))
  return isWithin ? { low: Math.max(0, low), high: Math.min(1, high) } : { low, high }
}

export interface TaskRow {
  readonly task: string
  /** One for each column; null: it has no such task. */
  readonly cells: readonly (TaskScores | null)[]
  /** Against the first benchmark: solved now and not then, or the other way round; null: neither. */
  readonly flip: 'solved' | 'broken' | null
  /** The largest change of the mean. */
  readonly moved: number
}

export interface TaskTable {
  readonly columns: readonly string[]
  /** Flips first, then by the change of the mean. */
  readonly rows: readonly TaskRow[]
}

/** Rows are tasks, columns are benchmarks and their variants: those tasks on which two of them differ. */
export function taskTableOf(benchmarks: readonly Benchmark[]): TaskTable {
  const columns = benchmarks.flatMap(({ name, rollouts }, benchmark) => {
    const byVariant = Map.groupBy(taskScoresOf(rollouts), ({ variant }) => variant)
    const variants = [...new Set(rollouts.map(({ variant }) => variant))]
    return variants.map(variant => ({
      name: variant === '' ? name : `${name} ${variant}`,
      benchmark,
      variant,
      scores: new Map((byVariant.get(variant) ?? []).map(row => [row.task, row])),
    }))
  })
  const tasks = [...new Set(columns.flatMap(({ scores }) => [...scores.keys()]))].toSorted()
  const rows = tasks.map((task): TaskRow => {
    const cells = columns.map(({ scores }) => scores.get(task) ?? null)
    const changes = changesIn(cells, columns)
    return { task, cells, flip: flipOf(changes), moved: movedBy(changes) }
  })
  return { columns: columns.map(({ name }) => name), rows: rows.toSorted(flipsFirst) }
}

/** More than half of its scored rollouts passed; null: none is scored. */
const isSolved = (cell: TaskScores | null | undefined): boolean | null =>
  cell == null || cell.scored === 0 ? null : cell.resolved * 2 > cell.scored

interface Column {
  readonly benchmark: number
  readonly variant: string
}

interface Change {
  readonly from: TaskScores
  readonly to: TaskScores
}

/**
 * Each cell next to the one it is compared with: that of the same variant in the first benchmark, else the task's first
 * cell there. A benchmark may give every task a model of its own.
 */
function changesIn(cells: readonly (TaskScores | null)[], columns: readonly Column[]): readonly Change[] {
  const first = columns.flatMap(({ benchmark, variant }, at) => {
    const cell = cells[at]
    return benchmark === 0 && cell != null ? [{ variant, cell }] : []
  })
  return columns.flatMap(({ benchmark, variant }, at) => {
    const same = benchmark === 0 ? undefined : first.find(one => one.variant === variant)
    const from = (same ?? first[0])?.cell
    const to = cells[at]
    return from === undefined || to == null || from === to ? [] : [{ from, to }]
  })
}

function flipOf(changes: readonly Change[]): TaskRow['flip'] {
  const flips = changes.map(({ from, to }) => [isSolved(from), isSolved(to)] as const)
  if (flips.some(([before, after]) => before === true && after === false)) return 'broken'
  return flips.some(([before, after]) => before === false && after === true) ? 'solved' : null
}

function flipsFirst(a: TaskRow, b: TaskRow): number {
  const rank = ({ flip }: TaskRow) => (flip === 'broken' ? 0 : flip === 'solved' ? 1 : 2)
  return rank(a) - rank(b) || b.moved - a.moved
}

/** The largest change of a mean. */
const movedBy = (changes: readonly Change[]): number =>
  Math.max(
    0,
    ...changes.flatMap(({ from, to }) =>
      from.mean === null || to.mean === null ? [] : [Math.abs(to.mean - from.mean)],
    ),
  )
