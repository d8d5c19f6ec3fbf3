import { levelOf, type Observation } from '../../../define/observation.ts'
import { isAvailable, valueOrNull } from '../../../stats/estimate.ts'
import { canonicalJson, type Json } from '../../../util/json.ts'
import { adjustedP } from '../../adjust.ts'
import { levelsOf } from '../../arms.ts'
import { type Bounds, boundsOf } from '../../compare/comparison.ts'
import { differenceOf, infer } from '../../compare/infer/infer.ts'
import { isBinary } from '../../compare/method.ts'
import { jointGroups, withJointFactors } from '../../joint-factors.ts'
import { rangesOf } from '../../ranges.ts'
import { wordsFor } from '../../reading.ts'
import type { Samples } from '../../samples.ts'
import { type RateSummary, rateSummary } from '../../variants.ts'
import { type Batch, judgedRuns } from '../batch.ts'

/** How often runs with one level of a factor succeed, compared with runs with any other level. */
export interface FactorContrast {
  /** Of factors that always change together, which are one, all names: `optimizer+momentum`. */
  readonly factor: string
  /** Of such a factor `sgd+0.9`. */
  readonly level: Json
  readonly with_level: RateSummary
  readonly without: RateSummary
  /** The rate with the level minus the rate without it, over the settings that both sides share. */
  readonly risk_difference: number | null
  readonly ci: (Bounds & { readonly method: string }) | null
  readonly p: number | null
  readonly p_adjusted: number | null
  readonly test: string
  /** The factors and blocks on which the sides were matched; empty: matching was impossible. */
  readonly matched_on: readonly string[]
  /** The independent units behind it: tasks, seeds, or runs on the smaller side. */
  readonly n: number
  readonly unit: string
  /** Factors that change along with this one: the difference may be due to them. */
  readonly confounded_with: readonly string[]
  readonly direction: 'helps' | 'hurts' | 'none'
  /** Whether it is significant after the correction for all tests. */
  readonly is_shown: boolean
  readonly reason: string | null
}

/** Factors with more levels are treated as numbers, not level by level. */
export const mostLevels = 30

/**
 * The same batch in which factors that always change together, such as those of a `zip`, are one: separate tests would be of the
 * same runs. What a search drew, or has too many levels to go through, stays as it is.
 */
export function withJointBatch(batch: Batch): Batch {
  const { evidence, judgements, variants } = batch
  const joint = withJointFactors(evidence, jointGroupsOf(batch))
  const jointOf = new Map(evidence.runs.map((run, at) => [run, joint.runs[at] ?? run]))
  const ofRun = (run: Observation): Observation => jointOf.get(run) ?? run
  return {
    ...batch,
    evidence: joint,
    judgements: new Map([...judgements].map(([run, judgement]) => [ofRun(run), judgement])),
    variants: variants.map(variant => ({ ...variant, runs: variant.runs.map(ofRun) })),
  }
}

function jointGroupsOf({ evidence }: Batch): readonly (readonly string[])[] {
  const drawn = rangesOf(evidence)
  const asked = contrastedFactors({ evidence }).map(({ factor }) => factor)
  return jointGroups(
    evidence.runs,
    asked.filter(factor => !drawn.includes(factor)),
  )
}

export function factorContrasts(batch: Batch): readonly FactorContrast[] {
  const judged = judgedRuns(batch, batch.evidence.runs)
  const kinds = new Set(judged.map(({ isSuccess }) => isSuccess))
  if (kinds.size < 2) return []
  const drafts = contrastedFactors(batch).flatMap(({ factor, levels }) => {
    const cells = cellsOf(batch, factor, judged)
    // Two levels are one question, not two.
    const asked = levels.length === 2 ? levels.slice(0, 1) : levels
    const found = asked.map(level => contrastOf(batch, factor, level, judged, cells))
    return levels.length === 2 ? found.map(one => withBetterLevel(one, levels)) : found
  })
  const adjusted = adjustedP(
    drafts.map(({ p }) => p),
    batch.correction,
  )
  return drafts.map((draft, index) => concluded({ ...draft, p_adjusted: adjusted[index] ?? null }, batch.alpha))
}

/** The varying factors with few enough levels, and these levels. */
export function contrastedFactors({
  evidence,
}: Pick<Batch, 'evidence'>): readonly { readonly factor: string; readonly levels: readonly Json[] }[] {
  return evidence.factors.flatMap(factor => {
    if (levelCount(evidence.runs, factor) > mostLevels) return []
    const levels = levelsOf(evidence, factor).filter(level => level !== null)
    return levels.length < 2 ? [] : [{ factor, levels }]
  })
}

export const levelCount = (runs: readonly Observation[], factor: string): number =>
  new Set(runs.map(run => canonicalJson(levelOf(run, factor)))).size

interface JudgedRun {
  readonly run: Observation
  readonly isSuccess: boolean
}

/** Runs that are the same in all but the factor, by its level. */
interface Cells {
  readonly matchedOn: readonly string[]
  readonly cells: readonly Cell[]
  readonly confoundedWith: readonly string[]
}

interface Cell {
  readonly unit: string
  readonly byLevel: ReadonlyMap<string, { successes: number; n: number }>
}

/**
 * Matched on blocks and all other factors; if the factor never varies alone, on blocks only, and the result reports
 * this. Without blocks, runs are independent and there is nothing to match them on.
 */
function cellsOf(batch: Batch, factor: string, judged: readonly JudgedRun[]): Cells {
  const { evidence } = batch
  const varies = (name: string) => levelCount(evidence.runs, name) > 1
  const blocks = evidence.blocks.filter(varies)
  const others = evidence.factors.filter(name => name !== factor && varies(name))
  const both = [...blocks, ...others]
  const fully = cellsBy(batch, factor, both, judged)
  if (batch.units.name === 'run') return { matchedOn: [], cells: [], confoundedWith: [] }
  const isMatched = (cells: readonly Cell[]) => cells.some(({ byLevel }) => byLevel.size > 1)
  if (both.length > 0 && isMatched(fully)) return { matchedOn: both, cells: fully, confoundedWith: [] }
  const byBlocks = cellsBy(batch, factor, blocks, judged)
  if (blocks.length > 0 && isMatched(byBlocks)) return { matchedOn: blocks, cells: byBlocks, confoundedWith: others }
  return { matchedOn: [], cells: [], confoundedWith: others }
}

function cellsBy(
  { units }: Batch,
  factor: string,
  names: readonly string[],
  judged: readonly JudgedRun[],
): readonly Cell[] {
  const cells = new Map<string, { unit: string; byLevel: Map<string, { successes: number; n: number }> }>()
  for (const { run, isSuccess } of judged) {
    const own = levelOf(run, factor)
    if (own === null) continue
    const key = names.map(name => canonicalJson(levelOf(run, name))).join('\n')
    const cell = cells.get(key) ?? { unit: units.of(run), byLevel: new Map() }
    cells.set(key, cell)
    const level = canonicalJson(own)
    const count = cell.byLevel.get(level) ?? { successes: 0, n: 0 }
    cell.byLevel.set(level, count)
    count.n++
    if (isSuccess) count.successes++
  }
  return [...cells.values()]
}

type Draft = Omit<FactorContrast, 'direction' | 'is_shown'>

function contrastOf(
  batch: Batch,
  factor: string,
  level: Json,
  judged: readonly JudgedRun[],
  { matchedOn, cells, confoundedWith }: Cells,
): Draft {
  const { alpha, units } = batch
  const text = canonicalJson(level)
  const applies = judged.filter(({ run }) => levelOf(run, factor) !== null)
  const [own, rest] = split(applies, ({ run }) => canonicalJson(levelOf(run, factor)) === text)
  const rate = (side: readonly JudgedRun[]) =>
    rateSummary(
      side.map(({ isSuccess }) => isSuccess),
      side.map(({ run }) => units.of(run)),
      1 - alpha,
    )
  const paired = pairedSamples(cells, text, units.name, matchedOn)
  const samples = paired ?? unpairedSamples(own, rest)
  return {
    factor,
    level,
    with_level: rate(own),
    without: rate(rest),
    ...inferred(batch, samples),
    matched_on: samples.pairedBy ?? [],
    n: samples.pairedBy === null ? Math.min(own.length, rest.length) : samples.control.length,
    unit: samples.unit,
    confounded_with: paired === null ? unbalanced(batch, factor, own, rest) : confoundedWith,
    p_adjusted: null,
  }
}

/** Other factors whose levels are distributed differently on the two sides. */
function unbalanced(
  { evidence }: Batch,
  factor: string,
  own: readonly JudgedRun[],
  rest: readonly JudgedRun[],
): readonly string[] {
  const shares = (side: readonly JudgedRun[], name: string) => {
    const groups = Map.groupBy(side, ({ run }) => canonicalJson(levelOf(run, name)))
    return new Map([...groups].map(([level, runs]) => [level, runs.length / side.length]))
  }
  return evidence.factors.filter(name => {
    if (name === factor) return false
    const [ours, theirs] = [shares(own, name), shares(rest, name)]
    return [...new Set([...ours.keys(), ...theirs.keys()])].some(
      level => Math.abs((ours.get(level) ?? 0) - (theirs.get(level) ?? 0)) > unbalancedFrom,
    )
  })
}

/** A few unjudged runs do not unbalance a design. */
const unbalancedFrom = 0.1

/**
 * For each unit, the mean rate of its cells with the level and without it: cells that the sides do not share are left
 * out.
 */
function pairedSamples(
  cells: readonly Cell[],
  level: string,
  unit: string,
  matchedOn: readonly string[],
): Samples | null {
  const byUnit = new Map<string, { own: number[]; rest: number[] }>()
  for (const cell of cells) {
    const own = cell.byLevel.get(level)
    if (own === undefined || cell.byLevel.size < 2) continue
    const others = [...cell.byLevel].filter(([text]) => text !== level).map(([, count]) => count)
    const rest = others.reduce((sum, count) => sum + count.successes, 0) / others.reduce((sum, { n }) => sum + n, 0)
    const sides = byUnit.get(cell.unit) ?? { own: [], rest: [] }
    byUnit.set(cell.unit, sides)
    sides.own.push(own.successes / own.n)
    sides.rest.push(rest)
  }
  if (byUnit.size < 2) return null
  const sides = [...byUnit.values()]
  return {
    candidate: sides.map(({ own }) => mean(own)),
    control: sides.map(({ rest }) => mean(rest)),
    pairedBy: matchedOn,
    unit,
    keys: [...byUnit.keys()],
    isCounted: false,
    dropped: nothingDropped,
  }
}

const nothingDropped: Samples['dropped'] = { control: [], candidate: [], unmatched: [] }

const unpairedSamples = (own: readonly JudgedRun[], rest: readonly JudgedRun[]): Samples => ({
  candidate: own.map(({ isSuccess }) => Number(isSuccess)),
  control: rest.map(({ isSuccess }) => Number(isSuccess)),
  pairedBy: null,
  unit: 'run',
  keys: [],
  isCounted: true,
  dropped: nothingDropped,
})

/** Up to this many units, all sign changes can be enumerated; above it, Student's interval is good and fast. */
const mostFlipped = 36

/** Rates over few runs take few values: flipping signs assumes no distribution, and its interval and p agree. */
function inferred(batch: Batch, samples: Samples): Pick<Draft, 'risk_difference' | 'ci' | 'p' | 'test' | 'reason'> {
  const { alpha, drawing } = batch
  const isCounted = isBinary(samples.control) && isBinary(samples.candidate)
  const method = isCounted ? 'score' : samples.control.length > mostFlipped ? 't' : 'permutation'
  const { interval, p, test } = infer(samples, method, { level: 1 - alpha, alternative: 'two-sided', drawing })
  return {
    risk_difference: valueOrNull(differenceOf(samples)),
    ci: isAvailable(interval) ? { ...boundsOf(interval), method } : null,
    p: valueOrNull(p),
    test,
    reason: isAvailable(interval) ? null : wordsFor(interval.unavailable),
  }
}

/** With two levels, the contrast names the one with more successful runs. */
function withBetterLevel(contrast: Draft, levels: readonly Json[]): Draft {
  const { risk_difference, ci } = contrast
  const [, second = null] = levels
  if (risk_difference === null || risk_difference >= 0) return contrast
  const flipped = (bound: number | null) => (bound === null ? null : -bound)
  return {
    ...contrast,
    level: second,
    with_level: contrast.without,
    without: contrast.with_level,
    risk_difference: -risk_difference,
    ci: ci && { ...ci, low: flipped(ci.high), high: flipped(ci.low) },
  }
}

function concluded(draft: Draft, alpha: number): FactorContrast {
  const p = draft.p_adjusted ?? draft.p
  const difference = draft.risk_difference ?? 0
  return {
    ...draft,
    direction: difference === 0 ? 'none' : difference > 0 ? 'helps' : 'hurts',
    is_shown: p !== null && p <= alpha && difference !== 0,
  }
}

function split<T>(all: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter(item => !isFirst(item))]
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
