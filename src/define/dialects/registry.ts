import type { Json } from '../../util/json.ts'
import type { Dialect } from './dialect.ts'
import { matrixJson } from './matrix-json.ts'
import { native } from './native.ts'
import { wandbSweep } from './wandb-sweep/wandb-sweep.ts'

/** The first that recognises a configuration reads it; native comes last, since it takes everything. */
const dialects: readonly Dialect[] = [matrixJson, wandbSweep, native]

export function dialectOf(value: Json, file: string | null): Dialect {
  return dialects.find(dialect => dialect.recognises(value, file)) ?? native
}
