import type { SearchSpec } from '../../define/experiment.ts'
import type { Observation } from '../../define/observation.ts'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json } from '../../util/json.ts'
import { trialOf } from '../identity.ts'
import { objectiveOf, type Planner } from '../planner.ts'

/**
 * Any planner, which stops proposing once a run, or with counted variants a trial of `size` runs on average, reaches
 * the search's target. Running runs may finish.
 */
export function untilTarget(inner: Planner, search: SearchSpec | undefined, size = 1): Planner {
  const target = search?.target ?? null
  if (search === undefined || target === null) return inner
  const isReached = (value: number) => (search.goal === 'maximize' ? value >= target : value <= target)
  const objective = (observation: Observation) => objectiveOf(observation, search)
  const whole = search.counts === 'variants' ? size : 1

  return {
    // It needs results, whether or not the inner planner learns from them.
    learns: true,
    start: known => save({ inner: inner.start(known), reached: null, open: {} }),
    tell: (state, news) => {
      const before = load(state)
      return save({ ...watched(before, news), inner: inner.tell(before.inner, news) })
    },
    ask(state, wanted) {
      const now = load(state)
      if (now.reached !== null) return 'done'
      const answer = inner.ask(now.inner, wanted)
      return typeof answer === 'string' ? answer : { ...answer, state: save({ ...now, inner: answer.state }) }
    },
    count() {
      // Counting detects a filter that matches nothing; the number of runs depends on results.
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

  /** A trial is judged when all its runs have a value; until then their values are kept. */
  function watched(before: Progress, news: readonly Observation[]): Progress {
    let { reached, open } = before
    for (const observation of news) {
      const value = objective(observation)
      if (value === null || reached !== null) continue
      const trial = trialOf(observation)
      const values = { ...open[trial], [observation.name]: value }
      const all = Object.values(values)
      const { [trial]: _, ...others } = open
      open = all.length < whole ? { ...others, [trial]: values } : others
      if (all.length < whole) continue
      const mean = all.reduce((sum, one) => sum + one, 0) / all.length
      if (isReached(mean)) reached = { run: observation.name, value: Number(mean.toPrecision(12)) }
    }
    return { ...before, reached, open }
  }
}

interface Reached {
  readonly run: string
  readonly value: number
}

interface Progress {
  readonly inner: Json
  readonly reached: Reached | null
  /** By trial, then by run: the values of trials that are not complete. */
  readonly open: { readonly [trial: string]: { readonly [run: string]: number } }
}

const save = ({ inner, reached, open }: Progress): Json => ({
  inner,
  reached: reached === null ? null : { ...reached },
  ...(Object.keys(open).length > 0 && { open }),
})

function load(state: Json): Progress {
  if (isJsonObject(state) && state.inner !== undefined && state.reached !== undefined)
    return { open: {}, ...(state as unknown as Omit<Progress, 'open'>) }
  throw new AssayError('internal', 'the planner was given a state that is not its own')
}
