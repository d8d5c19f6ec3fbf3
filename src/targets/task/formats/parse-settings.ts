import type { output, ZodType } from 'zod'
import { examineSource } from '../../../define/read-files.ts'
import type { Settings, TaskFolder } from './task-folder.ts'

/** Parsed settings, or null and problems in the folder. Unknown keys are notes there. */
export function parseSettings<S extends ZodType>(schema: S, settings: Settings, folder: TaskFolder): output<S> | null {
  const { value, problems, unknown } = examineSource(schema, settings)
  folder.problems.push(...problems)
  folder.notes.push(...unknown.map(line => `${line} (ignored)`))
  return value
}

/** As {@link parseSettings}, but an unknown key is a problem: it was meant to change something. */
export function parseStrictly<S extends ZodType>(schema: S, settings: Settings, folder: TaskFolder): output<S> | null {
  const { value, problems, unknown } = examineSource(schema, settings)
  folder.problems.push(...unknown, ...problems)
  return unknown.length > 0 ? null : value
}
