import type { SearchSpec } from '../../../define/experiment.ts'
import type { Observation } from '../../../define/observation.ts'
import { AssayError } from '../../../util/errors.ts'
import { isJsonObject, type Json } from '../../../util/json.ts'
import { type Result, resultOf } from '../../planner.ts'
import { samePoint } from '../space/point.ts'
import type { Point, Space } from '../space/space.ts'
import type { VariantRuns } from '../variant-runs.ts'

/** A variant that a search has tried or is trying. */
export interface Trial {
  readonly point: Point
  /** How many of its runs were proposed. */
  readonly asked: number
  /** For each of its runs: its result, that it failed or was dropped, or null while that is open. */
  readonly results: readonly (Result | 'failed' | 'dropped' | null)[]
  /** Why it was chosen, until all its runs are proposed. */
  readonly why?: string
}

/** The memory of a search: plain data, a fold over its proposals and results. */
export interface Progress {
  readonly trials: readonly Trial[]
  /** The method's own memory, such as the parameters of its model. */
  readonly memory: Json
}

export const newTrial = (point: Point, runs: number, why = 'it was begun before'): Trial => ({
  why,
  point,
  asked: 0,
  results: Array.from({ length: runs }, () => null),
})

/** The same trial with one more of its runs proposed. */
export const askedOnce = ({ point, asked, results, why }: Trial): Trial =>
  asked + 1 >= results.length || why === undefined
    ? { point, asked: asked + 1, results }
    : { point, asked: asked + 1, results, why }

/** The trials with the news applied. A run that is reported again counts with its present result. */
export function withNews(
  trials: readonly Trial[],
  news: readonly Observation[],
  search: SearchSpec,
  space: Space,
  runs: VariantRuns,
): readonly Trial[] {
  if (news.length === 0) return trials
  const changed = [...trials]
  for (const observation of news) {
    const result = resultOf(observation, search)
    const index = runs.indexOf(observation)
    const point = index < 0 || result === null ? null : space.pointOf(observation)
    if (point === null) continue
    // From the end: most news is about the newest trials.
    const found = changed.findLastIndex(trial => samePoint(trial.point, point))
    const trial = changed[found] ?? newTrial(point, runs.count)
    changed[found < 0 ? changed.length : found] = { ...trial, results: trial.results.with(index, result) }
  }
  return changed
}

export const saveProgress = ({ trials, memory }: Progress): Json => ({ trials: trials as unknown as Json, memory })

/** The planner's own state, so it is trusted; its trial objects are kept, for values computed from them. */
export function loadProgress(state: Json): Progress {
  if (isJsonObject(state) && Array.isArray(state.trials)) return state as unknown as Progress
  throw new AssayError('internal', 'the planner was given a state that is not its own')
}
