import type { Io } from '../../io.ts'
import type { Options } from '../../options.ts'
import { listTasks } from '../../tasks/list-tasks.ts'

/** `assay tasks list` */
export async function tasksCommand([, ...paths]: readonly string[], options: Options, io: Io): Promise<number> {
  return listTasks(paths, options, io)
}
