import type { Run } from '../define/run.ts'
import type { Planner } from './planner.ts'

/** Runs asked for at a time. Few, so that they die young: with a thousand V8 sometimes keeps them in the old heap, and takes 200 MB more. */
const batch = 64

/** Everything a planner proposes whatever the results; for a grid that is the whole plan. */
export function* plannedRuns(planner: Planner): Generator<Run> {
  let state = planner.start()
  for (let left = planner.certain(); left > 0; left -= batch) {
    const answer = planner.ask(state, Math.min(batch, left))
    if (typeof answer === 'string') return
    for (const { run } of answer.runs) yield run
    state = answer.state
  }
}
