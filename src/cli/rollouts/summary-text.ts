import { basename } from 'node:path'
import {
  countsOf,
  passRates,
  type Scores,
  scoresOf,
  type TaskScores,
  taskLabels,
  taskPatternsOf,
  taskScoresOf,
} from '../../analyze/scores/scores.ts'
import { meanOf } from '../../stats/index.ts'
import { dollars, plainNumber } from '../../util/words.ts'
import { markdownTable } from '../views/markdown-table.ts'
import type { DatasetMetrics } from './dataset-metrics.ts'
import type { SeriesRun } from './read-series.ts'

/** A part of a summary: on the terminal below a line, in `summary.md` below a heading. */
interface Part {
  readonly line: string
  readonly heading: string | null
  readonly lines: readonly string[]
}

/**
 * The output of `summarize`: the tables of eval_rollouts.py, with the denominators next to every mean, and what follows
 * from them.
 */
export const summaryText = (
  dir: string,
  runs: readonly SeriesRun[],
  datasets: readonly DatasetMetrics[] = [],
): readonly string[] => partsOf(dir, runs, datasets).flatMap(({ line, lines }) => [`[rollouts] ${line}`, ...lines, ''])

/** The same as a file. */
export const summaryMarkdown = (
  dir: string,
  runs: readonly SeriesRun[],
  datasets: readonly DatasetMetrics[] = [],
): string =>
  [
    `# Rollout Summary: ${basename(dir)}`,
    '',
    ...partsOf(dir, runs, datasets).flatMap(({ heading, lines }) => [
      ...(heading === null ? [] : [`## ${heading}`, '']),
      ...lines,
      '',
    ]),
  ].join('\n')

function partsOf(dir: string, runs: readonly SeriesRun[], datasets: readonly DatasetMetrics[]): readonly Part[] {
  const label = taskLabels(runs.map(({ task }) => task))
  const [all] = scoresOf(runs.map(run => ({ ...run, variant: '' })))
  const rows = taskScoresOf(runs)
  const patterns = taskPatternsOf(rows)
  const silent = runs.filter(({ reason }) => reason !== null)
  const isolation = [...new Set(runs.flatMap(({ sandbox }) => sandbox ?? []))]
  const part = (heading: string, lines: readonly string[], line = `${heading}:`): readonly Part[] =>
    lines.length === 0 ? [] : [{ line, heading, lines }]
  return [
    { line: `Summary for ${dir}`, heading: null, lines: runTable(runs, label) },
    ...part('Aggregates', all === undefined ? [] : aggregateLines(runs, all)),
    ...part('Per-task aggregates (mean/max across rollouts)', taskTable(runs, label)),
    ...part('Scores by variant', scoreTable(scoresOf(runs))),
    ...part('Metrics of the set of tasks (metric.py)', datasetTable(datasets)),
    ...part(
      'Flaky tasks (some rollouts passed, some failed)',
      patterns.flaky.map(row => `- ${named(row, label)}: ${row.resolved} of ${row.scored} passed`),
    ),
    ...part(
      'Tasks that separate the variants',
      patterns.separating.map(({ task, better, worse }) => `- ${label(task)}: ${better} is better than ${worse}`),
    ),
    ...part(
      "Outliers (far from the variant's other tasks)",
      patterns.outliers.map(
        row =>
          `- ${named(row, label)}: mean ${plainNumber(row.mean ?? 0)}, with what the other tasks say ${plainNumber(row.shrunk?.estimate ?? 0)}`,
      ),
    ),
    ...part(
      'Not scored',
      silent.map(({ run, task, standing, reason }) => `- ${run} (${label(task)}, ${standing}): ${reason}`),
    ),
    ...part(
      'Isolation',
      isolation.length < 2 ? [] : [`- these runs were isolated in different ways: ${isolation.join(', ')}`],
    ),
  ]
}

const named = ({ task, variant }: Pick<TaskScores, 'task' | 'variant'>, label: (task: string) => string): string =>
  variant === '' ? label(task) : `${label(task)} with ${variant}`

function runTable(runs: readonly SeriesRun[], label: (task: string) => string): readonly string[] {
  const rows = runs.map(({ task, run, unit, lm, tokens, tools }) => [
    label(task),
    run,
    share(unit),
    share(lm),
    tokens === null ? 'N/A' : String(tokens),
    tools === null ? 'N/A' : String(tools),
  ])
  return markdownTable(['task', 'run', 'unit:', 'lm:', 'tokens:', 'tools:'], rows)
}

function aggregateLines(runs: readonly SeriesRun[], all: Scores): readonly string[] {
  const judged = runs.flatMap(({ lm }) => lm ?? [])
  const unit = new Set(runs.map(({ variant }) => variant)).size > 1 ? 'tasks × variants' : 'tasks'
  const counts = `n=${all.n}, scored=${all.scored}, unscored=${all.unscored}, errored=${all.errored}`
  return [
    `- Unit tests average: ${share(all.mean)} (${counts}${intervalOf(all)})`,
    `- LM rubric average: ${share(judged.length === 0 ? null : meanOf(judged))} (n=${all.n}, judged=${judged.length})`,
    `- With errors counted as 0: ${share(all.strict_mean)} (of ${all.scored + all.errored})`,
    `- Resolved: ${all.resolved} of ${all.scored} scored; failed: ${all.failed}`,
    ...passRates(runs).map(
      ({ k, tasks, any, all: every }) => `- pass@${k}: ${share(any)}, pass^${k}: ${share(every)} (${unit}=${tasks})`,
    ),
  ]
}

const intervalOf = ({ ci, scored_tasks: tasks }: Scores): string =>
  ci === null ? '' : `; 95% CI ${share(ci.low)} to ${share(ci.high)} over ${tasks === 1 ? '1 task' : `${tasks} tasks`}`

function taskTable(runs: readonly SeriesRun[], label: (task: string) => string): readonly string[] {
  const byTask = [...Map.groupBy(runs, ({ task }) => task)].toSorted(([a], [b]) => (label(a) < label(b) ? -1 : 1))
  const rows = byTask.map(([task, own]) => {
    const unit = own.flatMap(run => run.unit ?? [])
    const lm = own.flatMap(run => run.lm ?? [])
    const { n, scored, unscored, errored, resolved } = countsOf(own)
    return [
      ...[label(task), String(n), ...meanAndMax(unit), ...meanAndMax(lm)],
      ...[scored, unscored, errored, resolved].map(String),
    ]
  })
  const counts = ['scored:', 'unscored:', 'errored:', 'resolved:']
  return markdownTable(['task', 'rollouts:', 'unit_mean:', 'unit_max:', 'lm_mean:', 'lm_max:', ...counts], rows)
}

const meanAndMax = (values: readonly number[]): readonly string[] =>
  values.length === 0 ? ['N/A', 'N/A'] : [share(meanOf(values)), share(Math.max(...values))]

/** Empty if there is only one variant: the aggregates show it. */
function scoreTable(scores: readonly Scores[]): readonly string[] {
  if (scores.length < 2) return []
  const rows = scores.map(one => [
    one.variant || '(as usual)',
    ...[one.tasks, one.n, one.scored, one.unscored, one.errored, one.resolved, one.failed].map(String),
    ...scoreCells(one),
  ])
  const counts = ['tasks:', 'n:', 'scored:', 'unscored:', 'errored:', 'resolved:', 'failed:']
  return markdownTable(['variant', ...counts, ...scoreHead], rows)
}

/** A row for each number, so that sets with different numbers fit in one table. */
function datasetTable(datasets: readonly DatasetMetrics[]): readonly string[] {
  const rows = datasets.flatMap(({ dataset, variant, n, values, problem }) => {
    const cells = problem === null ? Object.entries(values) : [['–', `not known: ${problem}`] as const]
    return cells.map(([name, value]) => [dataset, variant || '(as usual)', String(n), name, String(value)])
  })
  return rows.length === 0 ? [] : markdownTable(['dataset', 'variant', 'n:', 'metric', 'value:'], rows)
}

export const scoreHead = ['mean:', '95% CI', 'strict:', 'pass@1:', 'pass@k:', 'pass^k:', 'cost:']

export function scoreCells(scores: Scores): readonly string[] {
  const { mean, ci, ci_reason, strict_mean, passes, cost_usd, scored_tasks } = scores
  // The largest k that every task in the mean has.
  const most = passes.findLast(({ k, tasks }) => k > 1 && tasks === scored_tasks)
  return [
    share(mean),
    ci === null ? (ci_reason ?? '–') : `${share(ci.low)} to ${share(ci.high)}`,
    share(strict_mean),
    share(passes.find(({ k }) => k === 1)?.any ?? null),
    most === undefined ? '–' : `${share(most.any)} (k=${most.k})`,
    most === undefined ? '–' : `${share(most.all)} (k=${most.k})`,
    cost_usd === null ? '–' : dollars(cost_usd),
  ]
}

/** Whole percent, as in eval_rollouts.py; `N/A` if there is none. */
export const share = (value: number | null): string => (value === null ? 'N/A' : `${Math.round(value * 100)}%`)
