import { type Evidence, levelOf } from '../plan/evidence.ts'
import { canonicalJson } from '../util/canonical-json.ts'
import { AssayError } from '../util/errors.ts'
import type { JsonObject } from '../util/json.ts'
import { type Arm, armOf, levelsOf, sameLevel } from './arms.ts'

/** Control and candidates as asked for, or as the experiment suggests. */
export function armsFor(
  evidence: Evidence,
  wish: { readonly control?: JsonObject | undefined; readonly candidates?: readonly JsonObject[] | undefined },
): { readonly control: Arm; readonly candidates: readonly Arm[] } {
  const control = wish.control ?? evidence.baseline ?? firstLevel(evidence, wish.candidates)
  const candidates = wish.candidates ?? othersThan(evidence, control)
  const arms = candidates.map(levels => armOf(evidence, levels))
  if (arms.length === 0) throw new AssayError('usage', 'there is nothing to compare with: the factor has one level')
  return { control: armOf(evidence, control), candidates: arms }
}

/** The first level of the one factor that varies, as the experiment lists them. */
function firstLevel(evidence: Evidence, candidates: readonly JsonObject[] | undefined): JsonObject {
  const [named] = Object.keys(candidates?.[0] ?? {})
  const factor = named ?? onlyFactor(evidence)
  const taken = (candidates ?? []).map(candidate => candidate[factor] ?? null)
  const left = levelsOf(evidence, factor).filter(level => !taken.some(other => sameLevel(other, level)))
  const [first] = left
  if (first === undefined || (candidates !== undefined && left.length > 1))
    throw new AssayError('usage', `compared with what? name it, e.g. --control ${factor}=${String(left[0] ?? '…')}`)
  return { [factor]: first }
}

function onlyFactor(evidence: Evidence): string {
  const varying = evidence.factors.filter(factor => levelsOf(evidence, factor).length > 1)
  const [first] = varying
  if (first === undefined) throw new AssayError('usage', 'nothing varies in these runs: there is nothing to compare')
  if (varying.length === 1) return first
  const levels = levelsOf(evidence, first).map(String)
  throw new AssayError('usage', `several factors vary (${varying.join(', ')}): say which levels to compare`, {
    hint: `e.g. --control ${first}=${levels[0]} --candidate ${first}=${levels[1]}`,
  })
}

/** Every other combination of the control's factors that was run. */
function othersThan(evidence: Evidence, control: JsonObject): readonly JsonObject[] {
  const names = Object.keys(control)
  const seen = new Map<string, JsonObject>()
  for (const run of evidence.runs) {
    const levels = Object.fromEntries(names.map(name => [name, levelOf(run, name)]))
    if (!names.every(name => sameLevel(levels[name] ?? null, control[name] ?? null)))
      seen.set(canonicalJson(levels), levels)
  }
  const place = (levels: JsonObject) =>
    names.map(name => levelsOf(evidence, name).findIndex(level => sameLevel(level, levels[name] ?? null)))
  return [...seen.values()].sort((a, b) => compareLists(place(a), place(b)))
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value - (b[index] ?? 0)
  return 0
}
