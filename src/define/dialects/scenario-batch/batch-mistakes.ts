import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isJsonObject, type Json } from '../../../util/json.ts'
import type { SourceProblem } from '../../problems.ts'
import { branchMistakes } from './batch-branches.ts'
import { limitPaths, misnamed } from './batch-schema.ts'
import { variationMistakes } from './variation-mistakes.ts'

/** Keys that people look for under another name, besides what the schema says. */
export const hintsOf = (value: Json): readonly SourceProblem[] =>
  Object.keys(isJsonObject(value) ? value : {}).flatMap(key =>
    Object.hasOwn(misnamed, key)
      ? [{ path: [key], part: 'key' as const, message: `"${key}" is called ${misnamed[key]} here` }]
      : [],
  )

/** What the schema can't see. Whether actors and parameters exist is known to the target, which reads the scenario. */
export const batchMistakes = (value: Json): readonly SourceProblem[] => [
  ...variationMistakes(value),
  ...ownLimits(value),
  ...otherCount(value),
  ...branchMistakes(value),
]

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

/** Runs of Scenario Lab have the names that ours would have, and its `batch-*.json` are written here too. */
export function directoryMistakes(output: string): readonly SourceProblem[] {
  const isThere = (name: string): boolean => existsSync(join(output, name))
  // A directory of assay's has a summary too, also where its journal was lost.
  if (!isThere('batch-state.json') || isThere('journal.db') || isThere('summary.json')) return []
  return [
    {
      path: ['output_dir'],
      message: 'there is a batch that Scenario Lab made, and its files would be overwritten',
      hint: 'choose another output_dir; assay analyze reads the batch that is there',
    },
  ]
}
