import { isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import type { SourceProblem } from '../../problems.ts'
import { type Path, valueAt } from '../../source/source.ts'
import type { SettableMap } from '../dialect.ts'
import type { WrittenBatch } from './batch-schema.ts'
import { dimensionsIn } from './dimensions.ts'

/** An entry for every run to branch from and every combination of what differs in the branches. */
export function branchesOf(
  { branch_from = [], branch_with }: WrittenBatch['assay'],
  resolved: (run: string) => string,
): readonly JsonObject[] {
  const changes = Object.entries(branch_with).reduce<readonly JsonObject[]>(
    (all, [name, given]) =>
      all.flatMap(one => levelsIn(given).map(level => (level === null ? one : { ...one, [name]: asEntry(level) }))),
    [{}],
  )
  return [branch_from].flat().flatMap(run => changes.map(change => ({ branch_from: resolved(run), ...change })))
}

const levelsIn = (given: Json): readonly Json[] => (Array.isArray(given) ? given : [given])

/** A list in an entry has several levels, so a single level that is a list becomes a list of one. */
const asEntry = (level: Json): Json => (Array.isArray(level) ? [level] : level)

const withPath = ['assay', 'branch_with']

/** Checks of branches beyond the schema. */
export function branchMistakes(value: Json): readonly SourceProblem[] {
  const given = valueAt(value, withPath)
  if (given === undefined || !isJsonObject(given)) return []
  const names = Object.keys(given)
  if (names.length > 0 && valueAt(value, ['assay', 'branch_from']) === undefined)
    return [
      {
        ...{ path: withPath, part: 'key', message: 'nothing branches here' },
        hint: 'name a run and its last turn to keep: --branch-from var-001-run-001:2',
      },
    ]
  const varied = dimensionsIn(value).map(({ factor }) => factor)
  return names.flatMap((name): readonly SourceProblem[] => {
    const path = [...withPath, name]
    if (varied.includes(name))
      return [{ path, part: 'key', message: `${name} is a variation already`, hint: 'add the value there' }]
    const levels = given[name]
    return Array.isArray(levels) && levels.length === 0 ? [{ path, message: 'the list of values is empty' }] : []
  })
}

/** `--set world_state=…` and `--set metrics.trust.value=3` change the state that branches continue with. */
export const branchState: SettableMap = {
  key: 'branch_with',
  holdsLevels: false,
  names: ['world_state'],
  varies: 'write a list: [a, b]',
  find: name => (/^(world_state|(metrics|actors|scenario)\..+)$/.test(name) ? [...withPath, name] : undefined),
}

/** Where a part of a branch is written; null: nowhere. */
export const branchWithPath = (name: string | number | undefined, value: Json): Path | null =>
  typeof name === 'string' && valueAt(value, [...withPath, name]) !== undefined ? [...withPath, name] : null
