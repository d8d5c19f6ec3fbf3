import { basename, dirname } from 'node:path'
import { canonicalJson, isJsonObject, type Json } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'
import type { SourceProblem } from '../../problems.ts'
import { branchMistakes } from './batch-branches.ts'
import { limitPaths, misnamed } from './batch-schema.ts'
import { type Dimension, dimensionsIn, variationTypes } from './dimensions.ts'

/** Keys that people look for under another name, besides what the schema says. */
export const hintsOf = (value: Json): readonly SourceProblem[] =>
  Object.keys(isJsonObject(value) ? value : {}).flatMap(key =>
    Object.hasOwn(misnamed, key)
      ? [{ path: [key], part: 'key' as const, message: `"${key}" is called ${misnamed[key]} here` }]
      : [],
  )

/** What the schema can't see. Whether actors and parameters exist is known to the target, which reads the scenario. */
export function batchMistakes(value: Json): readonly SourceProblem[] {
  const dimensions = dimensionsIn(value)
  return [
    ...dimensions.flatMap(own),
    ...repeated(dimensions),
    ...strayKeys(value),
    ...ownLimits(value),
    ...otherCount(value),
    ...branchMistakes(value),
  ]
}

/** A key that its type does not read would change nothing, or something else than its author thinks. */
function strayKeys(value: Json): readonly SourceProblem[] {
  const variations = isJsonObject(value) && Array.isArray(value.variations) ? value.variations : []
  return variations.flatMap((entry: Json, index) => {
    if (!isJsonObject(entry) || typeof entry.type !== 'string') return []
    const { type, actor, parameter } = entry
    const path = (key: string) => ['variations', index, key]
    const problems: SourceProblem[] = []
    if (type !== 'actor_model' && actor !== undefined)
      problems.push({
        ...{ path: path('actor'), part: 'key', message: `${type} has no actor` },
        hint: `for a key of an actor's file, write parameter: actors.${String(actor)}.<key>`,
      })
    if (type !== 'scenario_parameter' && parameter !== undefined)
      problems.push({ path: path('parameter'), part: 'key', message: `${type} has no parameter` })
    return problems
  })
}

/** Limits that have a key of their own in a batch, which is the one that counts. */
function ownLimits(value: Json): readonly SourceProblem[] {
  const limits = partOf(partOf(value, 'assay'), 'limits')
  return Object.entries(limitPaths).flatMap(([key, path]) =>
    isJsonObject(limits) && Object.hasOwn(limits, key)
      ? [{ path: ['assay', 'limits', key], part: 'key' as const, message: `"${key}" is called ${path.join('.')} here` }]
      : [],
  )
}

/** As many seeds as runs, where both are written. */
function otherCount(value: Json): readonly SourceProblem[] {
  const [seeds, runs] = [partOf(partOf(value, 'assay'), 'seeds'), partOf(value, 'runs_per_variation')]
  if (!Array.isArray(seeds) || runs === undefined || seeds.length === runs) return []
  return [
    {
      path: ['assay', 'seeds'],
      message: `runs_per_variation is ${String(runs)}, and these are ${seeds.length} seeds`,
      hint: 'each seed is one run of every variation, so leave runs_per_variation out',
    },
  ]
}

const partOf = (value: Json | undefined, key: string): Json | undefined =>
  value !== undefined && isJsonObject(value) ? value[key] : undefined

function own({ factor, type, levels, at, nameAt, valuesAt }: Dimension): readonly SourceProblem[] {
  if (factor === null) return [nameAt.at(-1) === 'type' ? unknownType(type, nameAt) : unnamed(type, at)]
  if (levels.length === 0)
    return [
      {
        path: valuesAt,
        message: 'the list of values is empty, so there would be no run at all',
        hint: 'name at least one value, or leave this variation out',
      },
    ]
  return [...doubled(levels, valuesAt), ...(factor.endsWith('.model') ? notModels(levels, valuesAt) : [])]
}

const unknownType = (type: string, path: Dimension['at']): SourceProblem => ({
  path,
  message: `there is no type of variation "${type}"`,
  hint:
    didYouMean(type, variationTypes) ?? `known: ${variationTypes.join(', ')}, and paths such as actors.<name>.goals`,
})

const unnamed = (type: string, path: Dimension['at']): SourceProblem =>
  type === 'actor_model'
    ? { path, message: 'nothing says whose model varies', hint: 'add actor: with the short_name of an actor' }
    : { path, message: 'nothing says what varies', hint: 'add parameter: such as turns, or actors.<name>.goals' }

function* doubled(levels: readonly Json[], valuesAt: Dimension['at']): Generator<SourceProblem> {
  const seen = new Set<string>()
  for (const [index, level] of levels.entries()) {
    const text = canonicalJson(level)
    if (seen.has(text))
      yield { path: [...valuesAt, index], message: `${text} is listed twice: its runs would be the same runs` }
    seen.add(text)
  }
}

const notModels = (levels: readonly Json[], valuesAt: Dimension['at']): readonly SourceProblem[] =>
  levels.flatMap((level, index) =>
    typeof level === 'string' && level !== ''
      ? []
      : [{ path: [...valuesAt, index], message: `expected the name of a model, got ${JSON.stringify(level)}` }],
  )

function* repeated(dimensions: readonly Dimension[]): Generator<SourceProblem> {
  const seen = new Map<string, number>()
  for (const [index, { factor, at }] of dimensions.entries()) {
    if (factor === null) continue
    // Two names of one key of an actor's file.
    const same = factor.replace(/^(actors\..+)\.llm_model$/, '$1.model')
    const before = seen.get(same)
    if (before === undefined) seen.set(same, index)
    else
      yield {
        path: at,
        message: `variation ${index + 1} varies the same as variation ${before + 1}: ${factor}`,
        hint: 'put all values into one of them',
      }
  }
}

/** What `resume_from` means: nothing of its own, because a batch always goes on from `output_dir`. */
export function resumeMistakes(
  resumeFrom: string | null | undefined,
  resolved: { readonly from: string; readonly output: string },
) {
  if (resumeFrom === null || resumeFrom === undefined) return []
  const folder = basename(resolved.from) === 'batch-state.json' ? dirname(resolved.from) : resolved.from
  if (folder === resolved.output) return []
  return [
    {
      path: ['resume_from'],
      message: 'a batch goes on from its output_dir, and this is another folder',
      hint: `write output_dir: ${JSON.stringify(resumeFrom)}, and leave resume_from out`,
    },
  ] satisfies readonly SourceProblem[]
}
