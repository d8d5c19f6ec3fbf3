import type * as z from 'zod'
import type { Json, JsonObject } from '../../util/json.ts'
import type { Experiment, FixedExperiment } from '../experiment.ts'
import type { Run } from '../run.ts'
import type { Columns, Dialect } from './dialect.ts'
import { matrixJson } from './matrix-json/matrix-json.ts'
import { native } from './native.ts'
import { rolloutsToml } from './rollouts-toml/rollouts-toml.ts'
import { scenarioBatch } from './scenario-batch/scenario-batch.ts'
import { wandbProgram } from './wandb-sweep/program/wandb-program.ts'
import { wandbSweep } from './wandb-sweep/wandb-sweep.ts'

export type { Dialect, OriginalResult } from './dialect.ts'

/** The first dialect that recognises a configuration reads it; native is last, since it takes everything. */
const all = [matrixJson, wandbSweep, rolloutsToml, scenarioBatch, native] as const

export type DialectName = (typeof all)[number]['name']

const dialects: readonly Dialect[] = all

/** The files that are looked for where none is named; those of the native dialect first. */
export const defaultFiles: readonly string[] = dialects.toReversed().flatMap(dialect => dialect.defaultFiles ?? [])

export function dialectOf(value: Json, file: string | null): Dialect {
  return dialects.find(dialect => dialect.recognises(value, file)) ?? native
}

/** The dialect that an experiment was written in: it answers everything special about it. */
export const dialectNamed = (name: string): Dialect => dialects.find(dialect => dialect.name === name) ?? native

/** A single variant of an experiment as a file in the native dialect, whatever dialect it came from. */
export const writtenNatively = (experiment: FixedExperiment): JsonObject => native.write(experiment)

/** What the columns of a table of runs mean, according to the dialect whose levels or metrics it has. */
export const readingOf = (header: readonly string[]): Columns['reading'] | undefined =>
  dialects
    .flatMap(({ columns }) => columns?.reading ?? [])
    .find(({ levels, metrics }) => [...levels, ...metrics.map(({ name }) => name)].some(name => header.includes(name)))

/** The keys of a command target that provide the module of another tool, each owned by that tool's dialect. */
export const programKeys = { wandb: wandbProgram.setting.optional() }

/** The environment that these keys give a program. */
export function programEnvironment(
  { wandb }: { readonly [Key in keyof typeof programKeys]?: z.output<(typeof programKeys)[Key]> },
  run: Run,
  experiment: Experiment,
  pythonPath: string | undefined,
): Readonly<Record<string, string>> {
  return wandb === undefined ? {} : wandbProgram.environment(wandb, run, experiment, pythonPath)
}

/** How the lines begin that these modules print in a program. */
export const programNotices: readonly string[] = [wandbProgram.notice]

/** A table of runs in the form of another program. */
export interface OriginalTable {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly [column: string]: string }[]
}

/** The runs made by a dialect's own program, from their folders; null: no dialect knows them. */
export function originalTable(runDirs: readonly string[]): OriginalTable | null {
  for (const { columns } of dialects) {
    if (columns?.ofOriginal === undefined) continue
    const read = columns.ofOriginal
    const rows = runDirs.map(runDir => read(runDir)).filter(row => row !== null)
    if (rows.length === 0) continue
    const seen = new Set(rows.flatMap(row => Object.keys(row)))
    const rest = [...seen].filter(column => !columns.first.includes(column)).sort()
    return { columns: [...columns.first.filter(column => seen.has(column)), ...rest], rows }
  }
  return null
}
