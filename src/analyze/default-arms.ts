import { type Evidence, type EvidenceRun, levelOf } from '../plan/evidence.ts'
import { canonicalJson } from '../util/canonical-json.ts'
import { AssayError } from '../util/errors.ts'
import type { JsonObject } from '../util/json.ts'
import { type Arm, armOf } from './arms.ts'
import { levelKey, levelsOf, placesOf, sameLevel } from './levels.ts'
import { noLevels, rangesOf } from './ranges.ts'
import { counted } from './words.ts'

/** Control and candidates as asked for, or as the experiment suggests. */
export function armsFor(
  evidence: Evidence,
  wish: { readonly control?: JsonObject | undefined; readonly candidates?: readonly JsonObject[] | undefined },
): { readonly control: Arm; readonly candidates: readonly Arm[] } {
  const levels = wish.control ?? suggestedControl(evidence, wish.candidates) ?? firstLevel(evidence, wish.candidates)
  const control = armOf(evidence, levels)
  const candidates = (wish.candidates ?? othersThan(evidence, levels)).map(other => armOf(evidence, other))
  if (candidates.length === 0)
    throw new AssayError('usage', `there is nothing to compare with: every run has ${control.label}`)
  const ours = new Set(control.runs)
  for (const candidate of candidates) refuseOverlap(control, candidate, ours)
  return { control, candidates }
}

/** Of several experiments the first; otherwise the baseline that the experiment names, unless other factors are asked about. */
function suggestedControl(evidence: Evidence, candidates: readonly JsonObject[] | undefined): JsonObject | null {
  const [first, second] = evidence.sources
  const suggested =
    first !== undefined && second !== undefined && evidence.factors.includes('experiment')
      ? { experiment: first.name }
      : evidence.baseline
  const isAbout = (candidate: JsonObject) => Object.keys(suggested ?? {}).every(name => candidate[name] !== undefined)
  return candidates === undefined || candidates.every(isAbout) ? suggested : null
}

/** A run on both sides would be compared with itself. */
function refuseOverlap(control: Arm, candidate: Arm, ours: ReadonlySet<EvidenceRun>): void {
  const both = candidate.runs.filter(run => ours.has(run))
  if (both.length > 0)
    throw new AssayError('usage', `${control.label} and ${candidate.label} share ${counted(both.length, 'run')}`, {
      hint: 'name the same factors on both sides, e.g. --control policy=a --candidate policy=b',
    })
}

/** The first level of the one factor that varies, as the experiment lists them. */
function firstLevel(evidence: Evidence, candidates: readonly JsonObject[] | undefined): JsonObject {
  const [named] = Object.keys(candidates?.[0] ?? {})
  const factor = named ?? onlyFactor(evidence)
  const taken = new Set((candidates ?? []).map(candidate => levelKey(candidate[factor] ?? null)))
  const left = levelsOf(evidence, factor).filter(level => !taken.has(levelKey(level)))
  const [first] = left
  if (first === undefined || (candidates !== undefined && left.length > 1))
    throw new AssayError('usage', `compared with what? name it, e.g. --control ${factor}=${String(left[0] ?? '…')}`)
  return { [factor]: first }
}

function onlyFactor(evidence: Evidence): string {
  const all = evidence.factors.filter(factor => levelsOf(evidence, factor).length > 1)
  const varying = all.filter(factor => !rangesOf(evidence).includes(factor))
  const [first] = varying
  if (first === undefined && all.length > 0) throw noLevels(evidence)
  if (first === undefined)
    throw new AssayError('usage', 'nothing varies in these runs: there is nothing to compare', {
      hint: 'for a table, --group names the columns that tell the arms apart',
    })
  if (varying.length === 1) return first
  const levels = levelsOf(evidence, first).map(String)
  throw new AssayError('usage', `several factors vary (${varying.join(', ')}): say which levels to compare`, {
    hint: `e.g. --control ${first}=${levels[0]} --candidate ${first}=${levels[1]}`,
  })
}

/** Every other combination of the control's factors that was run. */
function othersThan(evidence: Evidence, control: JsonObject): readonly JsonObject[] {
  const names = Object.keys(control)
  const range = names.find(name => rangesOf(evidence).includes(name))
  if (range !== undefined)
    throw new AssayError('usage', `${range} took another value in nearly every variant: compared with which of them?`, {
      hint: `name it too: --candidate ${names.map(name => `${name}=…`).join(',')}`,
    })
  const seen = new Map<string, JsonObject>()
  for (const run of evidence.runs) {
    const levels = Object.fromEntries(names.map(name => [name, levelOf(run, name)]))
    if (!names.every(name => sameLevel(levels[name] ?? null, control[name] ?? null)))
      seen.set(canonicalJson(levels), levels)
  }
  const places = names.map(name => placesOf(levelsOf(evidence, name)))
  const placed = [...seen.values()].map(levels => ({
    levels,
    place: names.map((name, at) => places[at]?.get(levelKey(levels[name] ?? null)) ?? -1),
  }))
  return placed.sort((a, b) => compareLists(a.place, b.place)).map(({ levels }) => levels)
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value - (b[index] ?? 0)
  return 0
}
