import type { Evidence, Observation } from '../../src/define/observation.ts'
import type { Json, JsonObject } from '../../src/util/json.ts'
import { evidenceWith, scored } from './evidence.ts'

/** Every combination of the levels, paired by `seed`, with a score computed from it. */
export function crossed(
  levels: Readonly<Record<string, readonly Json[]>>,
  score: (levels: JsonObject) => number,
  change: (run: Observation, index: number) => Observation = run => run,
): Evidence {
  const combinations = Object.entries(levels).reduce<readonly JsonObject[]>(
    (all, [name, own]) => all.flatMap(before => own.map(level => ({ ...before, [name]: level }))),
    [{}],
  )
  const runs = combinations.map(({ seed = null, ...params }) => scored(params, { seed }, score({ ...params, seed })))
  return evidenceWith(runs.map(change), {
    blocks: ['seed'],
    factors: Object.keys(levels).filter(name => name !== 'seed'),
  })
}
