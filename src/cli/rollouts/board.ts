import { type Rollout, type Scores, scoresOf, type TaskScores, taskScoresOf } from '../../analyze/scores/scores.ts'

/** One series of a benchmark, by a name that tells it from the others. */
export interface Benchmark {
  readonly name: string
  readonly rollouts: readonly Rollout[]
}

export interface Place extends Scores {
  readonly benchmark: string
  /** Over the tasks that every entry has scored; null: there are none. */
  readonly shared_mean: number | null
}

export interface Leaderboard {
  /** The best first; without a score last. */
  readonly places: readonly Place[]
  /** Tasks that every entry has scored: where they are not all, means are of different tasks. */
  readonly shared: number
  readonly tasks: number
}

/** Every variant of every benchmark, ranked by its mean over the tasks that all of them have. */
export function leaderboardOf(benchmarks: readonly Benchmark[]): Leaderboard {
  const entries = benchmarks.flatMap(({ name, rollouts }) => {
    const byVariant = Map.groupBy(rollouts, ({ variant }) => variant)
    return scoresOf(rollouts).map(scores => ({ name, scores, own: byVariant.get(scores.variant) ?? [] }))
  })
  const scoredTasks = entries.map(({ own }) => new Set(own.filter(isScored).map(({ task }) => task)))
  const all = new Set(entries.flatMap(({ own }) => own.map(({ task }) => task)))
  const shared = new Set([...all].filter(task => scoredTasks.every(tasks => tasks.has(task))))
  const places = entries.map(({ name, scores, own }): Place => {
    const [common] = scoresOf(own.filter(({ task }) => shared.has(task)))
    return { ...scores, benchmark: name, shared_mean: common?.mean ?? null }
  })
  return { places: places.toSorted(byMean), shared: shared.size, tasks: all.size }
}

const isScored = ({ standing }: Rollout): boolean => standing === 'scored'

const byMean = (a: Place, b: Place): number =>
  (b.shared_mean ?? b.mean ?? -1) - (a.shared_mean ?? a.mean ?? -1) || (b.mean ?? -1) - (a.mean ?? -1)

export interface TaskRow {
  readonly task: string
  /** One for each column; null: it has no such task. */
  readonly cells: readonly (TaskScores | null)[]
  /** Against the first benchmark: solved now and not then, or the other way round; null: neither. */
  readonly flip: 'solved' | 'broken' | null
  /** By how much the mean has moved at most. */
  readonly moved: number
}

export interface TaskTable {
  readonly columns: readonly string[]
  /** Flips first, then by how much the mean moved. */
  readonly rows: readonly TaskRow[]
}

/** Tasks down, benchmarks and their variants across: where two of them differ. */
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
 * Each cell beside the one that it is compared with: that of the same variant in the first benchmark, else the first that
 * the task has there. A benchmark may give every task a model of its own.
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

/** The largest step of a mean. */
const movedBy = (changes: readonly Change[]): number =>
  Math.max(
    0,
    ...changes.flatMap(({ from, to }) =>
      from.mean === null || to.mean === null ? [] : [Math.abs(to.mean - from.mean)],
    ),
  )
