import type { Evidence, EvidenceRun } from '../plan/evidence.ts'
import { canonicalJson } from '../util/canonical-json.ts'
import { AssayError } from '../util/errors.ts'
import type { JsonObject } from '../util/json.ts'
import { didYouMean } from '../util/suggest.ts'
import { levelsIn, paramsIn, runsWith, sameLevel } from './levels.ts'

/** One side of a comparison. */
export interface Arm {
  readonly label: string
  /** What makes a run belong to it. */
  readonly levels: JsonObject
  readonly runs: readonly EvidenceRun[]
}

/** The runs with these levels. */
export function armOf(evidence: Evidence, levels: JsonObject): Arm {
  const runs = runsWith(evidence.runs, levels)
  if (runs.length === 0) throw noRuns(evidence, levels)
  return { label: labelOf(levels), levels, runs }
}

/** `raw`; but `load=0.9`, because a number by itself says nothing. */
export function labelOf(levels: JsonObject): string {
  const entries = Object.entries(levels)
  const [only] = entries
  if (only !== undefined && entries.length === 1 && typeof only[1] === 'string' && Number.isNaN(Number(only[1])))
    return only[1]
  return entries.map(([name, value]) => `${name}=${typeof value === 'string' ? value : canonicalJson(value)}`).join(' ')
}

function noRuns(evidence: Evidence, levels: JsonObject): AssayError {
  const known = namesOf(evidence)
  for (const [name, level] of Object.entries(levels)) {
    if (!known.includes(name)) {
      const hint = didYouMean(name, known) ?? `there are ${known.join(', ')}`
      return new AssayError('usage', `there is no factor "${name}"`, { hint })
    }
    const there = levelsIn(evidence.runs, name)
    if (there.some(other => sameLevel(other, level))) continue
    const texts = there.map(other => (typeof other === 'string' ? other : canonicalJson(other)))
    const hint = didYouMean(String(level), texts) ?? `there are ${texts.slice(0, 12).join(', ')}`
    return new AssayError('usage', `no run has ${name}=${String(level)}`, { hint })
  }
  return new AssayError('usage', `no run has ${labelOf(levels)}: its levels never come together`)
}

/** Every name that an arm can be chosen by. */
const namesOf = ({ factors, blocks, runs }: Evidence): readonly string[] => [
  ...new Set([...factors, ...blocks, 'experiment', ...paramsIn(runs)]),
]
