import * as z from 'zod'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { listed } from '../../util/words.ts'
import {
  type Ablation,
  type AnalysisSpec,
  type Block,
  type CellSpec,
  type Contents,
  type Directory,
  type Domain,
  type EarlyStop,
  type Experiment,
  type Factor,
  type Kept,
  type MetricSpec,
  type ModuleSpec,
  missingRules,
  type Naming,
  type Needs,
  type NeedsRule,
  type Objective,
  type OutputSpec,
  type PythonValues,
  type SearchSpec,
  type Spelling,
  type Step,
  type StrataSpec,
} from '../experiment.ts'
import { rangeOf } from '../levels.ts'
import { defaultLimits, limitFields } from '../limits.ts'
import { anything, levels, map, number, object, text, texts, yesOrNo } from './fields.ts'
import { storedLimits, storedLimitsSet } from './stored-limits.ts'
import { storedCalls, storedModels } from './stored-models.ts'

/** Raised whenever the form of a stored definition changes; `upgrades` then converts the previous form. */
export const definitionVersion = 4

/**
 * An experiment as stored in a journal or a work package. Levels that form a range are written as one: a million seeds
 * would be 7 MB of text, several times over while it is hashed and stored.
 */
export function storedText(experiment: Experiment, replacer?: (key: string, value: unknown) => unknown): string {
  const compact = <T extends { readonly levels: readonly Json[] }>(one: T) => ({
    ...one,
    levels: rangeOf(one.levels) ?? one.levels,
  })
  const { factors, blocks } = experiment
  return JSON.stringify({ ...experiment, factors: factors.map(compact), blocks: blocks.map(compact) }, replacer)
}

/** An experiment from a journal or a work package, of this or an earlier version; `where` names the place in errors. */
export function storedExperiment(
  text: string,
  version: number,
  where: string,
  /** Rewrites every text in it, like paths for another machine. */
  rewritten?: (text: string) => string,
): Experiment {
  refuseNewer(version, where)
  const written = upgrades
    .slice(version - 1)
    .reduce((older, upgrade) => upgrade(older), objectIn(text, where, rewritten))
  if (isJsonObject(written.limits)) refuseUnknownLimits(written.limits, where)
  // A limit that is newer than the definition has its default.
  const limits = isJsonObject(written.limits) ? { ...defaultLimits(), ...written.limits } : written.limits
  return parsed(experiment, { ...written, limits }, where)
}

/** Data written by a newer assay is neither read nor replaced. */
export function refuseNewer(version: number, where: string): void {
  if (version <= definitionVersion) return
  throw newer(where, `definition version ${version}, this one reads up to ${definitionVersion}`)
}

/** The same for a definition that is going to be replaced. One that can't be read can be replaced. */
export function refuseToReplaceNewer({ text, version }: { text: string; version: number }, where: string): void {
  refuseNewer(version, where)
  let limits: unknown
  try {
    limits = objectIn(text, where).limits
  } catch {
    return
  }
  if (isJsonObject(limits)) refuseUnknownLimits(limits, where)
}

const newer = (where: string, difference: string): AssayError =>
  new AssayError('newer_version', `${where} is of a newer assay (${difference})`, {
    hint: 'Use the newer assay for it.',
  })

/** Limits that `assay set` put over those of the definition; null removes one. */
export function limitsSetIn(text: string, where: string): JsonObject {
  const set = objectIn(text, where)
  refuseUnknownLimits(set, where)
  parsed(storedLimitsSet, set, where)
  return set
}

/** A new limit does not raise the version of definitions. */
function refuseUnknownLimits(limits: JsonObject, where: string): void {
  const unknown = Object.keys(limits).filter(name => !limitFields.some(known => known === name))
  if (unknown.length === 0) return
  throw newer(where, `this one does not know the ${unknown.length === 1 ? 'limit' : 'limits'} ${listed(unknown)}`)
}

function objectIn(text: string, where: string, rewritten?: (text: string) => string): JsonObject {
  let found: unknown
  try {
    found = JSON.parse(
      text,
      rewritten && ((_, value: unknown) => (typeof value === 'string' ? rewritten(value) : value)),
    )
  } catch (error) {
    throw damaged(where, 'it is not JSON', error)
  }
  if (isJsonObject(found)) return found
  throw damaged(where, 'it is not an object')
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const { data, error } = schema.safeParse(value)
  if (error === undefined) return data
  const [issue] = error.issues
  const path = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  throw damaged(where, `${path}${issue?.message.replace(/^Invalid input: /, '')}`, error)
}

const damaged = (where: string, problem: string, cause?: unknown): AssayError =>
  new AssayError('unreadable_journal', `${where} can't be read: ${problem}`, {
    cause,
    hint: 'Another program may have changed it. A copy of the directory from before would help; the runs and their files are still there.',
  })

/** Each converts a definition of its version (1, 2, …) into the next. */
const upgrades: readonly ((older: JsonObject) => JsonObject)[] = [
  // Version 1 is every definition from before definitions had versions; the earliest lack later fields.
  older => ({
    analysis: { baseline: null },
    ...older,
    ...(isJsonObject(older.search) && { search: { also: [], early_stop: null, ...older.search } }),
    ...(isJsonObject(older.python) && { python: { ...older.python, nested: nestedIn(older.python.nested) } }),
  }),
  // Version 2 has no ranges among its levels, which are lists.
  older => older,
  // Version 3 named the winner of another tool's sweep by the best value that a run had reported.
  older =>
    older.dialect !== 'native' && isJsonObject(older.search) && older.search.value === 'best'
      ? { ...older, search: { ...older.search, value: 'last', proposals: 'best' } }
      : older,
]

/** Nested parameters were once stored as a list of their names. */
const nestedIn = (nested: Json | undefined): Json =>
  Array.isArray(nested)
    ? Object.fromEntries(nested.map(name => [String(name), String(name).split('.')]))
    : (nested ?? {})

const spelling: z.ZodType<Spelling> = z.lazy(() => z.record(text, z.record(text, text)))
const needed = { cpu: number, memory_mb: number, gpu: number, labels: texts }
const goal = z.enum(['minimize', 'maximize'])
const command = z.lazy(() => z.union([texts, text]))

/** `kind` names its owner, which checks the other fields. */
const ofKind = z.lazy(() => z.looseObject({ kind: text }).catchall(anything))

const step = object<Step>({ size: number, from: number, rounded: z.literal(true).optional() }).nullable()
const scale = z.enum(['linear', 'log'])

const domain: z.ZodType<Domain> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('uniform'), min: number, max: number, scale, step }),
    z.strictObject({ kind: z.literal('normal'), mean: number, sd: number, scale, step }),
    z.strictObject({ kind: z.literal('beta'), a: number, b: number, step }),
  ]),
)

const factor = object<Factor>({
  name: text,
  levels,
  domain: domain.optional(),
  probabilities: z.array(number).optional(),
  when: text.nullable(),
})

const earlyStop: z.ZodType<EarlyStop> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('hyperband'),
      min_iter: number.nullable(),
      max_iter: number.nullable(),
      s: number.nullable(),
      eta: number,
      strict: yesOrNo,
    }),
    z.strictObject({ type: z.literal('asha'), min_iter: number, eta: number }),
    z.strictObject({ type: z.literal('median'), min_iter: number, min_runs: number }),
    z.strictObject({ type: z.literal('paired'), alpha: number }),
    z.strictObject({ type: z.literal('own'), name: text, settings: map }),
  ]),
)

const search = object<SearchSpec>({
  method: text,
  settings: map.optional(),
  metric: text.nullable(),
  goal: goal.nullable(),
  also: z.array(object<Objective>({ metric: text, goal })),
  counts: z.literal('variants').optional(),
  max_runs: number.nullable(),
  seed: number.nullable(),
  target: number.nullable().optional(),
  value: z.enum(['last', 'best']).optional(),
  proposals: z.literal('best').optional(),
  impute: z.enum(['worst', 'best', 'latest', 'skip']),
  initial: number.nullable(),
  early_stop: earlyStop.nullable(),
})

const directory: z.ZodType<Directory> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('named') }),
    z.strictObject({ kind: z.literal('exact'), path: text }),
    z.strictObject({ kind: z.literal('dated'), stamp: z.enum(['day', 'second']).optional() }),
  ]),
)

const naming: z.ZodType<Naming> = z.lazy(() =>
  z.union([
    z.strictObject({ kind: z.literal('slug') }),
    z.strictObject({ kind: z.literal('template'), template: text }),
    z.strictObject({ kind: text, spelling }),
  ]),
)

const metric = object<MetricSpec>({
  name: text,
  goal: goal.nullable(),
  primary: yesOrNo,
  value: z.literal('best').optional(),
  range: z.tuple([number.nullable(), number.nullable()]).optional(),
  source: ofKind,
})

const modules = z.lazy(() => z.array(object<ModuleSpec>({ path: text, sha256: text })).optional())

const experiment = object<Experiment>({
  name: text,
  dialect: text,
  description: text,
  file: text.nullable(),
  folder: text,
  out_root: text,
  directory: directory.optional(),
  target: ofKind,
  targets: modules,
  planners: modules,
  stoppers: modules,
  metric_sources: modules,
  params: map,
  factors: z.array(factor),
  zip: z.array(z.array(factor)),
  include: z.array(map),
  exclude: z.array(map),
  ablations: z.array(object<Ablation>({ name: text, flags: texts, set: map })),
  contents: z.record(text, z.record(text, text)).optional() satisfies z.ZodType<Contents | undefined>,
  constraints: texts,
  blocks: z.array(object<Block>({ name: text, levels })),
  replicates: number,
  cells: z.array(object<CellSpec>({ levels: map, replicates: number })).optional(),
  search: search.optional(),
  order: z.enum(['interleaved', 'listed', 'shuffled']),
  seed: number,
  limits: storedLimits,
  needs: z.union([object<Needs>(needed), z.array(object<NeedsRule>({ ...needed, when: text.nullable() }))]).optional(),
  models: storedModels.optional(),
  calls: storedCalls.optional(),
  metrics: z.array(metric),
  analysis: object<AnalysisSpec>({
    baseline: map.nullable(),
    require: z.strictObject({ pass: number }).optional(),
    missing: z.enum(missingRules).optional(),
    family: texts.optional(),
    weights: z.union([text, z.record(text, number)]).optional(),
    strata: object<StrataSpec>({
      by: text.optional(),
      groups: z.record(text, z.array(anything)).optional(),
      shares: z.record(text, number).optional(),
    }).optional(),
  }),
  inputs: texts,
  outputs: z.array(object<OutputSpec>({ path: text, required: yesOrNo })),
  hooks: z.strictObject({ setup: command.nullable(), cleanup: command.nullable() }),
  naming,
  record_env: texts,
  python: object<PythonValues>({ spelling, floats: texts, nested: z.record(text, texts) }).optional(),
  notes: texts.optional(),
  kept: object<Kept>({ runs: z.enum(['all', 'failed']), analysis: yesOrNo }).optional(),
})
