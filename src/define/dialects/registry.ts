import type { Json, JsonObject } from '../../util/json.ts'
import type { FixedExperiment } from '../experiment.ts'
import type { Columns, Dialect } from './dialect.ts'
import { matrixJson } from './matrix-json/matrix-json.ts'
import { native } from './native.ts'
import { rolloutsToml } from './rollouts-toml/rollouts-toml.ts'
import { scenarioBatch } from './scenario-batch/scenario-batch.ts'
import { wandbSweep } from './wandb-sweep/wandb-sweep.ts'

export type { Dialect } from './dialect.ts'

/** The first that recognises a configuration reads it; native comes last, since it takes everything. */
const dialects: readonly Dialect[] = [matrixJson, wandbSweep, rolloutsToml, scenarioBatch, native]

export function dialectOf(value: Json, file: string | null): Dialect {
  return dialects.find(dialect => dialect.recognises(value, file)) ?? native
}

/** The dialect that an experiment was written in: everything special about it is asked here. */
export const dialectNamed = (name: string): Dialect => dialects.find(dialect => dialect.name === name) ?? native

/** A single variant of an experiment as a file of the native dialect holds it, whatever dialect it came from. */
export const writtenNatively = (experiment: FixedExperiment): JsonObject => native.write(experiment)

/** What the columns of a table of runs mean, by the dialect whose levels or metrics it has. */
export const readingOf = (header: readonly string[]): Columns['reading'] | undefined =>
  dialects
    .flatMap(({ columns }) => columns?.reading ?? [])
    .find(({ levels, metrics }) => [...levels, ...metrics.map(({ name }) => name)].some(name => header.includes(name)))
