import { safe } from '../../analysis/sections.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { scoresFigure, taskScoresFigure } from '../../figures/task-figures.ts'
import { taskFindingsOf } from '../../findings/task-scores.ts'
import type { View } from '../../findings/view.ts'
import { list, section, tableText } from './parts.ts'

const mostTasks = 200
const mostReasons = 50

/** How agents did on tasks: overall, then task by task. */
export function taskScoresText(dataset: Dataset, view: View): string {
  const finding = taskFindingsOf(dataset, view)
  if ('reason' in finding) return ''
  const { found } = finding
  const overall = scoresFigure(found)
  const tasks = taskScoresFigure(found)
  const left = found.rows.length - mostTasks
  return [
    section(
      'Scores by task',
      [
        list([...found.sentences, ...found.remarks, ...(found.warning === null ? [] : [found.warning])]),
        safe(overall.caption),
        tableText(overall.table),
        safe(tasks.caption),
        tableText(tasks.table, mostTasks),
        ...(left > 0 ? [`${left} more rows: the JSON report has all of them.`] : []),
      ].join('\n\n'),
    ),
    section('Environments that this machine could not make', unsupportedText(found.unsupported)),
  ]
    .filter(part => part !== '')
    .join('\n\n')
}

function unsupportedText(all: readonly { readonly task: string; readonly reason: string; readonly runs: number }[]) {
  if (all.length === 0) return ''
  const left = all.length - mostReasons
  const table = tableText({
    columns: [{ name: 'task' }, { name: 'rollouts', write: String }, { name: 'reason' }],
    rows: all.slice(0, mostReasons).map(({ task, runs, reason }) => [task, runs, reason]),
  })
  return [
    'They have no score, which is not a score of 0.',
    table,
    ...(left > 0 ? [`${left} more: the JSON report has all of them.`] : []),
  ].join('\n\n')
}
