import { readSource, resolvePath } from '../../define/read-files.ts'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type JsonObject } from '../../util/json.ts'
import type { Places } from './cases/read-cases.ts'
import type { PromptSpec } from './spec.ts'

/** A JSON Schema in the experiment file, or in the file that it names. */
export function readSchema(written: PromptSpec['schema'], places: Places): JsonObject {
  if (written === undefined) return {}
  if (typeof written !== 'string') return written
  const name = written.replace(/^file:\/\//, '')
  const { value } = readSource(resolvePath(name, places), places.cwd)
  if (isJsonObject(value)) return value
  throw new AssayError('config', `${name}: expected a JSON Schema, got ${JSON.stringify(value)}`)
}
