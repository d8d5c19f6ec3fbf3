import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import * as z from 'zod'
import { AssayError, messageOf } from '../util/errors.ts'
import { sha256 } from '../util/hash.ts'
import { type Experiment, type ModuleSpec, searchMethods, type TargetSpec } from './experiment.ts'
import { type Places, placesText, resolvePath } from './read-files.ts'
import { earlyStopTypes } from './schema/early-stop-schema.ts'
import { metricSourceKinds } from './schema/metrics/metric-schema.ts'
import type { OwnNames } from './schema/parts.ts'
import type { Problem, Target } from './target.ts'

/** The kinds of modules that an experiment may bring, by the key that lists their paths. */
const forms = {
  targets: { what: 'a target', name: 'kind', functions: ['execute'] },
  planners: { what: 'a planner', name: 'method', functions: ['make'] },
  stoppers: { what: 'a stopper', name: 'type', functions: ['make'] },
  metric_sources: { what: 'a metric source', name: 'kind', functions: ['read'] },
} as const

/** What a module exports: the field with its name, and the functions that it must have. */
interface OwnForm {
  readonly what: string
  readonly name: string
  readonly functions: readonly string[]
}

export type OwnKey = keyof typeof forms
export const ownKeys = Object.keys(forms) as readonly OwnKey[]

/** One of them: its name in configurations, its export, and its file. */
export interface OwnPart {
  readonly name: string
  readonly exported: object
  readonly file: string
}

/** The exports of the modules under a key; an error names the module, what was expected and what was found. */
export function ownParts(key: OwnKey, modules: readonly ModuleSpec[] | undefined, places: Places): readonly OwnPart[] {
  return (modules ?? []).flatMap(({ path }) => partsOf(key, path, places))
}

/** For a written experiment: what its modules bring, and their problems with the place. */
export function readOwnModules(
  written: { readonly [K in OwnKey]?: readonly string[] | undefined },
  targets: readonly Target[],
  places: Places,
): OwnModules {
  const problems: Problem[] = []
  const parts: { [K in OwnKey]: OwnPart[] } = { targets: [], planners: [], stoppers: [], metric_sources: [] }
  const modules: { [K in OwnKey]?: ModuleSpec[] } = {}
  const builtIn = {
    targets: [...targets.map(({ kind }) => kind), 'inline'],
    planners: searchMethods,
    stoppers: earlyStopTypes,
    metric_sources: [...metricSourceKinds, 'reported'],
  } as const satisfies Record<OwnKey, readonly string[]>
  for (const key of ownKeys)
    for (const [index, path] of (written[key] ?? []).entries())
      try {
        const found = partsOf(key, path, places)
        modules[key] = [...(modules[key] ?? []), specOf(path, places)]
        for (const part of found) {
          const clash = clashOf(part.name, builtIn[key], parts[key])
          if (clash === null) parts[key].push(part)
          else problems.push({ path: [key, index], message: `${path}: ${clash}`, hint: 'give it another name' })
        }
      } catch (error) {
        if (!(error instanceof AssayError)) throw error
        problems.push({ path: [key, index], message: error.message, ...(error.hint && { hint: error.hint }) })
      }
  const names = (key: OwnKey): readonly string[] => parts[key].map(({ name }) => name)
  return {
    modules,
    problems,
    targets: parts.targets.map(targetFrom),
    names: { planners: names('planners'), stoppers: names('stoppers'), metric_sources: names('metric_sources') },
  }
}

export interface OwnModules {
  readonly modules: { readonly [K in OwnKey]?: readonly ModuleSpec[] }
  readonly problems: readonly Problem[]
  readonly targets: readonly Target[]
  readonly names: OwnNames
}

/** The targets that an experiment brings. */
export const ownTargets = ({ targets, folder }: Experiment, cwd: string): readonly Target[] =>
  ownParts('targets', targets, { folder, cwd }).map(targetFrom)

/** The experiment with its modules as they are now: they may have changed since the journal was written. */
export function withModulesNow(experiment: Experiment, cwd: string): Experiment {
  const now = ownKeys.flatMap(key => {
    const modules = experiment[key]
    return modules === undefined
      ? []
      : [[key, modules.map(({ path }) => specOf(path, { folder: experiment.folder, cwd }))]]
  })
  return { ...experiment, ...Object.fromEntries(now) }
}

/** The files of its modules, absolute. */
export const moduleFiles = (experiment: Experiment, keys: readonly OwnKey[], cwd: string): readonly string[] =>
  keys.flatMap(key => (experiment[key] ?? []).map(({ path }) => resolvePath(path, { folder: experiment.folder, cwd })))

const specOf = (path: string, places: Places): ModuleSpec => ({
  path,
  sha256: sha256(readFileSync(fileOf(path, places), 'utf8')),
})

function clashOf(name: string, builtIn: readonly string[], others: readonly OwnPart[]): string | null {
  if (builtIn.includes(name)) return `"${name}" is built in already`
  const other = others.find(part => part.name === name)
  return other === undefined ? null : `"${name}" is in ${relative('.', other.file)} already`
}

const partsOf = (key: OwnKey, path: string, places: Places): readonly OwnPart[] => ownForm(forms[key], path, places)

/** The exports of one module, all of the given form. */
export function ownForm({ what, name, functions }: OwnForm, path: string, places: Places): readonly OwnPart[] {
  const file = fileOf(path, places)
  const exported = exportsOf(file, path, name)
  if (exported.length === 0) throw new AssayError('config', `${path} exports nothing: expected ${what}`)
  return exported.map(({ from, value }) => {
    const parsed = schemaOf(name, functions).safeParse(value)
    if (parsed.success) return { name: String(Reflect.get(parsed.data, name)), exported: parsed.data, file }
    const wrong = parsed.error.issues.map(
      issue => `${issue.path.map(String).join('.')}${issue.path.length > 0 ? ': ' : ''}${issue.message}`,
    )
    const expected = `expected ${what}, { ${name}: 'a name', ${functions.map(one => `${one}() {…}`).join(', ')} }`
    throw new AssayError('config', `${path}, ${from}: ${expected}; ${wrong.join('; ')}`)
  })
}

function fileOf(path: string, places: Places): string {
  const file = resolvePath(path, places)
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file
  throw new AssayError('config', `module "${path}" was not found in ${placesText(places)}`, {
    hint: 'it is the path of a .ts, .js or .mjs file, relative to the configuration file',
  })
}

/** Functions of classes and of other modules are used unchanged. */
const schemaOf = (name: string, functions: readonly string[]) =>
  z.custom<object>().superRefine((value, context) => {
    if (typeof value !== 'object' || value === null) {
      context.addIssue(`got ${value === null ? 'null' : typeof value}`)
      return
    }
    const given: unknown = Reflect.get(value, name)
    if (typeof given !== 'string' || given === '')
      context.addIssue({ code: 'custom', path: [name], message: `expected text, got ${kindOf(given)}` })
    for (const one of functions)
      if (typeof Reflect.get(value, one) !== 'function')
        context.addIssue({
          code: 'custom',
          path: [one],
          message: `expected a function, got ${kindOf(Reflect.get(value, one))}`,
        })
  })

const kindOf = (value: unknown): string => (value === undefined ? 'nothing' : value === null ? 'null' : typeof value)

/** The default export, one or a list; otherwise all named exports. */
function exportsOf(file: string, path: string, name: string): readonly { from: string; value: unknown }[] {
  const exports = load(file, path)
  if (typeof exports !== 'object' || exports === null) return [{ from: 'its export', value: exports }]
  const given: unknown = Reflect.get(exports, 'default')
  if (Array.isArray(given)) return given.map((value, index) => ({ from: `default export, item ${index + 1}`, value }))
  if (given !== undefined) return [{ from: 'default export', value: given }]
  // The CommonJS way: `module.exports = { kind, … }`.
  if (Reflect.get(exports, name) !== undefined) return [{ from: 'its export', value: exports }]
  return Object.entries(exports).map(([key, value]) => ({ from: `export "${key}"`, value }))
}

const loaded = new Map<string, { readonly sha256: string; readonly exports: unknown }>()

/** Loaded once per process: a module can't be unloaded, so a change while it runs is an error and not a surprise. */
function load(file: string, path: string): unknown {
  const digest = sha256(readFileSync(file, 'utf8'))
  const known = loaded.get(file)
  if (known?.sha256 === digest) return known.exports
  if (known !== undefined)
    throw new AssayError('config', `${path} changed since this process loaded it`, { hint: 'Start it again.' })
  try {
    // TypeScript too: Node strips the types. Synchronous, so a module that awaits at its top level can't be used.
    const exports: unknown = createRequire(file)(file)
    loaded.set(file, { sha256: digest, exports })
    return exports
  } catch (error) {
    const isScript = error instanceof SyntaxError && /\b(import|export)\b/.test(error.message)
    throw new AssayError('config', `${path} can't be loaded: ${messageOf(error)}`, {
      cause: error,
      ...(isScript && { hint: 'package.json says that it is no ES module: name it .mts or .mjs' }),
    })
  }
}

/** A target as a module exports it: everything but its kind and its `execute` is optional. */
export type OwnTarget<S = TargetSpec> = Pick<Target<S>, 'kind' | 'execute'> & Partial<Target<S>>

const isOwnTarget = z.custom<OwnTarget<unknown>>()

function targetFrom({ exported }: OwnPart): Target {
  const own = isOwnTarget.parse(exported)
  const target: Target = {
    ...own,
    schema: ownSchema(own),
    check: (spec, experiment) => own.check?.(spec, experiment) ?? [],
    identity: (spec, experiment) => own.identity?.(spec, experiment) ?? identityOf(spec),
    describe: (spec, run, place, experiment) =>
      own.describe?.(spec, run, place, experiment) ?? {
        command: [own.kind, JSON.stringify(run.params)],
        cwd: experiment.folder,
      },
    bound: (spec, run) => own.bound?.(spec, run) ?? 'unknown',
    execute: (spec, run, context) => own.execute(spec, run, context),
  }
  return target
}

const plain = z.lazy(() => z.looseObject({ kind: z.string() }))

const identityOf = (spec: unknown) => ({ spec: JSON.parse(JSON.stringify(spec)) })

/**
 * Its schema may come from another copy of zod, or another version: only its answers are used. Settings stay plain data
 * in the definition, so its output must be plain too.
 */
function ownSchema({ kind, schema }: OwnTarget<unknown>): Target['schema'] {
  const own = z.looseObject({ kind: z.literal(kind) })
  if (schema === undefined) return own
  return own.transform((written, context) => {
    const { success, data, error } = schema.safeParse(written)
    if (success) return plain.parse({ ...(typeof data === 'object' ? data : {}), kind })
    for (const { message, path } of error?.issues ?? [])
      context.addIssue({ code: 'custom', message, path: [...path], input: written })
    return z.NEVER
  })
}
