import type { Scores } from '../../analyze/scores/scores.ts'
import { dollars, percentText } from '../../util/words.ts'
import type { TaskFindings, TaskRow } from '../findings/task-scores.ts'
import type { Cell, Figure, FigureColumn } from './figure.ts'

interface Column<Row> extends FigureColumn {
  cell(row: Row): Cell
}

/** Every variant's scores, the best first, the denominators beside the mean. */
export function scoresFigure({ overall: all, level }: TaskFindings): Figure {
  const overall = all.toSorted((a, b) => (b.mean ?? -1) - (a.mean ?? -1))
  const most = overall.flatMap(({ passes }) => passes).reduce((largest, { k }) => Math.max(largest, k), 1)
  const passes = (scores: Scores, k: number) => scores.passes.find(one => one.k === k)
  const columns: readonly Column<Scores>[] = [
    ...variantColumn(overall),
    share('mean', ({ mean }) => mean),
    share(`${percentText(level)} CI low`, ({ ci }) => ci?.low ?? null),
    share('high', ({ ci }) => ci?.high ?? null),
    count('tasks', ({ tasks }) => tasks),
    ...countColumns<Scores>(overall),
    ...(overall.some(({ errored }) => errored > 0)
      ? [share<Scores>('mean, errors as 0', ({ strict_mean }) => strict_mean)]
      : []),
    share('pass@1', scores => passes(scores, 1)?.any ?? null),
    ...(most === 1
      ? []
      : [
          share<Scores>(`pass@${most}`, scores => passes(scores, most)?.any ?? null),
          share<Scores>(`pass^${most}`, scores => passes(scores, most)?.all ?? null),
        ]),
    ...(overall.some(({ cost_usd }) => (cost_usd ?? 0) > 0)
      ? [{ name: 'cost', write: dollars, cell: ({ cost_usd }: Scores) => cost_usd }]
      : []),
  ]
  return {
    id: 'scores',
    title: 'Scores overall',
    caption: `Means are over scored rollouts; their intervals take rollouts of one task as alike, and rollouts as the unit where there is a single task. What was not scored is counted beside the mean and not in it.${most === 1 ? '' : ` pass@${most}: at least one of ${most} rollouts passes; pass^${most}: all of them do, over the tasks with so many.`}`,
    draw: null,
    table: tableOf(columns, overall),
  }
}

/** Every task, failing and flaky ones first. */
export function taskScoresFigure({ rows, k }: TaskFindings): Figure {
  const isShrunk = rows.some(({ shrunk }) => shrunk !== null)
  const columns: readonly Column<TaskRow>[] = [
    { name: 'task', cell: ({ task }) => task },
    ...variantColumn(rows),
    { name: 'status', cell: ({ status }) => status, tone: cell => tones.get(cell) ?? null },
    ...countColumns<TaskRow>(rows),
    share('mean', ({ mean }) => mean),
    ...(isShrunk ? [share<TaskRow>('shrunk', one => one.shrunk?.estimate ?? null)] : []),
    share('pass@1', ({ pass_at_1 }) => pass_at_1),
    ...(k === 1 ? [] : [share<TaskRow>(`pass^${k}`, ({ pass_hat_k }) => pass_hat_k)]),
  ]
  return {
    id: 'task-scores',
    title: 'Each task',
    caption: `Failing and flaky tasks first. Flaky: some scored rollouts passed and some failed.${isShrunk ? ' Shrunk: the mean, drawn towards that of all tasks the more the fewer rollouts it has.' : ''}`,
    draw: null,
    table: tableOf(columns, rows),
  }
}

const tones = new Map<Cell, 'good' | 'warning' | 'bad'>([
  ['failing', 'bad'],
  ['flaky', 'warning'],
  ['solved', 'good'],
])

const tableOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Figure['table'] => ({
  columns,
  rows: rows.map(row => columns.map(({ cell }) => cell(row))),
})

const count = <Row>(name: string, cell: (row: Row) => number): Column<Row> => ({ name, write: String, cell })
const share = <Row>(name: string, cell: (row: Row) => number | null): Column<Row> => ({
  name,
  write: percentText,
  cell,
})

/** A single variant has no name. */
const variantColumn = <Row extends { readonly variant: string }>(rows: readonly Row[]): readonly Column<Row>[] =>
  rows.some(({ variant }) => variant !== '')
    ? [{ name: 'variant', cell: ({ variant }) => (variant === '' ? '(as usual)' : variant) }]
    : []

function countColumns<Row extends Pick<Scores, 'n' | 'scored' | 'errored' | 'unscored' | 'resolved'>>(
  rows: readonly Row[],
): readonly Column<Row>[] {
  const isAny = (test: (row: Row) => boolean): boolean => rows.some(test)
  return [
    count('rollouts', ({ n }) => n),
    ...(isAny(({ n, scored }) => scored !== n) ? [count<Row>('scored', ({ scored }) => scored)] : []),
    ...(isAny(({ errored }) => errored > 0) ? [count<Row>('errored', ({ errored }) => errored)] : []),
    ...(isAny(({ unscored }) => unscored > 0) ? [count<Row>('unscored', ({ unscored }) => unscored)] : []),
    count('resolved', ({ resolved }) => resolved),
  ]
}
