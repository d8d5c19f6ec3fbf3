import { type Evidence, type EvidenceRun, levelOf } from '../plan/evidence.ts'
import { canonicalJson } from '../util/canonical-json.ts'
import { AssayError } from '../util/errors.ts'
import type { Json, JsonObject } from '../util/json.ts'
import { didYouMean } from '../util/suggest.ts'

/** One side of a comparison. */
export interface Arm {
  readonly label: string
  /** What makes a run belong to it. */
  readonly levels: JsonObject
  readonly runs: readonly EvidenceRun[]
}

/** The runs with these levels. */
export function armOf(evidence: Evidence, levels: JsonObject): Arm {
  const names = Object.keys(levels)
  const runs = evidence.runs.filter(run => names.every(name => sameLevel(levelOf(run, name), levels[name] ?? null)))
  if (runs.length === 0) throw noRuns(evidence, levels)
  return { label: labelOf(levels), levels, runs }
}

/** Text and number may be the same level: on a command line everything is text. */
export function sameLevel(a: Json, b: Json): boolean {
  if (a === b) return true
  // Asked for every run, of which there may be a hundred thousand.
  if (typeof a !== 'object' && typeof b !== 'object') return String(a) === String(b)
  return canonicalJson(a) === canonicalJson(b) || (a !== null && b !== null && String(a) === String(b))
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
function namesOf({ factors, blocks, runs }: Evidence): readonly string[] {
  return [...new Set([...factors, ...blocks, 'experiment', ...runs.flatMap(run => Object.keys(run.params))])]
}

export function levelsIn(runs: readonly EvidenceRun[], name: string): readonly Json[] {
  const seen = new Set<Json>()
  const levels = new Map<string, Json>()
  for (const run of runs) {
    const level = levelOf(run, name)
    if (seen.has(level)) continue
    seen.add(level)
    levels.set(canonicalJson(level), level)
  }
  return [...levels.values()]
}

/** The levels of a factor that were run, in the order in which they were written. */
export function levelsOf(evidence: Evidence, factor: string): readonly Json[] {
  const there = levelsIn(evidence.runs, factor)
  const listed = (evidence.levels[factor] ?? []).filter(level => there.some(other => sameLevel(other, level)))
  return [...listed, ...there.filter(level => !listed.some(other => sameLevel(other, level)))]
}
