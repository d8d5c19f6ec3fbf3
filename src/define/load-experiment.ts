import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import * as z from 'zod'
import { AssayError } from '../util/errors.ts'
import type { Json } from '../util/json.ts'
import { checkExperiment } from './check/check-experiment.ts'
import { completed } from './completed.ts'
import { defaultFiles, dialectOf } from './dialects/registry.ts'
import type { Experiment } from './experiment.ts'
import { applyOverrides } from './overrides/apply-overrides.ts'
import type { Overrides } from './overrides/overrides.ts'
import { ownTargets } from './own-modules.ts'
import { configError, problemLine } from './problems.ts'
import { readSource } from './read-files.ts'
import { experimentSchema } from './schema/experiment-schema.ts'
import { type Source, sourceFromCode } from './source/source.ts'
import { yamlSource } from './source/yaml-source.ts'
import type { Problem, Target } from './target.ts'

export type { Overrides } from './overrides/overrides.ts'

export interface LoadOptions {
  readonly targets: readonly Target[]
  readonly overrides?: Overrides
  readonly cwd: string
  /** Whether runs will be started: a plan needs no program. Default true. */
  readonly isToRun?: boolean
}

/** What a user writes in the native dialect. */
export type WrittenExperiment = z.input<ReturnType<typeof experimentSchema>>

/** Turns a configuration file into an experiment with all defaults filled in, or throws one error with all its problems. */
export function loadExperiment(file: string, options: LoadOptions): Experiment {
  return openExperiment(file, options).experiment
}

/** The same for data from code; relative paths start at `folder`. */
export function experimentFrom(raw: Json, options: LoadOptions & { readonly folder: string }): Experiment {
  return translate(sourceFromCode(raw), { ...options, file: null }).experiment
}

/** The same for the text of a YAML file that does not exist yet. */
export function experimentFromYaml(text: string, options: LoadOptions & { readonly folder: string }): Experiment {
  return translate(yamlSource('the file', text), { ...options, file: null }).experiment
}

export interface OpenedExperiment {
  readonly experiment: Experiment
  /** For problems that are found later, such as a mistake in an expression: an error that points into the file. */
  errorAt(problems: readonly Problem[]): AssayError
  /** The same for a note: a line that begins with the place. */
  noteAt(problem: Problem): string
}

export function openExperiment(file: string, options: LoadOptions): OpenedExperiment {
  const path = resolve(options.cwd, file)
  const lastKeyCounts = (value: Json) => dialectOf(value, path).lastKeyCounts === true
  return translate(readSource(file, options.cwd, lastKeyCounts), { ...options, file: path, folder: dirname(path) })
}

/** The same for an experiment defined on the command line; relative paths start at `folder`. */
export function openWritten(raw: Json, options: LoadOptions & { readonly folder: string }): OpenedExperiment {
  return translate(sourceFromCode(raw), { ...options, file: null })
}

function translate(
  written: Source,
  {
    targets,
    overrides = {},
    cwd,
    isToRun = true,
    file,
    folder,
  }: LoadOptions & { readonly file: string | null; readonly folder: string },
): OpenedExperiment {
  const dialect = dialectOf(written.value, file)
  const source = applyOverrides(written, dialect, overrides, cwd)
  const inSource = (problem: Problem): Problem => ({
    ...problem,
    path: dialect.pathInSource(problem.path, source.value),
  })
  const errorAt = (problems: readonly Problem[]): AssayError => configError(source, problems.map(inSource))
  const context = { targets, file, folder: resolve(cwd, folder), cwd, isToRun }
  const translated = dialect.translate(source, context)
  const all = [...targets, ...ownTargets(translated, cwd)]
  const { whole: experiment, problems: missing } = completed(translated, { ...context, targets: all })
  if (missing.length > 0) throw errorAt(missing)
  const problems = checkExperiment(experiment, all)
  const noteAt = (problem: Problem): string => problemLine(source, inSource(problem))
  const hindering = isToRun ? problems : problems.filter(({ isOnlyForRuns = false }) => !isOnlyForRuns)
  if (hindering.length > 0) throw errorAt(hindering)
  return { experiment: withNotes(experiment, problems.map(noteAt)), errorAt, noteAt }
}

const withNotes = (experiment: Experiment, notes: readonly string[]): Experiment =>
  notes.length === 0 ? experiment : { ...experiment, notes: [...(experiment.notes ?? []), ...notes] }

/** The JSON Schema of a {@link WrittenExperiment}: completion and help in editors. */
export function experimentJsonSchema(targets: readonly Target[]): { readonly [key: string]: unknown } {
  // Draft 7 is what the YAML language server and most editors fully support.
  const schema = z.toJSONSchema(experimentSchema(targets), { io: 'input', target: 'draft-7', unrepresentable: 'any' })
  return { ...schema, title: 'assay experiment' }
}

/** The configuration that is meant if none is named, or only its folder. */
export function findConfig(cwd: string, named?: string): string {
  const found = defaultFiles.find(file => existsSync(resolve(cwd, file)))
  if (found !== undefined) return found
  if (named !== undefined)
    throw new AssayError('usage', `${named} contains neither an experiment file nor the results of an experiment`, {
      hint: `an experiment file there would be called ${defaultFiles.join(', ')}; results have a journal.db`,
      facts: { folder: cwd, candidates: defaultFiles },
    })
  throw new AssayError('usage', 'no configuration file was given, and none was found here', {
    hint: `name one with -c/--config, or make one of ${defaultFiles.join(', ')} (assay init writes the first)`,
    facts: { cwd, candidates: defaultFiles },
  })
}
