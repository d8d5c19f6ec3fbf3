import type { Setting } from '../perform/perform.ts'
import { type Executor, type ExecutorName, executorNames } from './executor.ts'
import { LocalExecutor } from './local.ts'

/** An executor for the jobs of one experiment; on this machine, where none is named. */
export function openExecutor(name: ExecutorName | undefined, setting: Setting, slots: number): Executor {
  return executors[name ?? executorNames[0]](setting, slots)
}

const executors: { readonly [name in ExecutorName]: (setting: Setting, slots: number) => Executor } = {
  local: (setting, slots) => new LocalExecutor(setting, slots),
}
