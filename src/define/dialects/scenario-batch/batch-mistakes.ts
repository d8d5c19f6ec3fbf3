import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isJsonObject, type Json } from '../../../util/json.ts'
import type { SourceProblem } from '../../problems.ts'
import { branchMistakes } from './batch-branches.ts'
import { limitPaths, misnamed } from './batch-schema.ts'
import { variationMistakes } from './variation-mistakes.ts'

/** Keys that people know under another name, in addition to the schema's messages. */
export const hintsOf = (value: Json): readonly SourceProblem[] =>
  Object.keys(isJsonObject(value) ? value : {}).flatMap(key =>
    Object.hasOwn(misnamed, key)
      ? [{ path: [key], part: 'key' as const, message: `"${key}" is called ${misnamed[key]} here` }]
      : [],
  )

/** Checks beyond the schema. The target, which reads the scenario, checks whether actors and parameters exist. */
export const batchMistakes = (value: Json): readonly SourceProblem[] => [
  ...variationMistakes(value),
  ...ownLimits(value),
  ...otherCount(value),
  ...branchMistakes(value),
]

/** Limits that have their own key in a batch, which is the one that counts. */
function ownLimits(value: Json): readonly SourceProblem[] {
  const limits = partOf(partOf(value, 'assay'), 'limits')
  return Object.entries(limitPaths).flatMap(([key, path]) =>
    isJsonObject(limits) && Object.hasOwn(limits, key)
      ? [{ path: ['assay', 'limits', key], part: 'key' as const, message: `"${key}" is called ${path.join('.')} here` }]
      : [],
  )
}

/** The number of seeds must equal the number of runs, if both are given. */
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

/** `resume_from` has no meaning of its own, because a batch always continues from `output_dir`. */
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
      message: 'a batch continues from its output_dir, but this is another folder',
      hint: `write output_dir: ${JSON.stringify(resumeFrom)}, and leave resume_from out`,
    },
  ] satisfies readonly SourceProblem[]
}

/** Runs of Scenario Lab have the same names as ours, and its `batch-*.json` would be overwritten here. */
export function directoryMistakes(output: string): readonly SourceProblem[] {
  const isThere = (name: string): boolean => existsSync(join(output, name))
  // A directory of assay also has a summary, even if its journal was lost.
  if (!isThere('batch-state.json') || isThere('journal.db') || isThere('summary.json')) return []
  return [
    {
      path: ['output_dir'],
      message: 'this folder has a batch made by Scenario Lab, whose files would be overwritten',
      hint: 'choose another output_dir; assay analyze reads the batch that is there',
    },
  ]
}
