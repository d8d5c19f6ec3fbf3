import { resolve } from 'node:path'
import type * as z from 'zod'
import { type CallSettings, defaultCalls, type ModelSettings } from '../models/model-settings.ts'
import { parseSource } from '../problems.ts'
import { readSource, resolvePath } from '../read-files.ts'
import type { calls } from '../schema/calls-schema.ts'
import { modelSettings } from '../schema/models-schema.ts'
import type { LoadContext } from './dialect.ts'

/** An experiment's model settings, or those in the file that it names. */
export function modelsFrom(
  written: string | ModelSettings,
  { folder, cwd }: Pick<LoadContext, 'folder' | 'cwd'>,
): ModelSettings {
  if (typeof written !== 'string') return written
  return parseSource(modelSettings, readSource(resolvePath(written, { folder, cwd }), cwd))
}

/** How an experiment says models are called; folders are relative to its own. */
export function callsFrom(
  { record, replay, ...written }: z.output<typeof calls>,
  { folder }: Pick<LoadContext, 'folder'>,
): CallSettings {
  const { cache = defaultCalls.cache, trace = defaultCalls.trace, otlp, otlp_in } = written
  const place = (path: string | undefined) => (path === undefined ? null : resolve(folder, path))
  const spans = { ...(otlp !== undefined && { otlp }), ...(otlp_in !== undefined && { otlp_in }) }
  return { ...defaultCalls, cache, trace, record: place(record), replay: place(replay), ...spans }
}
