import type { Io } from '../../io.ts'
import type { Options } from '../../options.ts'
import { listTasks } from '../../tasks/list-tasks.ts'

/** `assay tasks list|check` */
export async function tasksCommand([what, ...paths]: readonly string[], options: Options, io: Io): Promise<number> {
  if (what !== 'check') return listTasks(paths, options, io)
  const { checkTasks } = await import('../../tasks/check-tasks.ts')
  return checkTasks(paths, options, io)
}
