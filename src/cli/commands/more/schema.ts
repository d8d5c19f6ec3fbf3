import { experimentJsonSchema } from '../../../define/load-experiment.ts'
import { targets } from '../../../targets/registry.ts'
import { type Io, writeJson } from '../../io.ts'
import type { Options } from '../../options.ts'

export async function schemaCommand(_args: readonly string[], _options: Options, io: Io): Promise<number> {
  writeJson(io.stdout, experimentJsonSchema(targets))
  return 0
}
