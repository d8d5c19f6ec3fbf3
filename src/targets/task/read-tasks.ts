import { lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { AssayError, messageOf, systemCode } from '../../util/errors.ts'
import { readHarbor } from './formats/harbor/read-harbor.ts'
import { readOneShot } from './formats/oneshot/read-oneshot.ts'
import { readPlain } from './formats/plain/read-plain.ts'
import { readSweBench } from './formats/swe-bench/read-swe-bench.ts'
import { TaskFolder } from './formats/task-folder.ts'
import { readTerminalBench } from './formats/terminal-bench/read-terminal-bench.ts'
import type { BrokenTask, Task, TaskFormat } from './task.ts'

export { readDataset } from './formats/dataset.ts'

export interface TaskPlaces {
  /** A folder with clones of the repositories that SWE-bench instances name. */
  readonly repos?: string | null
}

/**
 * The tasks of a task folder, of a folder of task folders, or of a SWE-bench file (`tests.jsonl`, or one of it:
 * `tests.jsonl#instance_id`). One at a time: a set of thousands is not all in memory.
 */
export function* readTasks(path: string, { repos = null }: TaskPlaces = {}): Generator<Task | BrokenTask> {
  const [file = '', instance] = /\.jsonl#/.test(path) ? path.split(/(?<=\.jsonl)#/) : [path]
  if (extname(file) === '.jsonl' && isThere(file)) yield* chosen(readSweBench(file, repos), instance, file)
  else if (formatOf(path) !== null) yield readTask(path)
  else yield* readFolder(path)
}

function* chosen(
  all: Iterable<Task | BrokenTask>,
  instance: string | undefined,
  file: string,
): Generator<Task | BrokenTask> {
  let hasOne = false
  for (const task of all)
    if (instance === undefined || task.id === instance) {
      hasOne = true
      yield task
    }
  if (instance !== undefined && !hasOne)
    throw new AssayError('not_found', `${file}: no instance is called "${instance}"`)
}

/** By the characteristic file of a format; a broken task with that file is never taken for another format. */
const beginnings: readonly (readonly [
  file: string,
  format: TaskFormat,
  read: (folder: TaskFolder) => Task | BrokenTask,
])[] = [
  ['task.toml', 'harbor', readHarbor],
  ['task.yaml', 'terminal-bench', readTerminalBench],
  ['tb_meta.json', 'oneshot', readOneShot],
  ['instruction.md', 'plain', readPlain],
]

/** A dangling link counts as existing: reading it reports the problem. */
const beginningIn = (dir: string) => beginnings.find(([file]) => hasEntry(join(dir, file)))

const formatOf = (dir: string): TaskFormat | null => beginningIn(dir)?.[1] ?? null

function readTask(dir: string): Task | BrokenTask {
  const [, format = 'harbor', read = readHarbor] = beginningIn(dir) ?? []
  const folder = new TaskFolder(dir)
  try {
    return read(folder)
  } catch (error) {
    // A file that vanishes or may not be read spoils one task, not the list.
    if (systemCode(error) === undefined) throw error
    return {
      kind: 'broken',
      id: basename(folder.dir),
      format,
      dir: folder.dir,
      problems: [...folder.problems, messageOf(error)],
    }
  }
}

/** Folders directly in it, by name; deeper ones are not searched, and files next to them are ignored. */
function* readFolder(path: string): Generator<Task | BrokenTask> {
  const dir = resolve(path)
  if (!isThere(dir)) throw new AssayError('not_found', `${path}: no such file or folder`)
  const names = statSync(dir).isDirectory() ? readdirSync(dir).sort() : []
  const tasks = names.map(name => join(dir, name)).filter(one => formatOf(one) !== null)
  if (tasks.length === 0)
    throw new AssayError('not_found', `${path}: there is no task here, nor in the folders in it`, {
      hint: 'a task folder has a task.toml (Harbor), a task.yaml (terminal-bench), a tb_meta.json (OneShot) or only an instruction.md; a .jsonl file has SWE-bench instances',
    })
  for (const task of tasks) yield readTask(task)
}

const isThere = (path: string): boolean => isFound(() => statSync(path, { throwIfNoEntry: false }))

const hasEntry = (path: string): boolean => isFound(() => lstatSync(path, { throwIfNoEntry: false }))

/** A path through a file, or a link in a circle, is as good as none. */
function isFound(look: () => unknown): boolean {
  try {
    return look() !== undefined
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}
