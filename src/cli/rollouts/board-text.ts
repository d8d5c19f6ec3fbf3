import { type TaskScores, taskLabels } from '../../analyze/scores/scores.ts'
import { counted } from '../../util/words.ts'
import { markdownTable } from '../views/markdown-table.ts'
import { type Leaderboard, leaderboardOf, type Place, type TaskRow, type TaskTable, taskTableOf } from './board.ts'
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

/** Several benchmarks side by side: the ranking, and the tasks on which they differ. */
export function boardText({ leaderboard, tasks }: Board): readonly string[] {
  const { places, shared, tasks: all } = leaderboard
  const isPartial = shared < all
  const isShrunk = places.some(({ shrunk }) => shrunk !== null)
  const head = ['place', 'benchmark', 'variant', 'tasks:', 'n:', 'scored:', 'unscored:', 'errored:', ...scoreHead]
  const rows = places.map(place => [
    placeText(place),
    place.benchmark,
    place.variant || '–',
    ...[place.tasks, place.n, place.scored, place.unscored, place.errored].map(String),
    ...scoreCells(place),
    share(place.shared_mean),
    ...(isShrunk ? [shrunkText(place)] : []),
  ])
  return [
    '[rollouts] Leaderboard:',
    ...markdownTable([...head, 'shared:', ...(isShrunk ? ['shrunk'] : [])], rows),
    ...(shared === 0 ? [nothingShared] : placeLines(shared, isPartial ? all : shared, isShrunk)),
    '',
    `[rollouts] Tasks (${flipsText(tasks.rows)}):`,
    ...taskLines(tasks),
  ]
}

/** `1 (1–3)`: its place, and the places that it may have. */
function placeText({ place, place_ci: range }: Place): string {
  if (place === null) return '–'
  if (range === null) return String(place)
  return range.low === range.high ? String(place) : `${place} (${range.low}–${range.high})`
}

const shrunkText = ({ shrunk }: Place): string =>
  shrunk === null ? '–' : `${share(shrunk.estimate)} (${share(shrunk.low)} to ${share(shrunk.high)})`

const nothingShared = `No task is scored in every row, so the means are of different tasks and can't be compared.`

const placeLines = (shared: number, all: number, isShrunk: boolean): readonly string[] => [
  `"shared" is the mean over the ${shared === all ? counted(shared, 'task') : `${shared} of ${counted(all, 'task')}`} scored in every row, each task counted once. In parentheses after a place: those it may have, with 95% for all rows together.`,
  isShrunk
    ? 'Ranked by "shrunk": "shared", drawn towards the mean of all rows, the more the fewer rollouts a row rests on, with a 95% interval for these tasks.'
    : 'Ranked by "shared"; four rows or more are ranked by values that allow for how much each row rests on.',
]

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
