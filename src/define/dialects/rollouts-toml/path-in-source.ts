import { isJsonObject, type Json } from '../../../util/json.ts'
import { type Path, valueAt } from '../../source/source.ts'
import { taskPath } from './entries.ts'

/** Where in the file a part of the translated experiment was written. */
export function pathInSource(path: Path, value: Json): Path {
  const [section, name, ...rest] = path
  if (section === 'target') return name === undefined || name === 'kind' ? ['tasks'] : ['assay', name, ...rest]
  if (section === 'limits') return name === 'jobs' ? ['parallel'] : ['assay', ...path]
  if (section === 'params') return ['tasks', 0, ...(name === undefined ? [] : [name, ...rest])]
  if (section === 'blocks') return ['tasks', entryOfTask(rest[0] ?? 0, value), 'prepared_dir']
  if (section === 'cells') return ['tasks', entryOfCell(name, value), ...rest]
  if (section === 'zip') return ['tasks']
  if (section === 'models' || section === 'calls' || section === 'order' || section === 'out_root')
    return ['assay', ...path]
  return path
}

/** The first entry with a task, given by its index in the block or by the task itself. */
function entryOfTask(which: string | number, value: Json): number {
  const tasks = entriesIn(value).map(taskOf)
  const listed = [...new Set(tasks.filter((_, index) => isRun(entriesIn(value)[index])))]
  return Math.max(0, tasks.indexOf(typeof which === 'number' ? listed[which] : which))
}

/** Entries without rollouts are not cells. */
function entryOfCell(cell: string | number | undefined, value: Json): number {
  const used = entriesIn(value).flatMap((entry, index) => (isRun(entry) ? [index] : []))
  return used[Number(cell ?? 0)] ?? 0
}

const isRun = (entry: Json | undefined): boolean => !isJsonObject(entry) || entry.rollouts !== 0

const taskOf = (entry: Json): string | undefined =>
  isJsonObject(entry) && typeof entry.prepared_dir === 'string' ? taskPath(entry.prepared_dir) : undefined

function entriesIn(value: Json): readonly Json[] {
  const tasks = valueAt(value, ['tasks'])
  return Array.isArray(tasks) ? tasks : []
}
