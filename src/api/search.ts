import { paretoFront } from '../analyze/search/trials.ts'
import type { Factor } from '../define/experiment.ts'
import { experimentFrom, type WrittenExperiment } from '../define/load-experiment.ts'
import { type Observation, observed } from '../define/observation.ts'
import type { Run } from '../define/run.ts'
import { checkPlan, plannerFor } from '../plan/plan.ts'
import { everything, type Planner } from '../plan/planner.ts'
import { type Stopper, stopperFor } from '../plan/stoppers/registry.ts'
import { inlineTarget } from '../targets/inline.ts'
import { AssayError } from '../util/errors.ts'
import type { Json, JsonObject } from '../util/json.ts'
import { listed } from '../util/words.ts'
import { type ExperimentDefinition, plainData } from './define-experiment.ts'
import { refuseUnknown } from './refuse-unknown.ts'

type Goal = 'minimize' | 'maximize'

/** Where to look, and how: the same keys as in an experiment file. */
export interface SearchDefinition
  extends Pick<ExperimentDefinition, 'factors' | 'params' | 'zip' | 'exclude' | 'constraints'> {
  readonly method: 'grid' | 'random' | 'sobol' | 'bayes' | 'tpe'
  readonly goal: Goal
  /** Further objectives by their names: the search is then for the whole Pareto front. */
  readonly also?: { readonly [metric: string]: Goal }
  readonly seed?: number
  /** Default: all there are, or as many as you request. */
  readonly max_runs?: number
  readonly impute?: 'worst' | 'best' | 'latest' | 'skip'
  readonly initial?: number
  /** When to give up a suggestion early, based on the values given to {@link Search.report}. */
  readonly early_stop?: NonNullable<WrittenExperiment['search']>['early_stop']
}

/** Parameters to be tried. */
export interface Suggestion {
  readonly id: string
  readonly params: JsonObject
  readonly why: string
}

/** Results by objective: `value`, and those named in `also`. */
export interface Results {
  readonly value: number
  readonly [metric: string]: number
}

/** Suggests parameters and learns from their results; you decide how and where they are run. */
export interface Search {
  /** The next suggestions, none twice; fewer than requested, or none, if there are no others. */
  ask(count?: number): readonly Suggestion[]
  /** The result of a suggestion, or of your own parameters; with `also`, all objectives. null: it failed. */
  tell(what: string | JsonObject, value: number | Results | null): void
  /** A value of a suggestion during its run. Returns why it should be given up now; null: it may continue. */
  report(id: string, value: number, step?: number): string | null
  /** The best so far by `value`; null before there are results. */
  best(): { readonly params: JsonObject; readonly value: number } | null
  /** With `also`: the suggestions that no other beats in all objectives, in the order of `value`, best first. */
  front(): readonly { readonly params: JsonObject; readonly values: Results }[]
  /** Its complete state, as plain data: give it to {@link openSearch} to continue elsewhere. */
  save(): Json
}

/**
 * A search without the engine.
 *
 * @example
 * const search = openSearch({ method: 'bayes', goal: 'minimize', factors: { x: { min: 0, max: 1 } } })
 * for (const { id, params } of search.ask(2)) search.tell(id, (Number(params.x) - 0.3) ** 2)
 */
export function openSearch(definition: SearchDefinition, saved?: Json): Search {
  refuseUnknown('openSearch', definition, definitionKeys)
  const { planner, stopper, factors } = opened(definition)
  const { goal, also = {} } = definition
  const objectives = [{ metric, goal }, ...Object.entries(also).map(([name, goal]) => ({ metric: name, goal }))]
  const { asked, told, reports, ended, stopped, state: before } = restored(saved)
  let state = before ?? planner.start()
  const paramsOf = (id: string): JsonObject => {
    const params = asked.get(id)
    if (params === undefined) throw new AssayError('usage', `there is no suggestion with the id ${JSON.stringify(id)}`)
    return params
  }
  return {
    ask(count = 1) {
      if (!Number.isSafeInteger(count) || count < 0)
        throw new AssayError('usage', `ask: expected a whole number, 0 or more, got ${shown(count)}`)
      const answer = planner.ask(state, count)
      if (typeof answer === 'string') return []
      state = answer.state
      for (const { run } of answer.runs) asked.set(run.key, run.params)
      return answer.runs.map(({ run, why }) => ({ id: run.key, params: run.params, why }))
    },
    tell(what, value) {
      const params = typeof what === 'string' ? paramsOf(what) : ownParams(what, factors)
      const values = value === null ? null : resultsIn(value, Object.keys(also))
      if (values !== null) told.push({ params, values })
      if (typeof what === 'string') ended.add(what)
      state = planner.tell(state, [observationOf(params, values)])
    },
    report(id, value, step) {
      const params = paramsOf(id)
      if (stopper === null)
        throw new AssayError('usage', 'report uses early_stop, but the definition has none', {
          hint: "add early_stop: { type: 'asha' }",
        })
      checkNumber('report', value)
      if (step !== undefined) checkNumber('report', step)
      const { steps = [], values = [] } = reports.get(id) ?? {}
      reports.set(id, { steps: [...steps, step ?? values.length + 1], values: [...values, value] })
      const all = [...reports].map(([other, series]) => ({
        run: runOf(other, other === id ? params : (asked.get(other) ?? {})),
        isRunning: !ended.has(other),
        isComplete: ended.has(other) && !stopped.has(other),
        ...series,
      }))
      const [stop] = stopper(
        all.filter(({ run }) => run.key === id),
        all,
      )
      if (stop !== undefined) stopped.add(id)
      return stop?.reason ?? null
    },
    best() {
      const better = (a: number, b: number) => (goal === 'minimize' ? a < b : a > b)
      const best = told.reduce<Told | null>(
        (best, one) => (best === null || better(one.values.value, best.values.value) ? one : best),
        null,
      )
      return best && { params: best.params, value: best.values.value }
    },
    front: () => paretoFront(told, objectives),
    save: () => ({
      state,
      asked: Object.fromEntries(asked),
      told: told.map(({ params, values: { value, ...others } }) => ({
        params,
        value,
        ...(Object.keys(others).length > 0 && { others }),
      })),
      ...(reports.size > 0 && {
        reports: Object.fromEntries(
          [...reports].map(([id, { steps, values }]) => [id, { steps: [...steps], values: [...values] }]),
        ),
        ended: [...ended],
        stopped: [...stopped],
      }),
    }),
  }
}

/** The search would learn from a meaningless number. */
function checkNumber(what: string, value: unknown): asserts value is number {
  if (typeof value === 'number' && Number.isFinite(value)) return
  const hint = what === 'tell' ? { hint: 'give null for a failed run' } : {}
  throw new AssayError('usage', `${what}: expected a finite number, got ${shown(value)}`, hint)
}

const shown = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'bigint' || value === undefined
    ? String(value)
    : (JSON.stringify(value) ?? typeof value)

/** The user's own parameters: each factor that always applies, and plain values. A search would learn from anything. */
function ownParams(given: unknown, factors: readonly Factor[]): JsonObject {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new AssayError('usage', `tell: expected the id of a suggestion, or parameters, got ${shown(given)}`)
  const missing = factors.find(({ name, when }) => when === null && !Object.hasOwn(given, name))
  if (missing !== undefined)
    throw new AssayError('usage', `tell: the parameter "${missing.name}" is missing`, {
      hint: `this search has ${listed(factors.map(({ name }) => name))}`,
    })
  for (const [name, value] of Object.entries(given))
    if (value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
      throw new AssayError('usage', `tell: expected a value for "${name}", got ${shown(value)}`)
  return given as JsonObject
}

/** Checked name by name: values from code may be anything. */
function resultsIn(given: unknown, also: readonly string[]): Results {
  if (also.length === 0 && (typeof given !== 'object' || given === null)) {
    checkNumber('tell', given)
    return { value: given }
  }
  const names = [metric, ...also]
  const isMap = typeof given === 'object' && given !== null && !Array.isArray(given)
  const wrong = isMap ? Object.keys(given).find(name => !names.includes(name)) : undefined
  if (!isMap || wrong !== undefined)
    throw new AssayError(
      'usage',
      `tell: expected { ${names.join(', ')} }${wrong === undefined ? `, got ${shown(given)}` : `, and got "${wrong}" as well`}`,
      { hint: 'give null for a failed run' },
    )
  const found = Object.entries({ ...Object.fromEntries(names.map(name => [name, undefined])), ...given })
  const values = found.map(([name, value]: [string, unknown]): [string, number] => {
    if (typeof value === 'number' && Number.isFinite(value)) return [name, value]
    throw new AssayError('usage', `tell: expected a finite number for "${name}", got ${shown(value)}`)
  })
  return Object.fromEntries(values) as unknown as Results
}

/** The part of a run that a stopper uses. */
const runOf = (id: string, params: JsonObject): Run => ({
  ...{ key: id, name: id, params, ablation: null, flags: [], block: {}, replicate: 1, seed: 1 },
})

interface Told {
  readonly params: JsonObject
  readonly values: Results
}

const definitionKeys = {
  method: true,
  goal: true,
  factors: true,
  params: true,
  zip: true,
  exclude: true,
  constraints: true,
  seed: true,
  max_runs: true,
  impute: true,
  initial: true,
  also: true,
  early_stop: true,
} as const

const metric = 'value'

function opened({
  method,
  goal,
  also = {},
  seed = 1,
  max_runs,
  impute,
  initial,
  early_stop,
  ...space
}: SearchDefinition): {
  readonly planner: Planner
  readonly stopper: Stopper | null
  readonly factors: readonly Factor[]
} {
  const target = inlineTarget(() => 0)
  const names = Object.keys(also)
  const search = {
    ...{ method, metric, goal, max_runs: max_runs ?? 1e9, impute, initial, early_stop },
    ...(names.length > 0 && { also: names }),
  }
  const goals = Object.entries({ [metric]: goal, ...also }).map(([name, goal]) => [name, { goal }])
  const written = {
    name: 'search',
    target: { kind: 'inline' },
    ...space,
    seed,
    metrics: Object.fromEntries(goals),
    search,
  }
  const cwd = process.cwd()
  const experiment = experimentFrom(plainData(written), { targets: [target], cwd, folder: cwd })
  const [problem] = checkPlan(experiment)
  if (problem !== undefined) throw new AssayError('config', `${problem.path.join('.')}: ${problem.message}`)
  const rule = experiment.search?.early_stop ?? null
  return {
    planner: plannerFor(experiment, { order: 'shuffled', seed, selection: everything }),
    stopper: rule === null ? null : stopperFor(rule, goal, experiment),
    factors: experiment.factors,
  }
}

function observationOf(params: JsonObject, values: Results | null): Observation {
  return values === null
    ? observed({ params, outcome: { kind: 'failed' } })
    : observed({ params, metrics: { ...values } })
}

interface Reports {
  readonly steps: readonly number[]
  readonly values: readonly number[]
}

interface Saved {
  readonly state: Json
  readonly asked: { readonly [id: string]: JsonObject }
  readonly told: readonly {
    readonly params: JsonObject
    readonly value: number
    readonly others?: { readonly [metric: string]: number }
  }[]
  readonly reports?: { readonly [id: string]: Reports }
  readonly ended?: readonly string[]
  readonly stopped?: readonly string[]
}

/** The result of {@link Search.save} is trusted. */
function restored(saved: Json | undefined) {
  const { state, asked, told, reports, ended, stopped } = (saved ?? {
    state: null,
    asked: {},
    told: [],
  }) as unknown as Saved
  return {
    state,
    asked: new Map(Object.entries(asked)),
    told: told.map(({ params, value, others }): Told => ({ params, values: { value, ...others } })),
    reports: new Map(Object.entries(reports ?? {})),
    ended: new Set(ended),
    stopped: new Set(stopped),
  }
}
