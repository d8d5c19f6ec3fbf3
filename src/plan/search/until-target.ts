import type { SearchSpec } from '../../define/experiment.ts'
import type { Observation } from '../../define/observation.ts'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json } from '../../util/json.ts'
import { objectiveOf, type Planner } from '../planner.ts'

/** Any planner, but one that proposes no more once a run is as good as the search's target. What runs then may finish. */
export function untilTarget(inner: Planner, search: SearchSpec | undefined): Planner {
  const target = search?.target ?? null
  if (search === undefined || target === null) return inner
  const isReached = (value: number) => (search.goal === 'maximize' ? value >= target : value <= target)
  const reachedBy = (news: readonly Observation[]): Reached | null => {
    for (const observation of news) {
      const value = objectiveOf(observation, search)
      if (value !== null && isReached(value)) return { run: observation.name, value }
    }
    return null
  }

  return {
    // It wants to be told of results, whether or not the planner in it learns from them.
    learns: true,
    start: known => save({ inner: inner.start(known), reached: null }),
    tell: (state, news) => {
      const before = load(state)
      return save({ inner: inner.tell(before.inner, news), reached: before.reached ?? reachedBy(news) })
    },
    ask(state, wanted) {
      const now = load(state)
      if (now.reached !== null) return 'done'
      const answer = inner.ask(now.inner, wanted)
      return typeof answer === 'string' ? answer : { ...answer, state: save({ ...now, inner: answer.state }) }
    },
    count() {
      // Counting finds a filter that matches nothing; how many will be run, only the future can tell.
      inner.count()
      return null
    },
    most: () => inner.count(),
    certain: () => inner.certain(),
    ending(state) {
      const { reached } = load(state)
      if (reached === null) return null
      return `the target was reached by ${reached.run}: ${search.metric} is ${reached.value}, and ${target} was enough`
    },
    ...(inner.keeps && { keeps: run => inner.keeps?.(run) === true }),
  }
}

interface Reached {
  readonly run: string
  readonly value: number
}

interface Progress {
  readonly inner: Json
  readonly reached: Reached | null
}

const save = ({ inner, reached }: Progress): Json => ({ inner, reached: reached === null ? null : { ...reached } })

function load(state: Json): Progress {
  if (isJsonObject(state) && state.inner !== undefined && state.reached !== undefined)
    return state as unknown as Progress
  throw new AssayError('internal', 'the planner was given a state that is not its own')
}
