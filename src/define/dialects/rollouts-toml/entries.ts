import { posix } from 'node:path'
import { canonicalJson, type Json, type JsonObject } from '../../../util/json.ts'
import type { CellSpec, Factor } from '../../experiment.ts'
import type { WrittenRollouts, WrittenTask } from './rollouts-schema.ts'

/** One `[[tasks]]` entry as a cell: a variant in a block, with its number of rollouts. */
export interface Entry {
  readonly task: string
  readonly variant: JsonObject
  readonly rollouts: number
}

/** The parts of a run's variant, in the order in which people read them. */
const variantNames = ['model', 'overrides', 'apply_overrides', 'environment_variables'] as const

export function entryOf(written: WrittenTask): Entry {
  const { model, apply_overrides, environment_variables, rollouts } = written
  const task = taskPath(written.prepared_dir)
  return { task, variant: { model, overrides: overridesOf(written), apply_overrides, environment_variables }, rollouts }
}

/**
 * A path in one spelling: `./tasks/a/` and `tasks/a` are the same task. It stays relative, because the identity of a
 * run must not depend on where a project is.
 */
export const taskPath = (written: string): string => posix.normalize(written).replace(/(?<=.)\/$/, '')

/**
 * The file whose overrides are applied; null: the task's own, if it has any. Naming that file changes nothing, so runs
 * of several tasks, each with its own file, are one variant. If none are applied, none are named.
 */
function overridesOf({ prepared_dir, apply_overrides, overrides }: WrittenTask): string | null {
  if (!apply_overrides || overrides === undefined) return null
  return isOwnFile({ prepared_dir, overrides }) ? null : posix.normalize(overrides)
}

export const isOwnFile = ({ prepared_dir, overrides }: { prepared_dir: string; overrides: string }): boolean =>
  posix.normalize(overrides) === posix.join(taskPath(prepared_dir), 'overrides.json')

/** Two entries with the same text would be the same runs. */
export const identityOf = ({ task, variant }: Entry): string => canonicalJson({ task, variant })

/** The listed combinations and no others: values shared by all entries are parameters, the others are zipped factors. */
export function partsOf(written: WrittenRollouts): {
  readonly params: JsonObject
  readonly zip: readonly (readonly Factor[])[]
  readonly tasks: readonly string[]
  readonly cells: readonly CellSpec[]
  readonly mostRollouts: number
} {
  const entries = written.tasks.map(entryOf).filter(({ rollouts }) => rollouts > 0)
  const variants = distinct(entries.map(({ variant }) => variant))
  const varying = variantNames.filter(name => distinct(variants.map(variant => variant[name] ?? null)).length > 1)
  const level = (variant: JsonObject, name: string): Json => variant[name] ?? null
  const [first = {}] = variants
  return {
    params: Object.fromEntries(
      variantNames.filter(name => !varying.includes(name)).map(name => [name, level(first, name)]),
    ),
    zip:
      varying.length === 0
        ? []
        : [varying.map(name => ({ name, levels: variants.map(variant => level(variant, name)), when: null }))],
    tasks: distinct(entries.map(({ task }) => task)),
    cells: entries.map(({ task, variant, rollouts }) => ({
      levels: { ...Object.fromEntries(varying.map(name => [name, level(variant, name)])), task },
      replicates: rollouts,
    })),
    mostRollouts: Math.max(1, ...entries.map(({ rollouts }) => rollouts)),
  }
}

function distinct<T extends Json>(values: readonly T[]): readonly T[] {
  const seen = new Map(values.map(value => [canonicalJson(value), value]))
  return [...seen.values()]
}
