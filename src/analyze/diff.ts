import { type Evidence, levelOf, type Observation } from '../define/observation.ts'
import { canonicalJson, isJsonObject, type Json } from '../util/json.ts'
import { levelText } from '../util/words.ts'
import { type Arm, levelKey, levelsIn } from './arms.ts'
import { type Reading, readValue } from './reading.ts'

/** One place where two documents differ. */
export interface Change {
  readonly path: string
  /** null: it is missing. */
  readonly before: Json | null
  readonly after: Json | null
}

/** The differences between two plain documents, to the depth at which they have the same structure. */
export function changesBetween(before: Json, after: Json, path = ''): readonly Change[] {
  if (canonicalJson(before) === canonicalJson(after)) return []
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap(name =>
      changesBetween(before[name] ?? null, after[name] ?? null, path === '' ? name : `${path}.${name}`),
    )
  }
  if (isNamedList(before) && isNamedList(after)) return changesBetween(byName(before), byName(after), path)
  return [{ path, before, after }]
}

type NamedList = readonly { readonly name: string; readonly [key: string]: Json }[]

/** Lists of named things (factors, blocks, metrics, ablations) are compared by name, not by position. */
function isNamedList(value: Json): value is NamedList & Json {
  return (
    Array.isArray(value) && value.length > 0 && value.every(item => isJsonObject(item) && typeof item.name === 'string')
  )
}

const byName = (list: NamedList): Json => Object.fromEntries(list.map(({ name, ...rest }) => [name, rest]))

export interface ResultsDiff {
  readonly metric: string
  readonly same: number
  /** The largest difference first. */
  readonly parted: readonly {
    readonly where: string
    readonly before: number
    readonly after: number
    readonly difference: number
  }[]
  /** Only one side has a value; the reason why the other has none. */
  readonly one_sided: readonly { readonly where: string; readonly side: 'before' | 'after'; readonly reason: string }[]
}

/** The blocks, and the settings shared by both sides, in which the results differ. */
export function resultsBetween(evidence: Evidence, before: Arm, after: Arm, reading: Reading): ResultsDiff {
  const compared = new Set([...Object.keys(before.levels), ...Object.keys(after.levels)])
  // Something that applies to one side only can't be the same on both.
  const isShared = (name: string) => {
    const theirs = new Set(levelsIn(after.runs, name).map(levelKey))
    return levelsIn(before.runs, name).some(level => level !== null && theirs.has(levelKey(level)))
  }
  const names = [...evidence.factors, ...evidence.blocks].filter(name => !compared.has(name) && isShared(name))
  const ours = byPlace(before.runs, names, reading)
  const theirs = byPlace(after.runs, names, reading)
  const parted: ResultsDiff['parted'][number][] = []
  const oneSided: ResultsDiff['one_sided'][number][] = []
  let same = 0
  for (const where of new Set([...ours.keys(), ...theirs.keys()])) {
    const a = ours.get(where) ?? { problem: 'not run' }
    const b = theirs.get(where) ?? { problem: 'not run' }
    if ('value' in a && 'value' in b) {
      if (Object.is(a.value, b.value)) same++
      else parted.push({ where, before: a.value, after: b.value, difference: b.value - a.value })
    } else if ('value' in a && 'problem' in b) oneSided.push({ where, side: 'before', reason: b.problem })
    else if ('value' in b && 'problem' in a) oneSided.push({ where, side: 'after', reason: a.problem })
  }
  parted.sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
  return { metric: reading.metric, same, parted, one_sided: oneSided }
}

type Found = { readonly value: number } | { readonly problem: string }

/** Repetitions are averaged over those that have a value. */
function byPlace(runs: readonly Observation[], names: readonly string[], reading: Reading): ReadonlyMap<string, Found> {
  const groups = Map.groupBy(
    runs,
    run =>
      names
        .filter(name => levelOf(run, name) !== null)
        .map(name => `${name}=${levelText(levelOf(run, name))}`)
        .join(' ') || 'all runs together',
  )
  return new Map(
    [...groups].map(([where, own]) => {
      const found = own.map(run => readValue(run, reading))
      const values = found.flatMap(one => ('value' in one ? [one.value] : []))
      const [first] = found
      return [
        where,
        values.length > 0
          ? { value: values.reduce((sum, value) => sum + value, 0) / values.length }
          : { problem: first !== undefined && 'problem' in first ? first.problem : 'not run' },
      ]
    }),
  )
}
