import type { LoadContext } from '../dialects/dialect.ts'
import { resolvePath } from '../files/resolve-path.ts'
import { parseSource } from '../problems/parse-source.ts'
import { modelSettings } from '../schema/models-schema.ts'
import { readSource } from '../source/read-source.ts'
import type { ModelSettings } from './model-settings.ts'

/** The settings of models that an experiment holds, or those in the file that it names. */
export function modelsFrom(
  written: string | ModelSettings,
  { folder, cwd }: Pick<LoadContext, 'folder' | 'cwd'>,
): ModelSettings {
  if (typeof written !== 'string') return written
  return parseSource(modelSettings, readSource(resolvePath(written, { folder, cwd }), cwd))
}
