import type { SearchSpec } from '../../../define/experiment.ts'
import { AssayError } from '../../../util/errors.ts'
import type { Json } from '../../../util/json.ts'
import { mixSeed, type Random, seededRandom } from '../../../util/random.ts'
import type { PlanPart } from '../../plan-part.ts'
import type { Planner, PlannerOptions, Proposal } from '../../planner.ts'
import { sobolSequence } from '../sobol/sobol.ts'
import { pointAt, randomPoint, samePoint } from '../space/point.ts'
import { type Point, type Space, spaceOf } from '../space/space.ts'
import { variantRunsOf } from '../variant-runs.ts'
import { type History, historyOf } from './history.ts'
import { lossesFor } from './loss.ts'
import { askedOnce, loadProgress, newTrial, type Progress, saveProgress, type Trial, withNews } from './trials.ts'

/** A method that learns: given what is known, where to search next. */
export interface Method {
  readonly name: string
  /** Variants spread over the space before results count. */
  initial(space: Space): number
  /** null: it found nothing untried. */
  suggest(history: History, random: Random, memory: Json, goal: SearchSpec['goal']): Suggestion | null
}

export interface Suggestion {
  readonly point: Point
  readonly why: string
  readonly memory: Json
}

/** The planner of a method: spreads the first variants evenly, then lets the method choose, one variant at a time. */
export function learningPlanner(method: Method, experiment: PlanPart, options: PlannerOptions): Planner {
  const search = searchOf(experiment)
  const space = spaceOf(experiment)
  const runs = variantRunsOf(experiment)
  const seed = mixSeed(search.seed ?? options.seed, method.name)
  const variants = Math.min(space.listed?.count ?? Number.POSITIVE_INFINITY, runs.mostVariants)
  const count = variants === Number.POSITIVE_INFINITY ? null : variants * runs.count
  const initial = Math.min(variants, search.initial ?? method.initial(space))
  const places = sobolSequence(space.dimensions.length, seed)

  return {
    learns: true,
    start: (known = []) => {
      const points = known.filter(run => runs.indexOf(run) >= 0).map(run => space.pointOf(run))
      return saveProgress({ trials: trialsAt(points.filter(point => point !== null)), memory: null })
    },
    tell: (state, news) => {
      const progress = loadProgress(state)
      return saveProgress({ ...progress, trials: withNews(progress.trials, news, search, space, runs) })
    },
    ask(state, wanted) {
      let progress = loadProgress(state)
      const proposals: Proposal[] = []
      while (proposals.length < wanted) {
        const open = progress.trials.findIndex(trial => trial.asked < runs.count)
        const trial = progress.trials[open]
        if (trial === undefined) {
          const next = progress.trials.length < variants ? suggest(progress) : null
          if (next === null) break
          const trials = [...progress.trials, newTrial(next.point, runs.count, next.why)]
          progress = { trials, memory: next.memory }
          continue
        }
        // A variant whose result is already known need not be run.
        if (trial.results[trial.asked] === null)
          proposals.push({ run: runs.at(space.variantAt(trial.point), trial.asked), why: trial.why ?? '' })
        progress = { ...progress, trials: progress.trials.with(open, askedOnce(trial)) }
      }
      return proposals.length === 0 && wanted > 0 ? 'done' : { state: saveProgress(progress), runs: proposals }
    },
    count: () => count,
    certain: () => initial * runs.count,
    keeps: run => runs.indexOf(run) >= 0 && space.pointOf(run) !== null,
  }

  function trialsAt(points: readonly Point[]): readonly Trial[] {
    const trials: Trial[] = []
    for (const point of points)
      if (!trials.some(trial => samePoint(trial.point, point))) trials.push(newTrial(point, runs.count))
    return trials
  }

  function suggest({ trials, memory }: Progress): Suggestion | null {
    const random = seededRandom(mixSeed(seed, trials.length))
    const { loss, goal, trade } = lossesFor(trials, search, random)
    const history = historyOf(trials, space, search, loss)
    if (trials.length >= initial && history.finished.length >= 2) {
      // Another trade-off is another landscape: what was learned about the last one does not apply.
      const suggestion = method.suggest(history, random, trade === null ? memory : null, goal)
      if (suggestion !== null)
        return trade === null ? suggestion : { ...suggestion, why: `${trade}: ${suggestion.why}` }
    }
    const isFirst = trials.length < initial
    const point = (isFirst ? spreadPoint(trials.length, history) : null) ?? anyPoint(history, random)
    const why = isFirst ? `variant ${trials.length + 1} of ${initial} spread over the space` : 'not tried before'
    return point === null ? null : { point, why, memory }
  }

  function spreadPoint(from: number, history: History): Point | null {
    for (let index = from; index < from + tries; index++) {
      const point = pointAt(space, places(index))
      if (point !== null && !history.isKnown(point)) return point
    }
    return null
  }

  function anyPoint(history: History, random: Random): Point | null {
    for (let draw = 0; draw < tries; draw++) {
      const point = randomPoint(space, random)
      if (point !== null && !history.isKnown(point)) return point
    }
    const rest = history.rest()
    if (rest !== null) return rest[random.integer(0, Math.max(0, rest.length - 1))] ?? null
    for (let draw = 0; draw < patience; draw++) {
      const point = randomPoint(space, random)
      if (point !== null && !history.isKnown(point)) return point
    }
    return null
  }
}

/** Random draws before the untried ones are examined one by one. */
const tries = 1000

/** Random draws if the untried ones can't be listed: constraints may leave only a corner. */
const patience = 100_000

function searchOf({ search }: PlanPart): SearchSpec & { readonly metric: string } {
  if (search === undefined || search.metric === null) throw new AssayError('internal', 'a search without a metric')
  return { ...search, metric: search.metric }
}
