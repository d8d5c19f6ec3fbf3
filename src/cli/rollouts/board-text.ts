import { type TaskScores, taskLabels } from '../../analyze/scores/scores.ts'
import { markdownTable } from '../views/markdown-table.ts'
import { type Leaderboard, leaderboardOf, type TaskRow, type TaskTable, taskTableOf } from './board.ts'
import type { SeriesRun } from './read-series.ts'
import { scoreCells, scoreHead, share } from './summary-text.ts'

export interface NamedSeries {
  readonly name: string
  readonly rollouts: readonly SeriesRun[]
}

export interface Board {
  readonly leaderboard: Leaderboard
  readonly tasks: TaskTable
}

export const boardOf = (series: readonly NamedSeries[]): Board => ({
  leaderboard: leaderboardOf(series),
  tasks: taskTableOf(series),
})

/** Several benchmarks side by side: who leads, and on which tasks they differ. */
export function boardText({ leaderboard, tasks }: Board): readonly string[] {
  const { places, shared, tasks: all } = leaderboard
  const isPartial = shared < all
  const head = ['benchmark', 'variant', 'tasks:', 'n:', 'scored:', 'unscored:', 'errored:', ...scoreHead]
  const rows = places.map(place => [
    place.benchmark,
    place.variant || '–',
    ...[place.tasks, place.n, place.scored, place.unscored, place.errored].map(String),
    ...scoreCells(place),
    ...(isPartial ? [share(place.shared_mean)] : []),
  ])
  return [
    '[rollouts] Leaderboard:',
    ...markdownTable([...head, ...(isPartial ? ['shared:'] : [])], rows),
    ...(isPartial ? [partialText(shared, all)] : []),
    '',
    `[rollouts] Tasks (${flipsText(tasks.rows)}):`,
    ...taskLines(tasks),
  ]
}

const partialText = (shared: number, all: number): string =>
  shared === 0
    ? `No task is scored in every row, so the means are of different tasks and can't be compared.`
    : `Ranked by "shared": the mean over the ${shared} of ${all} tasks that are scored in every row.`

function flipsText(rows: readonly TaskRow[]): string {
  const count = (flip: TaskRow['flip']) => rows.filter(row => row.flip === flip).length
  const [broken, solved] = [count('broken'), count('solved')]
  return broken + solved === 0
    ? 'no flips against the first benchmark'
    : `${broken} broken and ${solved} solved against the first benchmark`
}

function taskLines({ columns, rows }: TaskTable): readonly string[] {
  const label = taskLabels(rows.map(({ task }) => task))
  return markdownTable(
    ['task', 'flip', ...columns.map(column => `${column}:`)],
    rows.map(({ task, flip, cells }) => [label(task), flip ?? '', ...cells.map(cellText)]),
  )
}

/** `67% (2/3)`: the mean score, and how many of the scored rollouts passed. */
const cellText = (cell: TaskScores | null): string =>
  cell === null ? '–' : cell.mean === null ? 'N/A' : `${share(cell.mean)} (${cell.resolved}/${cell.scored})`
