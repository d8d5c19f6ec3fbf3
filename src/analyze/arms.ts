import { type Evidence, levelOf, type Observation, runsNotMade } from '../define/observation.ts'
import { AssayError } from '../util/errors.ts'
import { canonicalJson, type Json, type JsonObject } from '../util/json.ts'
import { didYouMean } from '../util/suggest.ts'
import { counted, levelText } from '../util/words.ts'
import { noLevels, rangesOf } from './ranges.ts'
import { type Reading, readValue } from './reading.ts'

/** One side of a comparison. */
export interface Arm {
  readonly label: string
  /** The levels that its runs have. */
  readonly levels: JsonObject
  readonly runs: readonly Observation[]
}

/** The runs with these levels. */
export function armOf(evidence: Evidence, levels: JsonObject): Arm {
  const runs = runsWith(evidence.runs, levels)
  if (runs.length > 0) return { label: labelOf(levels, evidence), levels, runs }
  const read = withNulls(levels)
  const without = runsWith(evidence.runs, read)
  if (without.length === 0) throw noRuns(evidence, levels)
  return { label: labelOf(read, evidence), levels: read, runs: without }
}

/** `branch_from=null`, as in labels, selects runs without such a parameter on a command line. */
const withNulls = (levels: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(levels).map(([name, level]) => [name, level === 'null' ? null : level]))

/**
 * `raw`; but `load=0.9`, because a number alone is not clear, and `actors.buyer.model=gpt-4o` in an experiment in which
 * other actors have that model too.
 */
export function labelOf(levels: JsonObject, evidence?: Evidence): string {
  const entries = Object.entries(levels)
  const [only] = entries
  if (only !== undefined && entries.length === 1 && typeof only[1] === 'string' && Number.isNaN(Number(only[1])))
    if (evidence === undefined || isOfOneFactor(evidence, only[0])) return only[1]
  return entries.map(([name, value]) => `${name}=${levelText(value)}`).join(' ')
}

/** `sim/firm` for `actors.buyer.model=sim/firm` beside other levels of that factor, unless one is a number. */
export function armNames(labels: readonly string[]): (label: string) => string {
  const [factor = ''] = /^[^\s=]+=/.exec(labels[0] ?? '') ?? []
  const isWord = (level: string) => /^[a-z]/i.test(level) && !level.includes('=') && !/^(true|false|null)$/.test(level)
  const isShared =
    factor !== '' && labels.every(label => label.startsWith(factor) && isWord(label.slice(factor.length)))
  return label => (isShared && label.startsWith(factor) ? label.slice(factor.length) : label)
}

/**
 * Whether no level of this factor belongs to another: decided for all of its levels together, since they are displayed
 * side by side.
 */
function isOfOneFactor({ runs, factors }: Evidence, name: string): boolean {
  return remembered(ofOneFactor, runs, [name, ...factors].join('\n'), () => {
    const own = new Set<Json>(levelsIn(runs, name).filter(level => level !== null))
    const others = factors.filter(other => other !== name)
    return !others.some(other => levelsIn(runs, other).some(level => own.has(level)))
  })
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
    const texts = there.map(levelText)
    const hint = didYouMean(String(level), texts) ?? `there are ${texts.slice(0, 12).join(', ')}`
    return new AssayError('usage', `no run has ${name}=${String(level)}`, { hint })
  }
  return new AssayError('usage', `no run has ${labelOf(levels)}: its levels never occur together`)
}

/** Every name by which an arm can be chosen. */
const namesOf = ({ factors, blocks, runs }: Evidence): readonly string[] => [
  ...new Set([...factors, ...blocks, 'experiment', ...paramsIn(runs)]),
]

/** Control and candidates as requested, or as the experiment suggests. */
export function armsFor(
  evidence: Evidence,
  wish: { readonly control?: JsonObject | undefined; readonly candidates?: readonly JsonObject[] | undefined },
): { readonly control: Arm; readonly candidates: readonly Arm[] } {
  const levels = wish.control ?? suggestedControl(evidence, wish.candidates) ?? firstLevel(evidence, wish.candidates)
  const control = armOf(evidence, levels)
  const candidates = (wish.candidates ?? othersThan(evidence, control.levels)).map(other => armOf(evidence, other))
  if (candidates.length === 0)
    throw new AssayError('usage', `there is nothing to compare with: every run has ${control.label}`)
  const ours = new Set(control.runs)
  for (const candidate of candidates) refuseOverlap(control, candidate, ours)
  return { control, candidates }
}

/**
 * The factors whose levels are compared by default: several experiments; those of the baseline that the experiment
 * names; ablations, which are a question of their own; otherwise the first that varies. None for a search: the variants
 * that it selected are not compared. For a partial experiment they must not depend on which runs came first.
 */
export function suggestedFactors(
  evidence: Evidence,
  isPartial: boolean,
  isSearch = evidence.search !== undefined,
): readonly string[] {
  const isPlanned = (name: string) => isPartial && (evidence.levels[name]?.length ?? 0) > 1
  const varying = evidence.factors.filter(name => isPlanned(name) || levelsOf(evidence, name).length > 1)
  if (varying.includes('experiment')) return ['experiment']
  const named = Object.keys(evidence.baseline ?? {}).filter(name => varying.includes(name))
  if (named.length > 0) return named
  if (isSearch) return []
  return varying.includes('ablation') ? ['ablation'] : varying.slice(0, 1)
}

/**
 * With several experiments the first; otherwise the baseline that the experiment names, unless other factors are
 * requested.
 */
function suggestedControl(evidence: Evidence, candidates: readonly JsonObject[] | undefined): JsonObject | null {
  const [first, second] = evidence.sources
  const suggested =
    first !== undefined && second !== undefined && evidence.factors.includes('experiment')
      ? { experiment: first.name }
      : varyingPart(evidence)
  const isAbout = (candidate: JsonObject) => Object.keys(suggested ?? {}).every(name => candidate[name] !== undefined)
  return candidates === undefined || candidates.every(isAbout) ? suggested : null
}

/** The baseline's levels that some runs lack; all of them if every run has all. */
function varyingPart(evidence: Evidence): JsonObject | null {
  const { baseline } = evidence
  const own = Object.entries(baseline ?? {}).filter(([name]) => levelsOf(evidence, name).length > 1)
  return own.length === 0 ? baseline : Object.fromEntries(own)
}

/** A run on both sides would be compared with itself. */
function refuseOverlap(control: Arm, candidate: Arm, ours: ReadonlySet<Observation>): void {
  const both = candidate.runs.filter(run => ours.has(run))
  if (both.length > 0)
    throw new AssayError('usage', `${control.label} and ${candidate.label} share ${counted(both.length, 'run')}`, {
      hint: 'name the same factors on both sides, e.g. --control policy=a --candidate policy=b',
    })
}

/** The first level of the requested factor, as the experiment lists them. */
function firstLevel(evidence: Evidence, candidates: readonly JsonObject[] | undefined): JsonObject {
  const [named] = Object.keys(candidates?.[0] ?? {})
  const factor = named ?? suggestedFactors(evidence, (runsNotMade(evidence) ?? 0) > 0)[0] ?? onlyFactor(evidence)
  const taken = new Set((candidates ?? []).map(candidate => levelKey(candidate[factor] ?? null)))
  const left = levelsOf(evidence, factor).filter(level => !taken.has(levelKey(level)))
  const [first] = left
  if (first === undefined || (candidates !== undefined && left.length > 1))
    throw new AssayError('usage', `which control? name one, e.g. --control ${factor}=${String(left[0] ?? '…')}`)
  return { [factor]: first }
}

/** For a search, and if nothing varies. */
function onlyFactor(evidence: Evidence): string {
  const all = evidence.factors.filter(factor => levelsOf(evidence, factor).length > 1)
  const varying = all.filter(factor => !rangesOf(evidence).includes(factor))
  const [first] = varying
  if (first === undefined && all.length > 0) throw noLevels(evidence)
  if (first === undefined)
    throw new AssayError('usage', 'nothing varies in these runs: there is nothing to compare', {
      hint: 'for a table, --group names the columns that identify the arms',
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

/** More comparisons would not be read, and a correction for more leaves little to find. */
export const mostCandidates = 100

/** How many are compared if there are too many, unless another number is requested. */
export const fewCandidates = 20

/**
 * The candidates with the best means over their runs, the best first and those without a value last. They are selected
 * by the values they are compared on, so p must be corrected for all of them, selected or not.
 */
export function bestCandidates(candidates: readonly Arm[], reading: Reading, most: number): readonly Arm[] {
  const sign = reading.goal === 'maximize' ? -1 : 1
  return candidates
    .map((arm, place) => {
      const mean = meanOf(arm, reading)
      return { arm, place, rank: mean === null ? Number.POSITIVE_INFINITY : sign * mean }
    })
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .slice(0, most)
    .map(({ arm }) => arm)
}

function meanOf({ runs }: Arm, reading: Reading): number | null {
  let sum = 0
  let count = 0
  for (const run of runs) {
    const read = readValue(run, reading)
    if (!('value' in read) || !Number.isFinite(read.value)) continue
    sum += read.value
    count++
  }
  return count === 0 ? null : sum / count
}

type Runs = readonly Observation[]

/**
 * The same text for the same level. A text and a number may be the same, because everything is text on a command line.
 * There, a list of plain values is written with commas.
 */
export function levelKey(level: Json): string {
  if (level === null) return '\0'
  if (typeof level !== 'object') return String(level)
  return Array.isArray(level) && level.every(part => typeof part !== 'object') ? String(level) : canonicalJson(level)
}

export const sameLevel = (a: Json, b: Json): boolean => a === b || levelKey(a) === levelKey(b)

const levelsKey = (levels: readonly Json[]): string => JSON.stringify(levels.map(levelKey))

/** The runs with these levels. There may be thousands of arms, so runs are grouped once for each set of names. */
export function runsWith(runs: Runs, levels: JsonObject): Runs {
  const names = Object.keys(levels).toSorted()
  if (names.length === 0) return runs
  const groups = remembered(groupsOf, runs, names.join('\n'), () =>
    Map.groupBy(runs, run => levelsKey(names.map(name => levelOf(run, name)))),
  )
  return groups.get(levelsKey(names.map(name => levels[name] ?? null))) ?? []
}

/** The levels of a factor or block in these runs, each once. */
export function levelsIn(runs: Runs, name: string): readonly Json[] {
  return remembered(levelsThere, runs, name, () => {
    const seen = new Set<Json>()
    const levels = new Map<string, Json>()
    for (const run of runs) {
      const level = levelOf(run, name)
      if (seen.has(level)) continue
      seen.add(level)
      levels.set(canonicalJson(level), level)
    }
    return [...levels.values()]
  })
}

/** The names of all parameters that a run has. */
export function paramsIn(runs: Runs): readonly string[] {
  return remembered(namesThere, runs, '', () => {
    const names = new Set<string>()
    for (const { params } of runs) for (const name in params) names.add(name)
    return [...names]
  })
}

/** The levels of a factor that were run, in the order in which they were written. */
export function levelsOf(evidence: Evidence, factor: string): readonly Json[] {
  const there = levelsIn(evidence.runs, factor)
  const keys = new Set(there.map(levelKey))
  const listed = (evidence.levels[factor] ?? []).filter(level => keys.has(levelKey(level)))
  const known = new Set(listed.map(levelKey))
  return [...listed, ...there.filter(level => !known.has(levelKey(level)))]
}

/** The position of each level in a list, by its key. */
export const placesOf = (levels: readonly Json[]): ReadonlyMap<string, number> =>
  new Map(levels.map((level, place) => [levelKey(level), place] as const).toReversed())

const groupsOf = new WeakMap<Runs, Map<string, ReadonlyMap<string, Runs>>>()
const ofOneFactor = new WeakMap<Runs, Map<string, boolean>>()
const namesThere = new WeakMap<Runs, Map<string, readonly string[]>>()
const levelsThere = new WeakMap<Runs, Map<string, readonly Json[]>>()

/** Caches what was found in a list of runs. Lists never change, and the cache is freed together with them. */
function remembered<T>(found: WeakMap<Runs, Map<string, T>>, runs: Runs, name: string, find: () => T): T {
  const own = found.get(runs) ?? new Map<string, T>()
  found.set(runs, own)
  const value = own.get(name) ?? find()
  own.set(name, value)
  return value
}
