import { resolve } from 'node:path'
import type { z } from 'zod'
import type { LoadContext } from '../dialects/dialect.ts'
import type { calls } from '../schema/calls-schema.ts'
import { type CallSettings, usualCalls } from './call-settings.ts'

/** How models are called, as an experiment says it; folders start at its own. */
export function callsFrom(
  { record, replay, ...written }: z.output<typeof calls>,
  { folder }: Pick<LoadContext, 'folder'>,
): CallSettings {
  const { cache = usualCalls.cache, trace = usualCalls.trace } = written
  const place = (path: string | undefined) => (path === undefined ? null : resolve(folder, path))
  return { ...usualCalls, cache, trace, record: place(record), replay: place(replay) }
}
