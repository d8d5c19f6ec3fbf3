import { experimentFrom } from '../define/load-experiment.ts'
import { type Observation, observed } from '../define/observation.ts'
import { checkPlan } from '../plan/check-plan.ts'
import { everything, type Planner } from '../plan/planner.ts'
import { plannerFor } from '../plan/planners/registry.ts'
import { inlineTarget } from '../targets/inline.ts'
import { AssayError } from '../util/errors.ts'
import type { Json, JsonObject } from '../util/json.ts'
import { type ExperimentDefinition, plainData } from './define-experiment.ts'
import { refuseUnknown } from './refuse-unknown.ts'

/** Where to look, and how: the same keys as in an experiment file. */
export interface SearchDefinition
  extends Pick<ExperimentDefinition, 'factors' | 'params' | 'zip' | 'exclude' | 'constraints'> {
  readonly method: 'grid' | 'random' | 'sobol' | 'bayes' | 'tpe'
  readonly goal: 'minimize' | 'maximize'
  readonly seed?: number
  /** Default: as many as there are, or as you ask for. */
  readonly max_runs?: number
  readonly impute?: 'worst' | 'best' | 'latest' | 'skip'
  readonly initial?: number
}

/** Parameters to be tried. */
export interface Suggestion {
  readonly id: string
  readonly params: JsonObject
  readonly why: string
}

/** Suggests parameters and learns from what came of them; what runs them, and where, is up to you. */
export interface Search {
  /** The next ones to try, none twice; fewer than asked for, or none, when there are no others. */
  ask(count?: number): readonly Suggestion[]
  /** What came of a suggestion, or of parameters of your own. null: it failed. */
  tell(what: string | JsonObject, value: number | null): void
  /** The best so far; null before anything was told. */
  best(): { readonly params: JsonObject; readonly value: number } | null
  /** Everything it knows, as plain data: give it to {@link openSearch} to go on elsewhere. */
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
  const planner = plannerOf(definition)
  const { goal } = definition
  const { asked, told, state: before } = restored(saved)
  let state = before ?? planner.start()
  return {
    ask(count = 1) {
      const answer = planner.ask(state, count)
      if (typeof answer === 'string') return []
      state = answer.state
      for (const { run } of answer.runs) asked.set(run.key, run.params)
      return answer.runs.map(({ run, why }) => ({ id: run.key, params: run.params, why }))
    },
    tell(what, value) {
      const params = typeof what === 'string' ? asked.get(what) : what
      if (params === undefined)
        throw new AssayError('usage', `nothing was suggested under the id ${JSON.stringify(what)}`)
      if (value !== null) told.push({ params, value })
      state = planner.tell(state, [observationOf(params, value)])
    },
    best() {
      const better = (a: number, b: number) => (goal === 'minimize' ? a < b : a > b)
      return told.reduce<Told | null>(
        (best, one) => (best === null || better(one.value, best.value) ? one : best),
        null,
      )
    },
    save: () => ({
      state,
      asked: Object.fromEntries(asked),
      told: told.map(({ params, value }) => ({ params, value })),
    }),
  }
}

interface Told {
  readonly params: JsonObject
  readonly value: number
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
} as const

const metric = 'value'

function plannerOf({ method, goal, seed = 1, max_runs, impute, initial, ...space }: SearchDefinition): Planner {
  const target = inlineTarget(() => 0)
  const search = { method, metric, goal, max_runs: max_runs ?? 1e9, impute, initial }
  const written = {
    name: 'search',
    target: { kind: 'inline' },
    ...space,
    seed,
    metrics: { [metric]: { goal } },
    search,
  }
  const cwd = process.cwd()
  const experiment = experimentFrom(plainData(written), { targets: [target], cwd, folder: cwd })
  const [problem] = checkPlan(experiment)
  if (problem !== undefined) throw new AssayError('config', `${problem.path.join('.')}: ${problem.message}`)
  return plannerFor(experiment, { order: 'shuffled', seed, selection: everything })
}

function observationOf(params: JsonObject, value: number | null): Observation {
  return value === null
    ? observed({ params, outcome: { kind: 'failed' } })
    : observed({ params, metrics: { [metric]: value } })
}

interface Saved {
  readonly state: Json
  readonly asked: { readonly [id: string]: JsonObject }
  readonly told: readonly Told[]
}

/** What {@link Search.save} gave is taken at its word. */
function restored(saved: Json | undefined) {
  const { state, asked, told } = (saved ?? { state: null, asked: {}, told: [] }) as unknown as Saved
  return { state, asked: new Map(Object.entries(asked)), told: [...told] }
}
