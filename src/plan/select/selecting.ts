import type { Run } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json } from '../../util/json.ts'
import type { PlanPart } from '../plan-part.ts'
import { type Answer, isEverything, type Planner, type Proposal, type Selection } from '../planner.ts'
import { compileFilter, type Filter } from './filter.ts'
import { inShard } from './shard.ts'

/**
 * Wraps any planner so that it proposes only the selected runs. Its state is the inner planner's, and the runs kept so
 * far.
 */
export function selecting(inner: Planner, selection: Selection, experiment: PlanPart): Planner {
  const { filters, first, shard } = selection
  if (isEverything(selection)) return inner
  const tests = filters.map(text => ({ text, keeps: compileFilter(text, experiment) }))
  const isHere: Filter = shard === null ? () => true : inShard(shard)
  const isWanted: Filter = run => isHere(run) && tests.every(({ keeps }) => keeps(run))
  let counted: number | null | undefined

  const planner: Planner = {
    learns: inner.learns,
    start: known => save({ inner: inner.start(known), taken: 0, removed: tests.map(() => 0), matched: 0 }),
    tell: (state, news) => {
      const progress = load(state)
      return save({ ...progress, inner: inner.tell(progress.inner, news) })
    },
    ask: (state, wanted) => ask(load(state), wanted),
    count: () => {
      if (counted === undefined) counted = countOf()
      return counted
    },
    // The certain part of a grid includes runs that a filter removes: finding those means walking all of it.
    certain: () => (first === null ? inner.certain() : Math.min(first, inner.certain())),
    ...(inner.keeps && { keeps: (run: Run) => inner.keeps?.(run) === true && isWanted(run) }),
  }
  return planner

  function ask(progress: Progress, wanted: number): Answer<Json> {
    const limit = Math.min(wanted, first === null ? wanted : first - progress.taken)
    if (limit <= 0 && wanted > 0) return 'done'
    const chosen: Proposal[] = []
    let now = progress
    while (chosen.length < limit) {
      // Requested proposals are used up, so it never requests more than it can take.
      const answer = inner.ask(now.inner, limit - chosen.length)
      if (answer === 'done' && now.matched === 0 && tests.length > 0) throw nothingMatches(now)
      if (answer === 'done' || answer === 'wait') {
        if (chosen.length === 0) return answer
        break
      }
      const kept = answer.runs.filter(({ run }) => tests.every(({ keeps }) => keeps(run)))
      const here = kept.filter(({ run }) => isHere(run))
      for (const one of here) chosen.push(one)
      now = {
        inner: answer.state,
        taken: now.taken + here.length,
        matched: now.matched + kept.length,
        removed: tests.map(
          ({ keeps }, at) => (now.removed[at] ?? 0) + answer.runs.filter(({ run }) => !keeps(run)).length,
        ),
      }
    }
    return { state: save(now), runs: chosen }
  }

  /** By walking everything: only a planner that never waits for results can be counted. */
  function countOf(): number | null {
    const all = inner.count()
    // An endless planner always has more, so the first ones are as many as requested.
    if (all === null) return tests.length === 0 && shard === null ? first : null
    if (tests.length === 0 && shard === null) return Math.min(all, first ?? all)
    let state = planner.start()
    let count = 0
    for (;;) {
      const answer = planner.ask(state, 64)
      if (answer === 'done') return count
      if (answer === 'wait') return null
      count += answer.runs.length
      state = answer.state
    }
  }

  function nothingMatches({ removed }: Progress): AssayError {
    const lines = tests.map(
      ({ text }, at) => `\n  ${text} (removes ${removed[at] ?? 0} of ${inner.count() ?? 'the'} runs)`,
    )
    return new AssayError(
      'usage',
      `no run matches ${tests.length === 1 ? 'the filter' : 'all filters'}${lines.join('')}`,
      {
        hint: 'See what there is with: assay plan.',
      },
    )
  }
}

interface Progress {
  readonly inner: Json
  readonly taken: number
  /** How many runs passed the filters, in this shard or another. */
  readonly matched: number
  /** By filter. */
  readonly removed: readonly number[]
}

const save = ({ inner, taken, matched, removed }: Progress): Json => ({ inner, taken, matched, removed })

function load(state: Json): Progress {
  const { inner = null, taken, matched, removed } = isJsonObject(state) ? state : {}
  if (typeof taken !== 'number' || typeof matched !== 'number' || !Array.isArray(removed))
    throw new AssayError('internal', 'the planner was given a state that is not its own')
  return { inner, taken, matched, removed: removed.map(Number) }
}
