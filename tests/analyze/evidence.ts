import { type Evidence, type Observation, observed } from '../../src/define/observation.ts'
import type { Json, JsonObject } from '../../src/util/json.ts'

/** A finished run, with defaults. */
export const aRun = (run: Partial<Observation> = {}): Observation =>
  observed({ name: 'run', source: 'experiment', ...run })

export function evidenceWith(runs: readonly Observation[], more: Partial<Evidence> = {}): Evidence {
  return {
    runs,
    metrics: [{ name: 'score', goal: 'maximize', primary: true }],
    blocks: [],
    factors: ['arm'],
    levels: {},
    baseline: null,
    sources: [{ name: 'experiment', path: '/experiment', planned: runs.length }],
    ...more,
  }
}

/** Runs of two arms `a` and `b`, one per seed, with `score` from the lists. */
export function twoArms(a: readonly (number | null)[], b: readonly (number | null)[], more: Partial<Evidence> = {}) {
  const runs = Object.entries({ a, b }).flatMap(([arm, values]) =>
    values.map((value, index) => scored({ arm }, { seed: index + 1 }, value)),
  )
  return evidenceWith(runs, { blocks: ['seed'], ...more })
}

/** One run with a score; null: it failed. */
export function scored(params: JsonObject, block: JsonObject, score: number | null, more: Partial<Observation> = {}) {
  const name = [...Object.values(params), ...Object.values(block)].map((part: Json) => String(part)).join('-')
  return aRun({
    name,
    params,
    block,
    ...(score === null ? { outcome: { kind: 'failed' } } : { metrics: { score } }),
    ...more,
  })
}
