import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'
import type { SourceProblem } from '../../problems.ts'
import { type Path, valueAt } from '../../source/source.ts'
import { combinationsIn } from './batch-design.ts'
import { type Dimension, dimensionsIn, variationTypes } from './dimensions.ts'

/** Problems of `variations`, except for unknown actors and parameters. */
export function variationMistakes(value: Json): readonly SourceProblem[] {
  const dimensions = dimensionsIn(value)
  return [
    ...dimensions.flatMap(own),
    ...repeated(dimensions),
    ...entriesIn(value).flatMap(({ entry, at }) => [...strayKeys(entry, at), ...tiedMistakes(entry, at)]),
    ...sampleMistakes(value),
  ]
}

function own({ factor, type, levels, at, nameAt, valuesAt, levelAt, isTied }: Dimension): readonly SourceProblem[] {
  if (factor === null) return [nameAt.at(-1) === 'type' ? unknownType(type, nameAt) : unnamed(type, at)]
  if (levels.length === 0) return [noValues(valuesAt)]
  return [
    ...(isTied ? [] : doubled(levels, levelAt)),
    ...(/\.(llm_)?model$/.test(factor) && factor.startsWith('actors.') ? notModels(levels, levelAt) : []),
  ]
}

const noValues = (path: Path): SourceProblem => ({
  path,
  message: 'the list of values is empty, so there would be no run at all',
  hint: 'name at least one value, or leave this variation out',
})

function unknownType(type: string, path: Path): SourceProblem {
  if (type === 'zip' || type === 'list')
    return { path, message: `a ${type} can't be part of a zip`, hint: 'make it an entry of variations' }
  const known = `known: ${variationTypes.join(', ')}, and paths such as actors.<name>.goals`
  return { path, message: `there is no type of variation "${type}"`, hint: didYouMean(type, variationTypes) ?? known }
}

const unnamed = (type: string, path: Path): SourceProblem =>
  type === 'actor_model'
    ? { path, message: 'the actor whose model varies is missing', hint: 'add actor: with the short_name of an actor' }
    : {
        path,
        message: 'the parameter that varies is missing',
        hint: 'add parameter: such as turns, or actors.<name>.goals',
      }

function* doubled(levels: readonly Json[], levelAt: Dimension['levelAt']): Generator<SourceProblem> {
  const seen = new Set<string>()
  for (const [index, level] of levels.entries()) {
    const text = canonicalJson(level)
    if (seen.has(text))
      yield { path: levelAt(index), message: `${text} is listed twice: its runs would be the same runs` }
    seen.add(text)
  }
}

const notModels = (levels: readonly Json[], levelAt: Dimension['levelAt']): readonly SourceProblem[] =>
  levels.flatMap((level, index) =>
    typeof level === 'string' && level !== ''
      ? []
      : [{ path: levelAt(index), message: `expected the name of a model, got ${JSON.stringify(level)}` }],
  )

function* repeated(dimensions: readonly Dimension[]): Generator<SourceProblem> {
  const seen = new Map<string, number>()
  for (const { factor, nameAt, at, entry, isTied } of dimensions) {
    if (factor === null) continue
    // Two names of one key of an actor's file.
    const same = factor.replace(/^(actors\..+)\.llm_model$/, '$1.model')
    const before = seen.get(same)
    if (before === undefined) seen.set(same, entry)
    else
      yield {
        path: isTied ? nameAt : at,
        message:
          before === entry
            ? `variation ${entry + 1} varies ${factor} twice`
            : `variation ${entry + 1} varies the same as variation ${before + 1}: ${factor}`,
        hint: 'put all values into one of them',
      }
  }
}

interface WrittenEntry {
  readonly entry: JsonObject & { readonly type: string }
  readonly at: Path
}

/** The entries of `variations`, and those that a zip ties together. */
function entriesIn(value: Json): readonly WrittenEntry[] {
  const listed = (given: Json | undefined, at: Path): readonly WrittenEntry[] =>
    (Array.isArray(given) ? given : []).flatMap((entry: Json, index) =>
      isEntry(entry) ? [{ entry, at: [...at, index] }] : [],
    )
  return listed(valueAt(value, ['variations']), ['variations']).flatMap(one => [
    one,
    ...(one.entry.type === 'zip' ? listed(one.entry.variations, [...one.at, 'variations']) : []).filter(isPlain),
  ])
}

const isPlain = ({ entry: { type } }: WrittenEntry): boolean => type !== 'zip' && type !== 'list'

const isEntry = (entry: Json): entry is WrittenEntry['entry'] => isJsonObject(entry) && typeof entry.type === 'string'

/** A key that its type does not read would have no effect, or a different one than intended. */
function strayKeys({ type, actor, parameter, values, variations }: WrittenEntry['entry'], at: Path) {
  const problems: SourceProblem[] = []
  // The keys of an unknown type are unknown.
  if (!variationTypes.some(known => known === type) && !type.includes('.')) return problems
  if (type !== 'actor_model' && actor !== undefined)
    problems.push({
      ...{ path: [...at, 'actor'], part: 'key', message: `${type} has no actor` },
      hint: `for a key of an actor's file, write parameter: actors.${String(actor)}.<key>`,
    })
  if (type !== 'scenario_parameter' && parameter !== undefined)
    problems.push({ path: [...at, 'parameter'], part: 'key', message: `${type} has no parameter` })
  if (type !== 'zip' && variations !== undefined)
    problems.push({ path: [...at, 'variations'], part: 'key', message: `${type} takes no variations` })
  if (type === 'zip' && values !== undefined)
    problems.push({ path: [...at, 'values'], part: 'key', message: 'zip has no values, but variations with values' })
  if (type !== 'zip' && values === undefined) problems.push({ path: at, message: 'expected a list of values' })
  return problems
}

/** Problems of variations that vary together. */
function tiedMistakes({ type, values, variations }: WrittenEntry['entry'], at: Path): readonly SourceProblem[] {
  if (type === 'zip') return zipMistakes(variations, at)
  return type === 'list' && values !== undefined ? listMistakes(values, at) : []
}

function zipMistakes(variations: Json | undefined, at: Path): readonly SourceProblem[] {
  const tied = Array.isArray(variations) ? variations.filter(isEntry) : []
  if (tied.length === 0)
    return [
      { path: at, message: 'the list of what varies together is missing', hint: 'add variations: with a list of them' },
    ]
  const columns = tied.map(({ values }) => (Array.isArray(values) ? values : []))
  const lengths = columns.map(column => column.length)
  if (new Set(lengths).size > 1)
    return [{ path: at, message: `values that vary together need lists of equal length, not ${lengths.join(' and ')}` }]
  const rows = (columns[0] ?? []).map((_, row) => columns.map(column => column[row] ?? null))
  return [...doubled(rows, row => [...at, 'variations', 0, 'values', row])]
}

function listMistakes(values: Json, at: Path): readonly SourceProblem[] {
  const path = [...at, 'values']
  const rows: readonly Json[] = Array.isArray(values) ? values : []
  if (rows.length === 0) return [noValues(path)]
  const names = new Set(rows.flatMap(row => (isJsonObject(row) ? Object.keys(row) : [])))
  const unlike = rows.flatMap((row, index): readonly SourceProblem[] => {
    if (!isJsonObject(row) || names.size === 0)
      return [{ path: [...path, index], message: 'expected a map such as { actors.<name>.model: a, turns: 3 }' }]
    const missing = [...names].filter(name => !Object.hasOwn(row, name))
    const hint = 'name the same things in every row'
    return missing.length === 0 ? [] : [{ path: [...path, index], message: `nothing says ${missing.join(', ')}`, hint }]
  })
  return unlike.length > 0 ? unlike : [...doubled(rows, row => [...path, row])]
}

/** A sample that is no sample. */
function sampleMistakes(value: Json): readonly SourceProblem[] {
  const sample = valueAt(value, ['assay', 'sample'])
  const all = combinationsIn(value)
  if (typeof sample !== 'number' || sample < all) return []
  const message = `there are ${all} combinations, and a sample has fewer`
  return [{ path: ['assay', 'sample'], message, hint: 'leave it out to run all of them' }]
}
