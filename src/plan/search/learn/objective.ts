import type { SearchSpec } from '../../../define/experiment.ts'
import type { Observation } from '../../../define/observation.ts'
import { cutOff } from '../../../define/outcome.ts'

/** As much of a run as its value depends on. */
type Ended = Pick<Observation, 'outcome' | 'metrics' | 'series'>

/** The value of the objective, or of each where there are several. */
export type Result = number | readonly number[]

/** What a run says about its variant: what came of it, that it failed, or null: nothing, and it will be run again. */
export function resultOf(observation: Ended, search: SearchSpec): Result | 'failed' | null {
  if (cutOff.includes(observation.outcome.kind)) return null
  const which = whichCounts(observation, search)
  const values = [{ metric: search.metric ?? '', goal: search.goal }, ...search.also].flatMap(
    ({ metric, goal }) => counted(observation, metric, goal, which) ?? [],
  )
  if (values.length <= search.also.length) return 'failed'
  return search.also.length === 0 ? (values[0] ?? 'failed') : values
}

/** The value of the search's own metric that a run counts with; null: it has none. */
export function objectiveOf(observation: Ended, search: SearchSpec): number | null {
  const result = resultOf(observation, { ...search, also: [] })
  return typeof result === 'number' ? result : null
}

/** Which of its values a run counts with; one that failed may have reported some before. */
function whichCounts({ outcome }: Ended, { value = 'last', impute }: SearchSpec): 'last' | 'best' | 'none' {
  if (outcome.kind === 'completed' || outcome.kind === 'stopped_early') return value
  return impute === 'best' ? 'best' : impute === 'latest' ? 'last' : 'none'
}

function counted(
  { metrics, series }: Ended,
  metric: string,
  goal: SearchSpec['goal'],
  which: 'last' | 'best' | 'none',
): number | null {
  if (which === 'none') return null
  const last = metrics[metric] ?? Number.NaN
  const earlier = which === 'best' ? (series.find(one => one.metric === metric)?.values ?? []) : []
  const values = [...earlier, last].filter(Number.isFinite)
  if (values.length === 0) return null
  return values.reduce((one, other) => (goal === 'maximize' ? Math.max(one, other) : Math.min(one, other)))
}
