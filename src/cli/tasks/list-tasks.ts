import { relative, resolve } from 'node:path'
import { readDataset, readTasks } from '../../targets/task/read-tasks.ts'
import { type BrokenTask, type Task, taskFormats } from '../../targets/task/task.ts'
import { counted, listed, plainOutput } from '../../util/words.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { styler } from '../views/style.ts'
import { tableLines } from '../views/table.ts'
import { detailLines, needsText } from './needs-text.ts'

/** `assay tasks list`: reads and starts nothing. Exit code 1 if a task is broken. */
export async function listTasks(paths: readonly string[], options: Options, io: Io): Promise<number> {
  const places = paths.length === 0 ? ['.'] : paths
  const found = places.flatMap(path => tasksIn(path, options, io))
  const tasks = found.flatMap(one => one.tasks)
  const broken = tasks.filter(task => task.kind === 'broken')
  const missing = found.flatMap(one => one.missing)
  if (options.json) {
    writeJson(io.stdout, {
      kind: 'tasks',
      tasks: tasks.map(task => taskJson(task, io.cwd)),
      broken: broken.length,
      missing,
    })
    return broken.length + missing.length > 0 ? 1 : 0
  }
  writeLines(io.stdout, [
    ...tableOf(tasks, io),
    '',
    countLine(tasks),
    ...(options.verbose ? tasks.flatMap(task => (task.kind === 'task' ? detailLines(task) : [])) : []),
    ...repeatedIds(tasks),
    ...missing.map(name => `✗ dataset.toml lists "${clean(name)}", which is not there`),
    ...broken.flatMap(task => brokenLines(task, io.cwd)),
  ])
  return broken.length + missing.length > 0 ? 1 : 0
}

interface Found {
  readonly tasks: readonly (Task | BrokenTask)[]
  /** Tasks that the dataset lists but that do not exist. */
  readonly missing: readonly string[]
}

function tasksIn(path: string, { taskFormat, repos }: Options, io: Io): Found {
  const place = resolve(io.cwd, path)
  const all = [...readTasks(place, { repos: repos === undefined ? null : resolve(io.cwd, repos) })]
  const names = new Set(all.flatMap(({ id, dir }) => [id, relative(place, dir)]))
  const missing = readDataset(place)?.listed?.filter(name => !names.has(name)) ?? []
  return { tasks: all.filter(task => taskFormat === undefined || task.format === taskFormat), missing }
}

function tableOf(tasks: readonly (Task | BrokenTask)[], io: Io): string[] {
  const rows = tasks.map(task =>
    [
      task.id,
      task.format,
      ...(task.kind === 'task'
        ? [short(task.title), needsText(task), task.unsupported.length > 0 ? 'unsupported' : '']
        : ['', '', counted(task.problems.length, 'problem')]),
    ].map(clean),
  )
  const head = ['task', 'format', 'title', 'needs', 'problems']
  return tableLines(head, rows, { columns: tableWidth(io.stdout), head: styler(io.stdout).bold })
}

/** Some sets have paragraphs as titles. */
const short = (title: string): string => (title.length > 80 ? `${title.slice(0, 79)}…` : title)

/** Task files come from other people: their texts must not control the terminal. */
const clean = (text: string): string => plainOutput(text).replaceAll(/\s+/g, ' ')

function countLine(tasks: readonly (Task | BrokenTask)[]): string {
  const byFormat = taskFormats.flatMap(format => {
    const count = tasks.filter(task => task.format === format).length
    return count === 0 ? [] : [`${count} ${format}`]
  })
  const broken = tasks.filter(({ kind }) => kind === 'broken').length
  const line = `${counted(tasks.length, 'task')}${byFormat.length === 0 ? '' : `: ${byFormat.join(', ')}`}`
  return broken === 0 ? line : `${line}; ${broken} can't be run`
}

/** Results are distinguished by the folder, but people read the name. */
function repeatedIds(tasks: readonly (Task | BrokenTask)[]): readonly string[] {
  const ids = tasks.map(({ id }) => id)
  const seen = new Set<string>()
  const twice = new Set(ids.filter(id => seen.has(id) || !seen.add(id)))
  return twice.size === 0 ? [] : [`! several tasks have the same name: ${listed([...twice].map(clean))}`]
}

const brokenLines = ({ dir, problems }: BrokenTask, cwd: string): readonly string[] => [
  `✗ ${clean(relative(cwd, dir) || '.')}`,
  ...problems.map(problem => `    ${plainOutput(problem).replaceAll('\n', ' ')}`),
]

function taskJson(task: Task | BrokenTask, cwd: string) {
  const { id, format, dir } = task
  const common = { id, format, dir: relative(cwd, dir) || '.' }
  if (task.kind === 'broken') return { ...common, is_broken: true, problems: task.problems }
  return {
    ...common,
    is_broken: false,
    title: task.title,
    tags: task.tags,
    difficulty: task.difficulty,
    digest: task.digest,
    steps: task.steps.map(step => ({
      name: step.name,
      agent_timeout_sec: step.agentSec,
      verifier_timeout_sec: step.verifySec,
      has_solution: step.solution !== null,
    })),
    rubrics: task.rubrics.map(rubric => rubric.id),
    network: task.limits.network,
    needs: task.needs,
    unsupported: task.unsupported,
    notes: task.notes,
  }
}
