import type { Evidence, Observation } from '../define/observation.ts'
import { AssayError } from '../util/errors.ts'
import { canonicalJson } from '../util/json.ts'
import { type Arm, levelsIn } from './arms.ts'
import type { Missing } from './choices.ts'
import { rangesOf } from './ranges.ts'
import { isYesNoMetric, type Reading, type ValueRange } from './reading.ts'
import { type Statistic, statisticText, theMean } from './statistic.ts'
import {
  type Cells,
  cellsOf,
  type DroppedRun,
  filled,
  hasValue,
  haveCommonKey,
  pairsOf,
  placesBy,
  rankLast,
  unitNamesBy,
} from './units/cells.ts'
import { type Crossing, crossedGroupsOf, type GroupCrossing, innerOf, unitBlock } from './units/crossing.ts'
import { differenceWithin, extremeCells, type MissingBounds } from './units/missing-bounds.ts'
import { type KnownValues, unitValues, whereAllAreKnown } from './units/unit-values.ts'
import { isWeighted, type Weighting, type WeightingWish, weightingOf } from './units/weighting.ts'
import { winsOfGroups, winsOfPairs, worstOf } from './units/wins.ts'

/** The numbers of two arms, one per independent unit. */
export interface Samples {
  readonly control: readonly number[]
  readonly candidate: readonly number[]
  /** The names that pair the two arms, position by position; null: they are not paired. */
  readonly pairedBy: readonly string[] | null
  /** What an independent unit is: a task, a seed, a run. */
  readonly unit: string
  /** The units' own names: of the pairs, else of the control's units. */
  readonly keys: readonly string[]
  /** Of the candidate's units, if they differ. */
  readonly candidateKeys?: readonly string[]
  /**
   * Each value is the yes or no of a single run. Follows from metric and design, not from the values of the averages.
   */
  readonly isCounted: boolean
  /** Every value read is 0 or 1: passed or not, before any averaging. */
  readonly isYesNo?: boolean
  /** The compared statistic of the units, if not their mean. */
  readonly across?: 'median' | 'iqm'
  /** The values are shares of pairs of runs won and lost: only the order of the measured values counts. */
  readonly isRanked?: true
  /** If units have different weights. */
  readonly weighting?: Weighting
  /** The values of each unit's runs, if known. */
  readonly lists?: Lists
  /** Blocks whose levels recur in several units, and may shift all of them alike. */
  readonly crossed?: readonly Crossing[]
  /** The same for two groups. */
  readonly crossedGroups?: readonly GroupCrossing[]
  /** Blocks with recurring levels, if the compared statistic ignores them. */
  readonly recurring?: readonly Pick<Crossing, 'block' | 'levels'>[]
  /** Blocks that only distinguish the runs of a unit. */
  readonly nested?: readonly string[]
  readonly dropped: Dropped
}

interface Lists {
  readonly control: readonly (readonly number[])[]
  readonly candidate: readonly (readonly number[])[]
}

export interface Dropped {
  readonly control: readonly DroppedRun[]
  readonly candidate: readonly DroppedRun[]
  /** Pairs with one side missing. */
  readonly unmatched: readonly string[]
  /** Units with too few runs for the requested statistic: two attempts say nothing about three. */
  readonly short?: readonly string[]
}

/** Samples made from runs, with the source of each number. */
export interface ArmSamples extends Samples {
  /** The runs behind each value. */
  readonly runs: { readonly control: readonly Runs[]; readonly candidate: readonly Runs[] }
  readonly lists: Lists
  /** Every value read is 0 or 1: passed or not, before any averaging. */
  readonly isYesNo: boolean
  /** How many pairs (or, unpaired, runs) were left out. */
  readonly left_out: number
  /**
   * If the range of the values is known: the difference for any values of the missing ones; null if none is missing.
   */
  readonly bounds: MissingBounds | null
  /**
   * If the claim must hold for any missing values: all units, with the worst values for the candidate and with the
   * best.
   */
  readonly extremes?: Extremes
}

/** Null: values have no such bound. */
export interface Extremes {
  readonly low: Samples | null
  readonly high: Samples | null
}

type Runs = readonly Observation[]

/** A pair with a side that counts as 0 has no run there. */
const isSingle = (runs: Runs): boolean => runs.length <= 1

/**
 * Two arms as samples. Runs are first averaged over replicates and over everything else that varies equally in both
 * arms, then over all but the outermost block: the seeds of a task are not independent tasks.
 */
export function samplesOf(
  evidence: Evidence,
  arms: { readonly control: Arm; readonly candidate: Arm },
  reading: Reading,
  wish: SamplesWish,
): ArmSamples {
  const samples = unweightedSamples(evidence, arms, reading, wish)
  return isWeighted(wish) ? weightedSamples(samples, arms, wish) : samples
}

export interface SamplesWish extends WeightingWish {
  readonly isPaired: boolean
  readonly missing: Missing
  readonly statistic?: Statistic | undefined
  /** Aggregates over tasks are also requested: a task is a unit, however few there are. */
  readonly rliable?: boolean | undefined
}

function weightedSamples(
  samples: ArmSamples,
  arms: { readonly control: Arm; readonly candidate: Arm },
  wish: SamplesWish,
): ArmSamples {
  const { unit, pairedBy, across, isRanked, extremes } = samples
  if (across !== undefined || (isRanked && pairedBy === null))
    throw new AssayError('usage', `weights and strata are for means, not for ${across ?? 'wins of two groups'}`, {
      hint: 'leave --weights and --strata out, or compare means',
    })
  const unitOf = unitNamesBy(unit === 'run' ? undefined : unit)
  const runsOf = Map.groupBy([...arms.control.runs, ...arms.candidate.runs], unitOf)
  const isPaired = pairedBy !== null
  const weighted = <T extends Samples>(of: T): T => ({
    ...of,
    isCounted: false,
    weighting: weightingOf(wish, { control: of.keys, candidate: of.candidateKeys ?? of.keys, isPaired }, runsOf, unit),
  })
  const extreme = (of: Samples | null): Samples | null => of && weighted(of)
  return {
    ...weighted(samples),
    // They apply to means in which all units have the same weight.
    bounds: null,
    ...(extremes && { extremes: { low: extreme(extremes.low), high: extreme(extremes.high) } }),
  }
}

function unweightedSamples(
  evidence: Evidence,
  arms: { readonly control: Arm; readonly candidate: Arm },
  reading: Reading,
  wish: SamplesWish,
): ArmSamples {
  const compared = new Set([...Object.keys(arms.control.levels), ...Object.keys(arms.candidate.levels)])
  const blocks = evidence.blocks
    .filter(name => !compared.has(name))
    .filter(name => levelsIn(evidence.runs, name).some(level => level !== null))
  const names = [...blocks, ...sharedFactors(evidence, arms, compared)]
  const runs = [...arms.control.runs, ...arms.candidate.runs]
  const varying = blocks.filter(name => levelsIn(runs, name).length > 1)
  const isOfTasks = wish.rliable === true || (wish.statistic !== undefined && 'k' in wish.statistic)
  const unitName = unitBlock(runs, varying) ?? (!isOfTasks && areRepetitions(arms, names) ? undefined : blocks[0])
  const inside = varying.filter(name => name !== unitName)
  const place = placesBy(names, unitName)
  const control = cellsOf(arms.control, reading, place, wish.missing)
  const candidate = cellsOf(arms.candidate, reading, place, wish.missing)
  const dropped = { control: control.dropped, candidate: candidate.dropped }
  const isMeasured = [...control.cells.values(), ...candidate.cells.values()].some(hasValue)
  const isYesNo = isMeasured && isYesNoMetric(evidence.runs, reading)
  const range = isYesNo ? ([0, 1] as const) : (reading.range ?? null)
  const bounds = (isPaired: boolean) =>
    range === null ? null : differenceWithin(control.cells, candidate.cells, isPaired, range)
  const isRanked = wish.statistic?.kind === 'wins' || (wish.missing === 'worst-rank' && !isYesNo)
  requireRankable(wish, isRanked)
  const statistic = isRanked ? theMean : (wish.statistic ?? theMean)
  requireFor(statistic, reading, isMeasured && !isYesNo)
  if (wish.missing === 'worst-rank')
    rankLast([control.cells, candidate.cells], isYesNo ? Number(reading.goal === 'minimize') : worstOf(reading.goal))
  const isPaired = unitName !== undefined && wish.isPaired && haveCommonKey(control.cells, candidate.cells)
  const common = {
    unit: unitName ?? 'run',
    isYesNo: isYesNo || isRanked,
    // They apply to means.
    bounds: statistic.kind === 'mean' && !isRanked ? bounds(isPaired) : null,
    ...(isRanked ? { isRanked: true as const } : {}),
    ...(wish.missing === 'bounds' && {
      extremes: extremesOf({ control: control.cells, candidate: candidate.cells }, reading, range, {
        pairedBy: isPaired ? names : null,
        unit: unitName ?? 'run',
        isYesNo,
        inside,
      }),
    }),
    ...(statistic.kind === 'median' || statistic.kind === 'iqm' ? { across: statistic.kind } : {}),
  }
  const isCounted = (runs: readonly Runs[]): boolean => common.isYesNo && !('across' in common) && runs.every(isSingle)
  if (!isPaired) {
    const groups = { control: filled(control.cells), candidate: filled(candidate.cells) }
    const { control: ownCells, candidate: otherCells } = isRanked ? winsOfGroups(groups, reading.goal) : groups
    const one = whereAllAreKnown([unitValues(ownCells, statistic)])
    const other = whereAllAreKnown([unitValues(otherCells, statistic)])
    const short = [...one.unknown, ...other.unknown]
    const [ours = nothing] = one.known
    const [theirs = nothing] = other.known
    return {
      ...common,
      control: ours.values,
      candidate: theirs.values,
      pairedBy: null,
      keys: ours.units,
      candidateKeys: theirs.units,
      ...(!('k' in statistic) && {
        crossedGroups: crossedGroupsOf(
          { control: ownCells, candidate: otherCells },
          { control: ours.units, candidate: theirs.units },
          inside,
        ),
      }),
      // The wins of a run of a group are a share of all others.
      isCounted: !isRanked && isCounted([...ours.runs, ...theirs.runs]),
      runs: { control: ours.runs, candidate: theirs.runs },
      lists: isRanked ? singly(ours, theirs) : { control: ours.lists, candidate: theirs.lists },
      left_out: [...control.dropped, ...candidate.dropped].filter(isLeftOut(wish.missing)).length + short.length,
      dropped: { ...dropped, unmatched: [], short },
    }
  }
  const pairs = pairsOf(control.cells, candidate.cells, wish.missing)
  const { control: ownCells, candidate: otherCells } = isRanked ? winsOfPairs(pairs, reading.goal) : pairs
  const { known, unknown } = whereAllAreKnown([ownCells, otherCells].map(cells => unitValues(cells, statistic)))
  const [ours = nothing, theirs = nothing] = known
  const inner = innerOf({ control: ownCells, candidate: otherCells }, ours.units, inside)
  return {
    ...common,
    control: ours.values,
    candidate: theirs.values,
    pairedBy: names,
    keys: ours.units,
    // For k attempts at a task, the common effect of its seeds is unknown.
    ...('k' in statistic ? { recurring: inner.crossed } : inner),
    isCounted: isCounted([...ours.runs, ...theirs.runs]),
    runs: { control: ours.runs, candidate: theirs.runs },
    lists: isRanked ? singly(ours, theirs) : { control: ours.lists, candidate: theirs.lists },
    left_out: pairs.leftOut + unknown.length,
    dropped: { ...dropped, unmatched: pairs.unmatched, short: unknown },
  }
}

const isLeftOut =
  (missing: Missing) =>
  ({ counts_as }: DroppedRun): boolean =>
    missing !== 'zero' && missing !== 'bounds' && counts_as === undefined

/** All units of both arms, with missing values filled in. */
function extremesOf(
  cells: { readonly control: Cells; readonly candidate: Cells },
  { metric }: Reading,
  range: ValueRange | null,
  design: Pick<Samples, 'pairedBy' | 'unit'> & { readonly isYesNo: boolean; readonly inside: readonly string[] },
): Extremes {
  if (range === null)
    throw new AssayError('usage', `--missing bounds needs to know where ${metric} can lie`, {
      hint: '--range 0..100, or range: [0, 100] of the metric in the experiment file',
    })
  const { low, high } = extremeCells(cells.control, cells.candidate, design.pairedBy !== null, range)
  const samples = (filled: typeof low): Samples | null => {
    if (filled === null) return null
    const [own, other] = [unitValues(filled.control, theMean), unitValues(filled.candidate, theMean)]
    const groups = { control: own.units, candidate: other.units }
    return {
      ...(design.pairedBy === null
        ? { crossedGroups: crossedGroupsOf(filled, groups, design.inside) }
        : innerOf(filled, own.units, design.inside)),
      control: own.values.map(value => value ?? Number.NaN),
      candidate: other.values.map(value => value ?? Number.NaN),
      pairedBy: design.pairedBy,
      unit: design.unit,
      keys: own.units,
      candidateKeys: other.units,
      isYesNo: design.isYesNo,
      isCounted: design.isYesNo && [...own.lists, ...other.lists].every(list => list.length === 1),
      dropped: { control: [], candidate: [], unmatched: [] },
    }
  }
  return { low: samples(low), high: samples(high) }
}

/** Wins are known for a unit as a whole. */
const singly = (ours: KnownValues, theirs: KnownValues): Lists => ({
  control: ours.values.map(value => [value]),
  candidate: theirs.values.map(value => [value]),
})

/** Such values only have an order: there is no mean or median of them, and no bound. */
function requireRankable(
  { statistic, missing }: { readonly statistic?: Statistic | undefined; readonly missing: Missing },
  isRanked: boolean,
): void {
  const other = statistic === undefined || statistic.kind === 'wins' ? null : statisticText(statistic)
  if (isRanked && other !== null)
    throw new AssayError('usage', `--missing worst-rank compares by order alone, and --statistic ${other} does not`, {
      hint: 'leave --statistic out: it counts how often a candidate run is better than a control run',
    })
  if (missing === 'bounds' && statistic !== undefined && statistic.kind !== 'mean')
    throw new AssayError('usage', `--missing bounds is for means, not for ${statisticText(statistic)}`, {
      hint: '--missing worst-rank goes with wins',
    })
}

const nothing: KnownValues = { units: [], values: [], runs: [], lists: [] }

function requireFor(statistic: Statistic, { metric }: Reading, isNumber: boolean): void {
  if ('k' in statistic && isNumber)
    throw new AssayError(
      'usage',
      `${statisticText(statistic)} is about attempts that succeed or don't, and ${metric} is not only 0 and 1`,
      { hint: `leave --statistic out to compare means of ${metric}` },
    )
}

/**
 * With one task, only its seeds can be compared, or without seeds its repetitions; the result then holds for this task
 * only.
 */
function areRepetitions(
  { control, candidate }: { readonly control: Arm; readonly candidate: Arm },
  names: readonly string[],
): boolean {
  const runs = [...control.runs, ...candidate.runs]
  const isRepeated = control.runs.length > 1 || candidate.runs.length > 1
  return isRepeated && names.every(name => levelsIn(runs, name).length === 1)
}

/** Factors that are not compared and of which both arms have levels: both sides of a pair have the same one. */
function sharedFactors(
  evidence: Evidence,
  { control, candidate }: { readonly control: Arm; readonly candidate: Arm },
  compared: ReadonlySet<string>,
): readonly string[] {
  const levels = (arm: Arm, factor: string): readonly string[] =>
    levelsIn(arm.runs, factor).map(level => canonicalJson(level))
  const haveCommonLevel = (factor: string): boolean => {
    const theirs = new Set(levels(candidate, factor))
    return levels(control, factor).some(level => theirs.has(level))
  }
  return evidence.factors.filter(
    factor =>
      !compared.has(factor) &&
      !evidence.blocks.includes(factor) &&
      !rangesOf(evidence).includes(factor) &&
      haveCommonLevel(factor),
  )
}
